#include "run/quoted.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "model/sendable.h"

namespace deputy::run {

namespace {

constexpr std::size_t kLongestName = 100;

// A name is its owner's choice.
std::string as_attribute(std::string_view name) {
  std::string value(cut_characters(name, kLongestName));
  std::ranges::replace_if(
      value, [](char c) { return c == '<' || c == '>' || static_cast<unsigned char>(c) < ' '; }, ' ');
  return json::serialize(json::value(value));
}

}  // namespace

std::string quoted(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>\n{1}\n</{0}>", tag, model::without_closing_tags(text));
}

std::string quoted_from(std::string_view tag, std::string_view writer, std::string_view text) {
  return fmt::format("<{0} from={1}>\n{2}\n</{0}>", tag, as_attribute(writer), model::without_closing_tags(text));
}

}  // namespace deputy::run

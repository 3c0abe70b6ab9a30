#include "intent/context_section.h"

#include "base/text.h"

namespace deputy::intent {

namespace {

constexpr std::string_view kHeading = "## Extracted context";
constexpr std::string_view kFence = "```";
constexpr std::string_view kOpening = "```json";

std::string_view without_end_space(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Takes the first line off `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return without_end_space(line);
}

/// The position of the last heading line.
std::optional<std::size_t> last_heading(std::string_view text) {
  std::optional<std::size_t> last;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t begin = text.size() - rest.size();
    if (take_line(rest) == kHeading) last = begin;
  }
  return last;
}

/// An empty value: leaving it out reads back the same.
bool is_blank(const json::value& value) {
  return value.is_null() || (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty()) || (value.is_string() && value.get_string().empty());
}

void drop_blanks(json::object& object) {
  json::object kept;
  for (auto& member : object) {
    if (json::object* inner = member.value().if_object()) drop_blanks(*inner);  // as deep as the fields of Intent
    if (!is_blank(member.value())) kept[member.key()] = std::move(member.value());
  }
  object = std::move(kept);
}

}  // namespace

std::string context_section(const Intent& intent) {
  json::object written = to_json(intent);
  drop_blanks(written);
  // On one line, so that nothing in it can look like the end of the block.
  return to_valid_utf8(std::string(kHeading) + "\n\n" + std::string(kOpening) + "\n" + json::serialize(written) + "\n" +
                       std::string(kFence));
}

std::optional<Intent> read_context_section(std::string_view text) {
  const std::optional<std::size_t> heading = last_heading(text);
  if (!heading) return std::nullopt;
  std::string_view rest = text.substr(*heading);
  while (!rest.empty() && take_line(rest) != kOpening) {
  }
  const std::size_t begin = text.size() - rest.size();
  std::size_t end = begin;
  while (true) {
    if (rest.empty()) return std::nullopt;  // the block does not end
    end = text.size() - rest.size();
    if (take_line(rest) == kFence) break;
  }
  const Result<json::object> object = parse_json_object(text.substr(begin, end - begin));
  if (!object) return std::nullopt;
  Result<Intent> intent = parse_arguments<Intent>(*object);
  if (!intent) return std::nullopt;
  return *std::move(intent);
}

std::string_view without_context_section(std::string_view text) {
  return without_end_space(text.substr(0, last_heading(text).value_or(text.size())));
}

}  // namespace deputy::intent

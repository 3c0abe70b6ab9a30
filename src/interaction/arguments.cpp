#include "interaction/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::interaction {
namespace {

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// The start of `text` that a card has room for.
std::string_view shown_part(std::string_view text, std::size_t max_characters, std::size_t max_lines) {
  text = cut_characters(text, max_characters);
  std::size_t at = 0;
  for (std::size_t line = 0; line < max_lines; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return text;
    ++at;
  }
  return text.substr(0, at == 0 ? 0 : at - 1);
}

void append_block(Preformatted& into, std::string_view text, const Fold& fold, std::size_t room) {
  const std::string_view part = shown_part(text, std::min(fold.characters, room), fold.lines);
  if (!part.empty() || text.empty()) {
    for (const std::string_view line : split(part, "\n")) into.text += "  | " + escape_line(line) + "\n";
  }
  if (part.size() == text.size()) return;
  into.whole = false;
  into.text += fmt::format("  … {} not shown\n", counted(count_characters(text.substr(part.size())), "more character"));
}

bool fits_a_line(const json::value& value, std::string_view as_json, const Fold& fold) {
  if (value.is_string() && as_view(value.get_string()).contains('\n')) return false;
  return count_characters(as_json) <= fold.line;
}

void append_argument(Preformatted& into, std::string_view name, const json::value& value, const Fold& fold) {
  const std::size_t used = std::min(into.text.size(), fold.total);
  const std::string as_json = canonical_json(value);
  into.text += escape_with_spaces(name) + ": ";
  if (used < fold.total && fits_a_line(value, as_json, fold)) {
    into.text += escape_line(as_json) + "\n";
    return;
  }
  if (!value.is_string()) {
    into.text += fmt::format("JSON of {}\n", counted(count_characters(as_json), "character"));
    append_block(into, as_json, fold, fold.total - used);
    return;
  }
  const std::string_view text = as_view(value.get_string());
  into.text +=
      fmt::format("text of {}, {}\n", counted(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1, "line"),
                  counted(count_characters(text), "character"));
  append_block(into, text, fold, fold.total - used);
}

}  // namespace

Fold Fold::nothing() {
  constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();
  return {.line = Fold{}.line, .lines = kNoEnd, .characters = kNoEnd, .total = kNoEnd, .arguments = kNoEnd};
}

Preformatted show_arguments(const json::object& arguments, const Fold& fold) {
  Preformatted shown;
  std::size_t count = 0;
  for (const auto& [name, value] : arguments) {
    if (count++ == fold.arguments) {
      shown.whole = false;
      shown.text += fmt::format("… {} not shown\n", counted(arguments.size() - fold.arguments, "more argument"));
      break;
    }
    append_argument(shown, as_view(name), value, fold);
  }
  return shown;
}

Preformatted show_value(const json::value& value, const Fold& fold) {
  Preformatted shown;
  if (value.is_string()) {
    append_block(shown, as_view(value.get_string()), fold, fold.total);
  } else {
    append_block(shown, canonical_json(value), fold, fold.total);
  }
  return shown;
}

}  // namespace deputy::interaction

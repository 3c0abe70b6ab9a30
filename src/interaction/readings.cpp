#include "interaction/readings.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace deputy::interaction {
namespace {

constexpr std::size_t kMostDigits = 2;

bool same_word(std::string_view name, std::string_view lower_word) {
  name = trim(name);
  return name.size() == lower_word.size() && to_lower(name) == lower_word;
}

// A number from 1, or nothing when it is none; takes the number off the front.
std::optional<std::size_t> take_number(std::string_view& text, std::string_view sign) {
  if (!sign.empty() && text.starts_with(sign)) text.remove_prefix(sign.size());
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + digits, number);
  text.remove_prefix(digits);
  return number;
}

void skip_spaces(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

struct Span {
  std::size_t first, last;
};

// `2`, or `1-3`.
std::optional<Span> take_span(std::string_view& text, std::string_view sign) {
  const auto first = take_number(text, sign);
  if (!first) return std::nullopt;
  std::string_view after = text;
  skip_spaces(after);
  if (!after.starts_with('-')) return Span{*first, *first};
  after.remove_prefix(1);
  skip_spaces(after);
  const auto last = take_number(after, sign);
  if (!last || *last < *first) return std::nullopt;
  text = after;
  return Span{*first, *last};
}

}  // namespace

Choice named(const Question& question, std::string_view text) {
  const std::string word = to_lower(trim(text));
  Choice choice;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const Option& option = question.options[i];
    if (same_word(option.answer(), word) || same_word(option.label, word)) choice.insert(i);
  }
  return choice;
}

std::string position_sign(const Question& question) {
  // Every option can rule out two signs at most, so this ends.
  for (std::string sign;; sign += '#') {
    bool free = true;
    for (std::size_t i = 0; free && i < question.options.size(); ++i) {
      const Choice called_so = named(question, sign + std::to_string(i + 1));
      free = called_so.empty() || called_so == Choice{i};
    }
    if (free) return sign;
  }
}

std::optional<Positions> positions(const Question& question, std::string_view text) {
  const std::string sign = position_sign(question);
  Positions found;
  text = trim(text);
  // "2." and "2)" as lists are written.
  if (text.ends_with('.') || text.ends_with(')')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  for (bool first = true; !text.empty(); first = false) {
    if (!first) {
      // A comma, spaces, or both stand between two numbers.
      const std::size_t before = text.size();
      skip_spaces(text);
      if (text.starts_with(',')) text.remove_prefix(1);
      skip_spaces(text);
      if (text.size() == before) return std::nullopt;
    }
    const auto span = take_span(text, sign);
    if (!span) return std::nullopt;
    for (std::size_t number = span->first; number <= span->last; ++number) {
      if (number >= 1 && number <= question.options.size()) {
        found.choice.insert(number - 1);
      } else if (!found.out_of_range) {
        found.out_of_range = std::to_string(number);
      }
    }
  }
  return found;
}

}  // namespace deputy::interaction

#include "interaction/typed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::interaction {
namespace {

constexpr std::array<std::string_view, 2> kStopWords{"stop", "cancel"};
constexpr std::array<std::string_view, 2> kSkipWords{"skip", "skip form"};
constexpr std::array<std::string_view, 1> kDoneWords{"done"};

bool says_one_of(const auto& list, std::string_view text) { return contains(list, to_lower(trim(text))); }

/// Options, by index from 0.
using Choice = std::set<std::size_t>;

/// Text that looks like positions. Numbers of three or more digits do not: no form has that many options, and a port or
/// a year is an answer.
struct Positions {
  Choice choice;
  std::optional<std::string> out_of_range;  // the first number without an option
};

constexpr std::size_t kMaxDigits = 2;

bool same_word(std::string_view name, std::string_view lower_word) {
  name = trim(name);
  return name.size() == lower_word.size() && to_lower(name) == lower_word;
}

// Takes a number from 1 off the front; empty if there is none.
std::optional<std::size_t> take_number(std::string_view& text, std::string_view sign) {
  if (!sign.empty() && text.starts_with(sign)) text.remove_prefix(sign.size());
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > kMaxDigits) return std::nullopt;
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

/// Options whose value or label is `text`, ignoring case and surrounding space.
Choice named(const Question& question, std::string_view text) {
  const std::string word = to_lower(trim(text));
  Choice choice;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const Option& option = question.options[i];
    if (same_word(option.answer(), word) || same_word(option.label, word)) choice.insert(i);
  }
  return choice;
}

std::optional<Positions> positions(const Question& question, std::string_view text) {
  const std::string sign = position_sign(question);
  Positions found;
  text = trim(text);
  // "2." and "2)", as in lists.
  if (text.ends_with('.') || text.ends_with(')')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  for (bool first = true; !text.empty(); first = false) {
    if (!first) {
      // Numbers are separated by a comma, spaces, or both.
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

/// The choice in a text (options, own words, or both), or why it was not accepted.
struct Chosen {
  Choice options;
  std::string own_words;
};
struct Unclear {
  std::string words;
  bool may_be_talk = false;  // people say such things to each other
};
struct NothingOfIt {};  // it names no option and is not a position
using Reading = std::variant<Chosen, Unclear, NothingOfIt>;

std::string label_in_code(const Question& question, std::size_t option) {
  return code_span(cut_with_mark(question.options[option].label, 60));
}

// "`2` for `staging`", for each possible option.
std::string how_to_choose(const Question& question, const Choice& options) {
  const std::string sign = position_sign(question);
  std::vector<std::string> ways;
  for (const std::size_t option : options) {
    ways.push_back(
        fmt::format("{} for {}", code_span(sign + std::to_string(option + 1)), label_in_code(question, option)));
  }
  return join(ways, ", ");
}

Unclear two_ways(const Question& question, std::string_view text, const Choice& one, const Choice& other) {
  Choice all = one;
  all.insert(other.begin(), other.end());
  return {fmt::format("{} can be read in two ways here, so I took neither. Type {}.",
                      code_span(cut_with_mark(trim(text), 60)), how_to_choose(question, all))};
}

Unclear no_such_position(const Question& question, std::string_view number) {
  std::string words = fmt::format("There is no option {}: they go from {} to {}.", number, position_word(question, 0),
                                  position_word(question, question.options.size() - 1));
  if (question.allow_custom)
    words += fmt::format(" To answer with the number itself, put it in quotes: \"{}\".", number);
  return {std::move(words)};
}

// One item: an option's name, or positions.
Reading read_item(const Question& question, std::string_view text) {
  const Choice by_name = named(question, text);
  if (by_name.size() > 1) return two_ways(question, text, by_name, {});
  const auto by_position = positions(question, text);
  if (by_position && question.options.empty()) return NothingOfIt{};
  if (by_name.empty() && !by_position) return NothingOfIt{};
  if (!by_position) return Chosen{by_name, {}};
  if (by_name.empty()) {
    if (by_position->out_of_range) return no_such_position(question, *by_position->out_of_range);
    return Chosen{by_position->choice, {}};
  }
  // A number without an option can only be a name; so can several numbers in a single choice.
  const bool could_be_positions =
      !by_position->out_of_range && (question.multi_select || by_position->choice.size() == 1);
  if (could_be_positions && by_position->choice != by_name) {
    return two_ways(question, text, by_name, by_position->choice);
  }
  return Chosen{by_name, {}};
}

// The text between quotes, straight or curly, if the whole text is quoted.
std::optional<std::string_view> quoted(std::string_view text) {
  text = trim(text);
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"\"", "\""}, {"“", "”"}, {"„", "“"}}) {
    if (text.size() <= open.size() + close.size() || !text.starts_with(open) || !text.ends_with(close)) continue;
    const std::string_view inside = trim(text.substr(open.size(), text.size() - open.size() - close.size()));
    if (inside.empty() || inside.contains(open) || inside.contains(close)) continue;
    return inside;
  }
  return std::nullopt;
}

// In quotes it is a name or own words, never a number.
Reading read_quoted(const Question& question, std::string_view text, std::string_view inside) {
  Choice by_name = named(question, text);
  by_name.merge(named(question, inside));
  if (by_name.empty()) return NothingOfIt{};
  if (by_name.size() > 1) return two_ways(question, text, by_name, {});
  return Chosen{by_name, {}};
}

// Splits at commas, except inside straight quotes.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  bool in_quotes = false;
  std::size_t begins = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') in_quotes = !in_quotes;
    if (text[at] != ',' || in_quotes) continue;
    items.push_back(text.substr(begins, at - begins));
    begins = at + 1;
  }
  items.push_back(text.substr(begins));
  return items;
}

// Several items: each must be clear. `1, canary` is not: it could be one sentence, or an option and own words.
Reading read_list(const Question& question, std::string_view text) {
  Chosen chosen;
  bool some = false;
  std::string_view stray;
  for (const std::string_view item : items_of(text)) {
    if (trim(item).empty()) continue;
    const auto own_words = quoted(item);
    Reading read = own_words ? read_quoted(question, item, *own_words) : read_item(question, item);
    if (own_words && question.allow_custom && std::holds_alternative<NothingOfIt>(read)) {
      if (!chosen.own_words.empty()) chosen.own_words += ", ";
      chosen.own_words += *own_words;
      some = true;
      continue;
    }
    if (std::holds_alternative<Unclear>(read)) return read;
    if (const auto* const one = std::get_if<Chosen>(&read)) {
      some = true;
      chosen.options.insert(one->options.begin(), one->options.end());
    } else if (stray.empty()) {
      stray = trim(item);
    }
  }
  if (!some) return NothingOfIt{};
  if (stray.empty()) return chosen;
  const std::string shown = code_span(cut_with_mark(stray, 60));
  if (!question.allow_custom) return Unclear{fmt::format("{} is not one of the options.", shown), true};
  return Unclear{
      fmt::format("Some of that is an option, and {} is not. Put your own words in quotes, as in 1, \"other\"; "
                  "all of it in quotes if it is one answer.",
                  shown),
      true};
}

bool is_list(std::string_view text) { return items_of(text).size() > 1; }

Reading read_options(const Question& question, std::string_view text) {
  if (!question.multi_select || !is_list(text)) return read_item(question, text);
  const Choice by_name = named(question, text);
  if (by_name.size() > 1) return two_ways(question, text, by_name, {});
  Reading list = read_list(question, text);
  if (by_name.empty()) return list;
  // "red, blue" is one option's name, and also two others'.
  if (const auto* const items = std::get_if<Chosen>(&list); items != nullptr && items->options != by_name) {
    return two_ways(question, text, by_name, items->options);
  }
  return Chosen{by_name, {}};
}

Reading read_text(const Question& question, std::string_view text) {
  const auto inside = quoted(text);
  return inside ? read_quoted(question, text, *inside) : read_options(question, text);
}

NotTaken none_of_the_options(const Question& question) {
  return {fmt::format("I could not tell which option that is. Type its number, from {} to {}, or its name.",
                      position_word(question, 0), position_word(question, question.options.size() - 1))};
}

Typed as_typed(Moved moved) {
  return std::visit([](auto&& to) -> Typed { return std::forward<decltype(to)>(to); }, std::move(moved));
}

Typed take(const Form& form, const Draft& draft, const Chosen& chosen) {
  const Question& question = current_question(form, draft);
  if (!question.multi_select && chosen.options.size() > 1) {
    return NotTaken{question.allow_custom
                        ? "Only one option can be chosen here. Type one number, or put your own words in quotes."
                        : "Only one option can be chosen here. Type one number."};
  }
  Given given{.values = {}, .own_words = chosen.own_words};
  for (const std::size_t option : chosen.options) given.values.push_back(question.options[option].answer());
  auto answer = answer_to(question, given);
  if (!answer) return NotTaken{fmt::format("I did not accept that: {}.", answer.error().message)};
  return as_typed(go_on(form, draft, *std::move(answer)));
}

// One of our commands, unless an option has that name.
std::optional<Typed> take_command(const Form& form, const Draft& draft, std::string_view text, Addressed addressed,
                                  std::string_view by) {
  const bool stop = is_stop(text), skip = says_one_of(kSkipWords, text), done = says_one_of(kDoneWords, text);
  if (!stop && !skip && !done) return std::nullopt;
  const Question& question = current_question(form, draft);
  if (const Choice options = named(question, text); !options.empty()) {
    const std::string_view otherwise = stop   ? "To cancel everything, type the other of `stop` and `cancel`."
                                       : skip ? "To leave the form, type `skip form`."
                                              : "To continue without choosing it, type another option or `skip`.";
    return NotTaken{fmt::format("{} is both an option and one of my commands, so I did neither. Type {}. {}",
                                code_span(trim(text)), how_to_choose(question, options), otherwise)};
  }
  if (stop) return StopRun{};
  if (skip) return unanswered(Unanswered::skipped, by, draft.answers);
  // People say "done" to each other too.
  if (addressed == Addressed::no) return NotAnAnswer{};
  return as_typed(take_ticked(form, draft));
}

}  // namespace

std::string position_sign(const Question& question) {
  // Each option can rule out at most two prefixes, so this ends.
  for (std::string sign;; sign += '#') {
    bool free = true;
    for (std::size_t i = 0; free && i < question.options.size(); ++i) {
      const Choice called_so = named(question, sign + std::to_string(i + 1));
      free = called_so.empty() || called_so == Choice{i};
    }
    if (free) return sign;
  }
}

bool is_stop(std::string_view text) { return says_one_of(kStopWords, text); }

std::string position_word(const Question& question, std::size_t option) {
  return position_sign(question) + std::to_string(option + 1);
}

Typed take_typed(const Form& form, const Draft& draft, std::string_view text, Addressed addressed,
                 std::string_view by) {
  text = trim(text);
  if (text.empty()) return NotAnAnswer{};
  if (auto command = take_command(form, draft, text, addressed, by)) return *std::move(command);
  const Question& question = current_question(form, draft);
  const Reading read = read_text(question, text);
  if (const auto* const chosen = std::get_if<Chosen>(&read)) {
    if (chosen->own_words.empty() || addressed == Addressed::yes) return take(form, draft, *chosen);
    if (chosen->options.empty()) return NotAnAnswer{};
    return NotTaken{"To answer in your own words, mention me or reply to the form."};
  }
  if (const auto* const unclear = std::get_if<Unclear>(&read)) {
    if (unclear->may_be_talk && addressed == Addressed::no) return NotAnAnswer{};
    return NotTaken{unclear->words};
  }
  if (addressed == Addressed::no) return NotAnAnswer{};
  if (!question.allow_custom) return none_of_the_options(question);
  return take(form, draft, {.options = {}, .own_words = std::string(quoted(text).value_or(text))});
}

}  // namespace deputy::interaction

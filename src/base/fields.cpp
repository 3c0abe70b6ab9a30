#include "base/fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace deputy {

namespace {

// Finding the nearest name takes time; a document with thousands of typos must not be able to ask for it each time.
constexpr std::size_t kMaxSuggestions = 50;
constexpr std::size_t kMaxName = 60;
constexpr std::size_t kMaxKey = 200;  // keys are found again by their path: no key of a settings file is longer

bool parse_whole(std::string_view text, std::int64_t& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_number(std::string_view text, double& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(into);
}

// 336 rather than 336.0; 0.7 stays as it is.
std::string show_number(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15) return fmt::to_string(static_cast<std::int64_t>(number));
  return fmt::to_string(number);
}

// The value that was given, short enough for a message.
std::string show(const json::value& value) {
  switch (value.kind()) {
    case json::kind::string:
      return fmt::format("the text \"{}\"", cut_with_mark(as_view(value.get_string()), 40));
    case json::kind::double_:
      return show_number(value.get_double());
    case json::kind::array:
      return "a list";
    case json::kind::object:
      return "an object";
    default:
      return json::serialize(value);
  }
}

// Recurses as deep as parse_json lets a document be.
std::size_t count_values(const json::value& value) {
  std::size_t count = 1;
  if (const auto* list = value.if_array()) {
    for (const json::value& item : *list) count += count_values(item);
  } else if (const auto* object = value.if_object()) {
    for (const auto& member : *object) count += count_values(member.value());
  }
  return count;
}

// Puts the list or object that a settings scalar holds as JSON into `room`; leaves it alone when there is none. False
// when there are too many values in all.
bool json_in_text(const json::value& value, FieldReader& reader, json::value& room) {
  if (!reader.scalars_are_text() || !value.is_string()) return true;
  const std::string_view text = trim(as_view(value.get_string()));
  if (!text.starts_with('[') && !text.starts_with('{')) return true;
  auto parsed = parse_json(text);
  if (!parsed) return true;
  if (!reader.take_in(count_values(*parsed))) return false;
  room = *std::move(parsed);
  return true;
}

}  // namespace

Result<Secret> FieldReader::resolve_secret(const std::string& text) const {
  if (resolver_) return resolver_(path_, text);
  return Secret(text);
}

std::filesystem::path FieldReader::resolve_path(const std::string& text) const {
  if (text.empty() || !folder_of_) return text;
  return (folder_of_(path_) / text).lexically_normal();
}

void FieldReader::problem(std::string message, std::string hint) {
  if (++found_ <= max_problems_) problems_.push_back({path_, std::move(message), std::move(hint)});
}

void FieldReader::add(Problem found) {
  found.path = join_path(path_, found.path);
  if (++found_ <= max_problems_) problems_.push_back(std::move(found));
}

std::vector<Problem> FieldReader::take_problems() {
  const std::size_t found = std::exchange(found_, 0);
  if (found > max_problems_) {
    problems_.push_back({{}, "and " + count_of(static_cast<std::int64_t>(found - max_problems_), "more problem"), {}});
  }
  return std::exchange(problems_, {});
}

std::string_view FieldReader::suggest(std::string_view word, std::span<const std::string> known) const {
  return found_ < kMaxSuggestions ? nearest(word, known) : std::string_view();
}

bool FieldReader::take_in(std::size_t values) {
  taken_in_ += values;
  if (taken_in_ <= kMaxValues) return true;
  problem(fmt::format("the lists and objects given as text hold more than {} values in all", kMaxValues),
          "remove values that are not needed");
  return false;
}

bool FieldReader::clean_in(std::initializer_list<std::string_view> fields) const {
  const auto is_in = [](std::string_view path, std::string_view field) {
    return path.starts_with(field) &&
           (path.size() == field.size() || path[field.size()] == '.' || path[field.size()] == '[');
  };
  return std::ranges::none_of(fields, [&](std::string_view field) {
    const std::string at = join_path(path_, field);
    return std::ranges::any_of(problems_, [&](const Problem& problem) { return is_in(problem.path, at); });
  });
}

FieldReader::Deeper::Deeper(FieldReader& reader, std::string_view key)
    : reader_(reader), length_before_(reader.path_.size()) {
  if (!reader.path_.empty() && !key.starts_with('[')) reader.path_ += '.';
  reader.path_ += cut_with_mark(key, kMaxKey);
}

Error as_error(const std::vector<Problem>& problems) {
  Error error{ErrorKind::invalid_input, {}, {}};
  for (const Problem& problem : problems) {
    if (!error.message.empty()) error.message += "; ";
    error.message += problem.path.empty() ? problem.message : fmt::format("`{}`: {}", problem.path, problem.message);
    const bool said = std::ranges::any_of(problems.data(), &problem,
                                          [&](const Problem& earlier) { return earlier.hint == problem.hint; });
    if (problem.hint.empty() || said) continue;
    if (!error.hint.empty()) error.hint += "; ";
    error.hint += problem.hint;
  }
  return error;
}

void report_unknown_key(FieldReader& reader, std::string_view key, const std::vector<std::string>& known) {
  const std::string_view near = reader.suggest(key, known);
  std::string message = fmt::format("there is no {} `{}`", reader.noun(), cut_with_mark(key, kMaxName));
  if (!near.empty()) message += fmt::format("; did you mean `{}`?", near);
  const FieldReader::Deeper deeper(reader, key);
  reader.problem(std::move(message), known.empty() ? fmt::format("there are no {}s here", reader.noun())
                                                   : fmt::format("known here: {}", list_names(known)));
}

void report_retired_key(FieldReader& reader, std::string_view key, const std::string& instead) {
  const FieldReader::Deeper deeper(reader, key);
  reader.problem(fmt::format("the {} `{}` is gone", reader.noun(), key), instead);
}

bool read_bool(const json::value& value, bool& into, FieldReader& reader) {
  if (value.is_bool()) {
    into = value.get_bool();
    return true;
  }
  if (reader.scalars_are_text() && value.is_string()) {
    const std::string text = to_lower(as_view(value.get_string()));
    for (const std::string_view yes : {"true", "yes", "on", "1"}) {
      if (text == yes) return into = true;
    }
    for (const std::string_view no : {"false", "no", "off", "0"}) {
      if (text == no) {
        into = false;
        return true;
      }
    }
  }
  must_be(reader, "true or false", value);
  return false;
}

void must_be(FieldReader& reader, std::string_view what, const json::value& value) {
  reader.problem(fmt::format("this must be {}, not {}", what, show(value)));
}

bool check_number(double number, FieldReader& reader, const FieldRules& rules) {
  const bool too_small = rules.min && number < *rules.min;
  const bool too_large = rules.max && number > *rules.max;
  if (!too_small && !too_large) return true;
  if (rules.min && rules.max) {
    reader.problem(fmt::format("this must be between {} and {}, not {}", show_number(*rules.min),
                               show_number(*rules.max), show_number(number)));
  } else {
    reader.problem(fmt::format("this must be at {} {}, not {}", too_small ? "least" : "most",
                               show_number(too_small ? *rules.min : *rules.max), show_number(number)));
  }
  return false;
}

bool read_whole(const json::value& value, std::int64_t& into, FieldReader& reader, const FieldRules& rules) {
  if (const auto whole = as_whole(value)) {
    into = *whole;
  } else if (value.is_number() && std::abs(value.to_number<double>()) >= kTwoTo63) {
    if (check_number(value.to_number<double>(), reader, rules)) reader.problem("this number is too large");
    return false;
  } else if (!reader.scalars_are_text() || !value.is_string() || !parse_whole(as_view(value.get_string()), into)) {
    must_be(reader, "a whole number", value);
    return false;
  }
  return check_number(static_cast<double>(into), reader, rules);
}

bool read_number(const json::value& value, double& into, FieldReader& reader, const FieldRules& rules) {
  bool is_number = value.is_number();
  if (is_number) {
    into = value.to_number<double>();
  } else if (reader.scalars_are_text() && value.is_string()) {
    is_number = parse_number(as_view(value.get_string()), into);
  }
  if (!is_number) {
    must_be(reader, "a number", value);
    return false;
  }
  return check_number(into, reader, rules);
}

bool read_text(const json::value& value, std::string& into, FieldReader& reader) {
  if (!value.is_string()) {
    must_be(reader, "text", value);
    return false;
  }
  into = as_view(value.get_string());
  return true;
}

void check_text(std::string_view text, FieldReader& reader, const FieldRules& rules) {
  if (!rules.choices.empty() && !contains(rules.choices, text)) {
    const std::string_view near = reader.suggest(text, rules.choices);
    reader.problem(fmt::format("this must be one of {}, not `{}`{}", list_names(rules.choices), cut_with_mark(text, 60),
                               near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
    return;
  }
  if (!rules.min_length && !rules.max_length) return;
  const std::size_t characters = count_characters(text);
  if (rules.min_length && characters < *rules.min_length) {
    reader.problem(*rules.min_length == 1
                       ? "this must not be empty"
                       : fmt::format("this must have at least {} characters, not {}", *rules.min_length, characters));
  } else if (rules.max_length && characters > *rules.max_length) {
    reader.problem(fmt::format("this must have at most {} characters, not {}", *rules.max_length, characters));
  }
}

const json::array* list_in(const json::value& value, FieldReader& reader, json::value& room) {
  if (!json_in_text(value, reader, room)) return nullptr;
  if (room.is_null() && reader.scalars_are_text() && value.is_string()) {
    const std::string_view text = as_view(value.get_string());
    if (!reader.take_in(static_cast<std::size_t>(std::ranges::count(text, ',')) + 1)) return nullptr;
    json::array& items = room.emplace_array();
    for (const std::string_view item : split(text, ",")) {
      if (const std::string_view trimmed = trim(item); !trimmed.empty())
        items.emplace_back(json::string_view(trimmed.data(), trimmed.size()));
    }
  }
  const json::value& found = room.is_null() ? value : room;
  if (!found.is_array()) must_be(reader, "a list", found);
  return found.if_array();
}

const json::object* object_in(const json::value& value, FieldReader& reader, json::value& room) {
  if (!json_in_text(value, reader, room)) return nullptr;
  const json::value& found = room.is_null() ? value : room;
  if (!found.is_object()) must_be(reader, "an object", found);
  return found.if_object();
}

json::value guess_scalars(const json::value& value) {
  if (const auto* list = value.if_array()) {
    json::array copy;
    for (const json::value& item : *list) copy.push_back(guess_scalars(item));
    return copy;
  }
  if (const auto* object = value.if_object()) {
    json::object copy;
    for (const auto& member : *object) copy[member.key()] = guess_scalars(member.value());
    return copy;
  }
  if (!value.is_string()) return value;
  const std::string_view text = as_view(value.get_string());
  if (text == "~" || text.empty()) return nullptr;
  // JSON's grammar decides, so that an account number such as 007 keeps its zeros.
  if (trim(text) != text) return value;
  Result<json::value> parsed = parse_json(text);
  const bool is_scalar = parsed && !parsed->is_string() && !parsed->is_structured();
  return is_scalar ? *std::move(parsed) : value;
}

void add_text_rules(json::object& schema, const FieldRules& rules) {
  if (!rules.choices.empty()) {
    json::array choices;
    for (const std::string& choice : rules.choices) choices.emplace_back(choice);
    schema["enum"] = std::move(choices);
  }
  if (rules.min_length) schema["minLength"] = *rules.min_length;
  if (rules.max_length) schema["maxLength"] = *rules.max_length;
}

void add_number_rules(json::object& schema, const FieldRules& rules) {
  const auto shortest = [](double number) -> json::value {
    if (number == std::floor(number) && std::abs(number) < 1e15) return static_cast<std::int64_t>(number);
    return number;
  };
  if (rules.min) schema["minimum"] = shortest(*rules.min);
  if (rules.max) schema["maximum"] = shortest(*rules.max);
}

FieldDoc doc_of(const std::string& path, const FieldInfo& info, std::string type) {
  if (info.rules.min && info.rules.max) {
    type += fmt::format(", {} to {}", show_number(*info.rules.min), show_number(*info.rules.max));
  } else if (info.rules.min) {
    type += fmt::format(", at least {}", show_number(*info.rules.min));
  }
  return {path, std::move(type), info.doc, info.default_value, info.rules.choices, info.variable, info.required};
}

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void at_least_a_second(const std::chrono::milliseconds& time, FieldReader& reader) {
  if (time < std::chrono::seconds(1))
    reader.problem("this must be at least one second", "write a duration such as 15m");
}

}  // namespace deputy

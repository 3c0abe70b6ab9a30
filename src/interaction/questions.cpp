#include "interaction/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "base/text.h"
#include "interaction/asks_for_secret.h"
#include "interaction/escape.h"

namespace deputy::interaction {
namespace {

void check_options(const Question& question, FieldReader& reader) {
  const FieldReader::Deeper deeper(reader, "options");
  const std::size_t count = question.options.size();
  if (count == 0 && !question.allow_custom) {
    reader.problem("a question without options must allow own words", "give 2 to 25 options, or set `allow_custom`");
  }
  if (count != 0 && count < kLeastOptions) {
    reader.problem("one option is not a choice", "give 2 to 25 options, or none and set `allow_custom`");
  }
  std::set<std::string_view> values;
  std::size_t selected = 0;
  for (const Option& option : question.options) {
    if (trim(option.label).empty()) reader.problem("an option's label is blank");
    if (trim(option.answer()).empty()) reader.problem("an option's value is blank");
    if (!values.insert(option.answer()).second) {
      reader.problem(fmt::format("two options have the value `{}`", cut_with_mark(option.answer(), 60)),
                     "values are unique within a question; a missing value is the label");
    }
    selected += option.selected ? 1 : 0;
  }
  if (!question.multi_select && selected > 1) {
    reader.problem(fmt::format("{} options are selected, and only one can be chosen", selected),
                   "select at most one, or set `multi_select`");
  }
}

const Option* option_with(const Question& question, std::string_view value) {
  const auto found = std::ranges::find(question.options, value, &Option::answer);
  return found == question.options.end() ? nullptr : &*found;
}

Answer several(const Question& question, std::vector<std::string> values, bool is_custom) {
  json::array list;
  for (const std::string& value : values) list.emplace_back(value);
  return {question.label, json::serialize(list), is_custom, std::move(values)};
}

Result<> check_number(const Takes& takes, std::string_view words) {
  double number = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  const bool is_number = error == std::errc() && end == words.data() + words.size() && std::isfinite(number);
  if (!is_number || (takes.type == AnswerType::integer && number != std::floor(number))) {
    return fail(ErrorKind::invalid_input, fmt::format("{} is not a {}", code_span(cut_with_mark(words, 60)),
                                                      takes.type == AnswerType::integer ? "whole number" : "number"));
  }
  if (takes.minimum && number < *takes.minimum)
    return fail(ErrorKind::invalid_input, fmt::format("it must be at least {}", *takes.minimum));
  if (takes.maximum && number > *takes.maximum)
    return fail(ErrorKind::invalid_input, fmt::format("it must be at most {}", *takes.maximum));
  return {};
}

Result<> check_taken(const Takes& takes, std::string_view words) {
  if (takes.type != AnswerType::text) return check_number(takes, words);
  if (const std::size_t length = count_characters(words);
      takes.max_length && length > static_cast<std::size_t>(*takes.max_length)) {
    return fail(ErrorKind::invalid_input,
                fmt::format("that is {} characters; at most {} are allowed", length, *takes.max_length));
  }
  const std::string lower = to_lower(words);
  const bool is_taken = std::ranges::any_of(takes.values, [&](const auto& value) { return to_lower(value) == lower; });
  if (takes.values.empty() || is_taken) return {};
  const std::string_view near = nearest(words, takes.values);
  constexpr std::size_t kMaxNamed = 8;
  const auto named = std::span(takes.values).first(std::min(kMaxNamed, takes.values.size()));
  return fail(ErrorKind::invalid_input,
              fmt::format("{} is not known here; {}", code_span(cut_with_mark(words, 60)),
                          !near.empty() ? fmt::format("did you mean {}?", code_span(near))
                                        : fmt::format("there is {}{}", join(named, ", "),
                                                      named.size() < takes.values.size() ? ", …" : "")));
}

std::string reason_of(Unanswered why, std::string_view by) {
  const std::string by_whom = by.empty() ? "" : fmt::format(" by {}", by);
  switch (why) {
    case Unanswered::cancelled:
      return "cancelled" + by_whom;
    case Unanswered::skipped:
      return "skipped" + by_whom;
    case Unanswered::expired:
      return "expired: nobody answered in time";
    case Unanswered::cannot_ask:
      return "this channel cannot ask: nobody can answer here";
  }
  return {};
}

State state_of(Unanswered why) {
  switch (why) {
    case Unanswered::skipped:
      return State::answered;
    case Unanswered::expired:
      return State::expired;
    case Unanswered::cancelled:
    case Unanswered::cannot_ask:
      return State::cancelled;
  }
  return State::cancelled;
}

}  // namespace

void Question::check(FieldReader& reader) const {
  if (trim(label).empty()) reader.problem("the label is blank");
  if (trim(question).empty()) reader.problem("the question is blank");
  check_options(*this, reader);
  if (asks_for_secret(*this)) {
    reader.problem("people are never asked for a password, key or token",
                   "name the secret by reference, or say which setting holds it");
  }
}

void Form::check(FieldReader& reader) const {
  const FieldReader::Deeper deeper(reader, "questions");
  std::set<std::string_view> labels;
  for (const Question& question : questions) {
    if (labels.insert(question.label).second) continue;
    reader.problem(fmt::format("two questions have the label `{}`", question.label), "labels are unique within a form");
  }
}

Result<Form> parse_form(const json::object& arguments) { return parse_arguments<Form>(arguments); }

Result<std::optional<Answer>> answer_to(const Question& question, const Given& given) {
  const std::string own_words(trim(given.own_words));
  if (!own_words.empty() && !question.allow_custom) {
    return fail(ErrorKind::invalid_input, "this question accepts only one of its options");
  }
  if (const std::size_t length = count_characters(own_words); length > kMaxOwnWords) {
    return fail(ErrorKind::invalid_input,
                fmt::format("that is {} characters; at most {} are allowed", length, kMaxOwnWords));
  }
  // In a multi-select they may be several answers.
  if (question.takes && !own_words.empty() && !question.multi_select && option_with(question, own_words) == nullptr)
    TRY(check_taken(*question.takes, own_words));
  for (const std::string& value : given.values) {
    if (option_with(question, value) == nullptr) return fail(ErrorKind::invalid_input, "that option was not offered");
  }
  std::vector<std::string> chosen;  // in the order of the options, each once
  for (const Option& option : question.options) {
    if (contains(given.values, option.answer())) chosen.push_back(option.answer());
  }
  if (chosen.empty() && own_words.empty()) return std::nullopt;
  if (question.multi_select) {
    // Own words that repeat a chosen value add nothing.
    const bool adds = !own_words.empty() && !contains(chosen, own_words);
    if (adds) chosen.push_back(own_words);
    return several(question, std::move(chosen), adds);
  }
  if (chosen.size() > 1) return fail(ErrorKind::invalid_input, "only one option can be chosen");
  if (!chosen.empty() && !own_words.empty()) {
    return fail(ErrorKind::invalid_input, "choose an option or use own words, not both");
  }
  return Answer{question.label, chosen.empty() ? own_words : chosen.front(), chosen.empty(), std::nullopt};
}

json::object to_result(const FormResult& result) {
  json::array answers;
  for (const Answer& answer : result.answers) {
    json::object written = to_json(answer);
    if (!answer.selected_values) written.erase("selected_values");
    answers.push_back(std::move(written));
  }
  json::object object{{"answers", std::move(answers)}, {"completed", result.completed}};
  if (!result.reason.empty()) object["reason"] = result.reason;
  return object;
}

std::expected<FormResult, std::vector<Problem>> submit(const Form& form, const std::map<std::string, Given>& given) {
  FormResult result{.answers = {}, .completed = true, .reason = {}, .state = State::answered};
  std::vector<Problem> problems;
  std::size_t known = 0;
  for (const Question& question : form.questions) {
    const auto found = given.find(question.label);
    if (found == given.end()) continue;
    ++known;
    auto answer = answer_to(question, found->second);
    if (!answer) {
      problems.push_back({question.label, answer.error().message, answer.error().hint});
    } else if (std::optional<Answer> given_answer = *std::move(answer)) {
      result.answers.push_back(*std::move(given_answer));
    }
  }
  if (known != given.size()) problems.push_back({"", "an answer matches no question of this form", ""});
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return result;
}

FormResult unanswered(Unanswered why, std::string_view by, std::vector<Answer> answers_so_far) {
  return {std::move(answers_so_far), false, reason_of(why, by), state_of(why)};
}

}  // namespace deputy::interaction

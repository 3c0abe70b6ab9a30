#include "interaction/draft.h"

#include <algorithm>

#include "base/text.h"

namespace deputy::interaction {
namespace {

std::vector<std::string> selected_values(const Question& question) {
  std::vector<std::string> values;
  for (const Option& option : question.options) {
    if (option.selected) values.push_back(option.answer());
  }
  return values;
}

bool is_offered(const Question& question, const std::string& value) {
  return contains(question.options, value, &Option::answer);
}

// Answers belong to earlier questions, in order, one each.
bool answers_fit(const Form& form, const Draft& draft) {
  std::size_t question = 0;
  for (const Answer& answer : draft.answers) {
    while (question < draft.current && form.questions[question].label != answer.question_label) ++question;
    if (question == draft.current) return false;
    if (answer.selected_values.has_value() != form.questions[question].multi_select) return false;
    ++question;
  }
  return true;
}

bool fits(const Form& form, const Draft& draft) {
  if (draft.current >= form.questions.size() || !answers_fit(form, draft)) return false;
  const Question& question = current_question(form, draft);
  if (!question.multi_select && draft.ticked.size() > 1) return false;
  return std::ranges::all_of(draft.ticked, [&](const std::string& value) { return is_offered(question, value); });
}

}  // namespace

Draft begin(const Form& form) {
  Draft draft;
  draft.ticked = selected_values(form.questions.front());
  return draft;
}

Result<Draft> read_draft(const Form& form, std::string_view stored) {
  if (stored.empty()) return begin(form);
  TRY(const json::object object, parse_json_object(stored));
  TRY(Draft draft, parse_arguments<Draft>(object));
  if (!fits(form, draft)) return fail(ErrorKind::conflict, "the answers so far belong to another form");
  return draft;
}

std::string write_draft(const Draft& draft) { return json::serialize(to_json(draft)); }

Draft toggle(const Form& form, Draft draft, std::size_t option) {
  const Question& question = current_question(form, draft);
  if (option >= question.options.size()) return draft;
  const std::string& value = question.options[option].answer();
  const bool was_ticked = std::erase(draft.ticked, value) != 0;
  if (!question.multi_select) draft.ticked.clear();
  if (!was_ticked) draft.ticked.push_back(value);
  return draft;
}

Moved go_on(const Form& form, Draft draft, std::optional<Answer> answer) {
  if (answer) draft.answers.push_back(*std::move(answer));
  if (++draft.current == form.questions.size()) {
    return FormResult{.answers = std::move(draft.answers), .completed = true, .reason = {}, .state = State::answered};
  }
  draft.ticked = selected_values(current_question(form, draft));
  return draft;
}

Draft go_back(const Form& form, Draft draft) {
  if (draft.current == 0) return draft;
  const Question& question = form.questions[--draft.current];
  draft.ticked = selected_values(question);
  std::erase_if(draft.answers, [&](const Answer& answer) { return answer.question_label == question.label; });
  return draft;
}

Moved take_ticked(const Form& form, Draft draft) {
  // Ticked options were offered and are not too many, so they are always a valid answer.
  std::optional<Answer> answer =
      answer_to(current_question(form, draft), {.values = draft.ticked, .own_words = {}}).value_or(std::nullopt);
  return go_on(form, std::move(draft), std::move(answer));
}

std::expected<Moved, std::vector<Problem>> take_page(const Form& form, Draft draft, std::size_t page,
                                                     const std::map<std::string, Given>& given) {
  const auto first = form.questions.begin() + static_cast<std::ptrdiff_t>(draft.current);
  const std::size_t count = std::min(std::max<std::size_t>(page, 1), form.questions.size() - draft.current);
  auto taken = submit(Form{{first, first + static_cast<std::ptrdiff_t>(count)}}, given);
  if (!taken) return std::unexpected(std::move(taken).error());
  std::ranges::move(taken->answers, std::back_inserter(draft.answers));
  draft.current += count - 1;
  return go_on(form, std::move(draft), std::nullopt);
}

std::expected<FormResult, std::vector<Problem>> submit(const Form& form, const Draft& draft,
                                                       const std::map<std::string, Given>& given) {
  auto result = submit(form, given);
  if (!result) return result;
  std::vector<Answer> now = std::exchange(result->answers, {});
  for (const Question& question : form.questions) {
    const std::vector<Answer>& from = given.contains(question.label) ? now : draft.answers;
    const auto found = std::ranges::find(from, question.label, &Answer::question_label);
    if (found != from.end()) result->answers.push_back(*found);
  }
  return result;
}

}  // namespace deputy::interaction

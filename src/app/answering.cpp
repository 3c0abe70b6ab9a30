#include "app/answering.h"

#include <fmt/format.h>

#include "base/text.h"
#include "channel/terminal/typed_decision.h"
#include "interaction/typed.h"
#include "run/journal/interaction_body.h"

namespace deputy::app {

namespace {

using interaction::Control;

Error cannot_take(std::string words, std::string hint = {}) {
  return {ErrorKind::invalid_input, std::move(words), std::move(hint)};
}

ReadAnswer press(const run::InteractionBody& asking, Control control, std::string words = {}) {
  Press press{run::token_of(asking, control), std::move(words), {}};
  if (press.token.empty()) return cannot_take("this cannot be answered that way", "answer `yes` or `no`");
  return press;
}

ReadAnswer read_decision(const run::InteractionBody& asking, std::string_view text) {
  Result<channel::TypedDecision> decision = channel::read_decision(text);
  if (!decision) return decision.error();
  return press(asking, decision->control, std::move(decision->reason));
}

interaction::Given given_by(const interaction::Answer& answer) {
  if (!answer.selected_values) {
    return answer.is_custom ? interaction::Given{{}, answer.answer} : interaction::Given{{answer.answer}, {}};
  }
  interaction::Given given{*answer.selected_values, {}};
  if (answer.is_custom && !given.values.empty()) {
    given.own_words = given.values.back();
    given.values.pop_back();
  }
  return given;
}

ReadAnswer read_form(const run::InteractionBody& asking, const interaction::Form& form,
                     const std::vector<std::string>& texts, std::optional<RunId> run) {
  interaction::Draft draft = interaction::begin(form);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    interaction::Typed typed =
        interaction::take_typed(form, draft, texts[i], interaction::Addressed::yes, asking.requester);
    if (auto* next = std::get_if<interaction::Draft>(&typed)) {
      draft = std::move(*next);
    } else if (const auto* result = std::get_if<interaction::FormResult>(&typed)) {
      if (i + 1 == texts.size()) return press_of(asking, *result);
      return cannot_take(
          fmt::format("{} answers are too many: the form has {} questions", texts.size(), form.questions.size()),
          "quote an answer that has spaces");
    } else if (const auto* not_taken = std::get_if<interaction::NotTaken>(&typed)) {
      return cannot_take(not_taken->words);
    } else {
      return cannot_take(fmt::format("`{}` is no answer", cut_with_mark(texts[i], 60)),
                         fmt::format("`skip` ends the form; `deputy runs cancel {}` stops the request",
                                     run ? run->text() : std::string("RUN")));
    }
  }
  return More{std::move(draft)};
}

}  // namespace

Press press_of(const run::InteractionBody& asking, const interaction::FormResult& result) {
  if (!result.completed) return {run::token_of(asking, Control::skip), {}, {}};
  Press press{run::token_of(asking, Control::submit), {}, {}};
  for (const interaction::Answer& answer : result.answers) press.given.emplace(answer.question_label, given_by(answer));
  return press;
}

ReadAnswer read_answer(const run::InteractionBody& asking, const std::vector<std::string>& texts,
                       std::optional<RunId> run) {
  if (asking.questions) return read_form(asking, *asking.questions, texts, run);
  return read_decision(asking, join(texts, " "));
}

}  // namespace deputy::app

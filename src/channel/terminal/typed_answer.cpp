#include "channel/terminal/typed_answer.h"

#include <fmt/format.h>

#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "interaction/typed.h"

namespace deputy::channel {

using interaction::Control;

namespace {

Error cannot_take(std::string words, std::string hint = {}) {
  return {ErrorKind::invalid_input, std::move(words), std::move(hint)};
}

ReadAnswer decide(const ShownInteraction& shown, std::string_view text) {
  Result<TypedDecision> decision = read_decision(text);
  if (!decision) return decision.error();
  Press press{token_of(shown, decision->control), std::move(decision->reason), {}};
  if (press.token.empty()) return cannot_take("this answer is not possible here", "answer `yes` or `no`");
  return press;
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

ReadAnswer fill_in(const Card& card, const ShownInteraction& shown, const interaction::Form& form,
                   const std::vector<std::string>& texts) {
  interaction::Draft draft = interaction::begin(form);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    interaction::Typed typed =
        interaction::take_typed(form, draft, texts[i], interaction::Addressed::yes, card.requester);
    if (auto* next = std::get_if<interaction::Draft>(&typed)) {
      draft = std::move(*next);
    } else if (const auto* result = std::get_if<interaction::FormResult>(&typed)) {
      if (i + 1 == texts.size()) return press_of(shown, *result);
      return cannot_take(
          fmt::format("too many answers: {} for {}", texts.size(), count_of(form.questions.size(), "question")),
          "put quotes around an answer that has spaces");
    } else if (const auto* not_taken = std::get_if<interaction::NotTaken>(&typed)) {
      return cannot_take(not_taken->words);
    } else {
      return cannot_take(
          fmt::format("`{}` is not an answer", cut_with_mark(texts[i], 60)),
          fmt::format("`skip` ends the form; `deputy runs cancel {}` stops the request", short_id(card.run)));
    }
  }
  return More{std::move(draft)};
}

}  // namespace

Result<TypedDecision> read_decision(std::string_view typed) {
  typed = trim(typed);
  const std::size_t space = typed.find(' ');
  const std::string word = to_lower(typed.substr(0, space));
  std::string rest = space == std::string_view::npos ? std::string() : std::string(trim(typed.substr(space)));
  if (word == "n" || word == "no" || word == "deny") {
    const Control control = rest.empty() ? Control::deny : Control::deny_with_reason;
    return TypedDecision{control, std::move(rest)};
  }
  const bool alone = rest.empty();
  if (alone && (word == "y" || word == "yes" || word == "approve")) return TypedDecision{Control::approve_once};
  if (alone && (word == "a" || word == "always")) return TypedDecision{Control::approve_for_thread};
  return fail(ErrorKind::invalid_input, "that is neither yes nor no", "answer `yes`, `no` or `no REASON`");
}

bool is_explain(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "x" || word == "explain" || word == "?";
}

bool is_bare_no(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "n" || word == "no";
}

Press press_of(const ShownInteraction& shown, const interaction::FormResult& result) {
  if (!result.completed) return {token_of(shown, Control::skip), {}, {}};
  Press press{token_of(shown, Control::submit), {}, {}};
  for (const interaction::Answer& answer : result.answers) press.given.emplace(answer.question_label, given_by(answer));
  return press;
}

ReadAnswer read_answer(const Card& card, const ShownInteraction& shown, const std::vector<std::string>& texts) {
  if (const auto* asked = std::get_if<ShownQuestions>(&shown.what)) return fill_in(card, shown, asked->form, texts);
  return decide(shown, join(texts, " "));
}

ReadAnswer read_answer_of_script(const Card& card, const ShownInteraction& shown,
                                 const std::vector<std::string>& texts) {
  const auto* approval = std::get_if<ShownApproval>(&shown.what);
  if (approval == nullptr) return read_answer(card, shown, texts);
  const std::string& code = approval->view.code;
  const interaction::TypedDecision typed = interaction::read_decision(texts.back());
  if (const auto* approve = std::get_if<interaction::TypedApprove>(&typed); approve != nullptr && approve->code == code)
    return Press{token_of(shown, Control::approve_once)};
  if (const auto* deny = std::get_if<interaction::TypedDeny>(&typed); deny != nullptr && deny->code == code)
    return Press{token_of(shown, deny->reason.empty() ? Control::deny : Control::deny_with_reason), deny->reason};
  return cannot_take(fmt::format("`{}` does not answer this approval", cut_with_mark(texts.back(), 60)),
                     fmt::format("a script approves it with `approve {}` alone", code));
}

bool stops_run(const Card& card, const ShownQuestions& asked, const interaction::Draft& draft, std::string_view typed) {
  return std::holds_alternative<interaction::StopRun>(
      interaction::take_typed(asked.form, draft, typed, interaction::Addressed::yes, card.requester));
}

}  // namespace deputy::channel

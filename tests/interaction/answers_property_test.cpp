// Whatever people type and in whatever order events come: nothing is settled twice, nothing is chosen that was not
// offered, nothing but a code approves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/text.h"
#include "interaction/approval.h"
#include "interaction/codes.h"
#include "interaction/hostile.h"
#include "interaction/text_form.h"

namespace deputy::interaction {
namespace {

using test::any_form;
using test::hostile_text;

ApprovalEvent any_event() {
  const Timestamp at{std::chrono::minutes{*rc::gen::inRange(0, 60)}};
  const auto by = *rc::gen::elementOf(std::vector<std::string>{"ana", "bo", "eve"});
  const bool may_approve = *rc::gen::arbitrary<bool>();
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return Approve{by, may_approve, *rc::gen::elementOf(std::vector<std::string>{"d1", "d2", ""}), at,
                     *rc::gen::element(Scope::once, Scope::for_thread)};
    case 1:
      return Deny{by, may_approve, at, "no"};
    case 2:
      return Expire{at};
    default:
      return Cancel{by, at};
  }
}

RC_GTEST_PROP(ApprovalProperty, NoSequenceOfEventsSettlesTwice, ()) {
  ApprovalState standing = Pending{"d1", Timestamp{std::chrono::minutes{30}}, *rc::gen::arbitrary<bool>()};
  int settled = 0;
  const int events = *rc::gen::inRange(0, 20);
  for (int i = 0; i < events; ++i) {
    const ApprovalEvent event = any_event();
    const Decision decision = decide(standing, event);
    RC_ASSERT(decision.refusal.has_value() == (decision.standing == standing));
    if (!decision.refusal) {
      ++settled;
      const auto* const approve = std::get_if<Approve>(&event);
      const auto& now = std::get<Settled>(decision.standing);
      if (now.state == State::approved)
        RC_ASSERT(approve != nullptr && approve->may_approve && approve->digest == "d1");
    }
    standing = decision.standing;
  }
  RC_ASSERT(settled <= 1);
}

// The rule written once more, without what it judges.
bool is_approve_with_code(const std::string& text) {
  std::istringstream words(text);
  std::string verb, code, more;
  words >> verb >> code;
  if (words >> more) return false;
  std::ranges::transform(verb, verb.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return verb == "approve" && code.size() == 6 &&
         std::ranges::all_of(code, [](unsigned char c) { return std::isalnum(c) != 0 && c != 'u' && c != 'U'; });
}

RC_GTEST_PROP(ApprovalProperty, NothingButAValidCodeApproves, ()) {
  const std::string text = *rc::gen::oneOf(
      hostile_text(), rc::gen::map(hostile_text(), [](const std::string& rest) { return "approve " + rest; }),
      rc::gen::map(hostile_text(), [](const std::string& rest) { return "Approve k7m2p9" + rest; }));
  const TypedDecision decision = read_decision(text);
  RC_ASSERT(std::holds_alternative<TypedApprove>(decision) == is_approve_with_code(text));
  if (const auto* const approve = std::get_if<TypedApprove>(&decision)) {
    const std::vector<PendingCode> pending{{"I1", "k7m2p9"}};
    RC_ASSERT(find_by_code(pending, approve->code, 0).has_value() == (approve->code == "k7m2p9"));
  }
}

void assert_answers_belong(const Form& form, const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    const auto question = std::ranges::find(form.questions, answer.question_label, &Question::label);
    RC_ASSERT(question != form.questions.end());
    const auto offered = [&](const std::string& value) { return contains(question->options, value, &Option::answer); };
    RC_ASSERT(answer.selected_values.has_value() == question->multi_select);
    RC_ASSERT(question->allow_custom || !answer.is_custom);
    if (!answer.selected_values) {
      RC_ASSERT(answer.is_custom || offered(answer.answer));
      continue;
    }
    std::vector<std::string> chosen = *answer.selected_values;
    RC_ASSERT(!chosen.empty());
    if (answer.is_custom) chosen.pop_back();
    RC_ASSERT(std::ranges::all_of(chosen, offered));
  }
}

RC_GTEST_PROP(TypedProperty, NoTextSelectsWhatWasNotOffered, ()) {
  const Form form = any_form();
  Draft draft = begin(form);
  for (int turn = 0; turn < 6; ++turn) {
    const std::string text = *hostile_text();
    const Typed typed = take_typed(form, draft, text, *rc::gen::element(Addressed::yes, Addressed::no), "Ana");
    if (const auto* const result = std::get_if<FormResult>(&typed)) {
      assert_answers_belong(form, result->answers);
      return;
    }
    if (const auto* const next = std::get_if<Draft>(&typed)) {
      RC_ASSERT(next->current == draft.current + 1);
      assert_answers_belong(form, next->answers);
      draft = *next;
    }
    if (const auto* const not_taken = std::get_if<NotTaken>(&typed)) RC_ASSERT(!not_taken->words.empty());
  }
}

RC_GTEST_PROP(TypedProperty, ADraftGoesOnAfterARestart, ()) {
  const Form form = any_form();
  Draft draft = begin(form);
  for (int turn = 0; turn < 6; ++turn) {
    // Text that passed the door is UTF-8; JSON has no other.
    const std::string text = to_valid_utf8(*hostile_text());
    if (*rc::gen::arbitrary<bool>()) draft = toggle(form, draft, *rc::gen::inRange<std::size_t>(0, 8));
    const bool writable =
        std::ranges::all_of(draft.ticked, [](const std::string& value) { return is_valid_utf8(value); }) &&
        std::ranges::all_of(draft.answers, [](const Answer& answer) { return is_valid_utf8(answer.answer); });
    if (writable) RC_ASSERT(read_draft(form, write_draft(draft)).value() == draft);
    const Typed typed = take_typed(form, draft, text, Addressed::yes, "Ana");
    if (std::holds_alternative<FormResult>(typed)) return;
    if (const auto* const next = std::get_if<Draft>(&typed)) draft = *next;
  }
}

RC_GTEST_PROP(TypedProperty, AnyFormCanBeAnsweredByNumbersAlone, ()) {
  const Form form = any_form();
  RC_ASSERT(parse_form(to_json(form)).value() == form);
  Draft draft = begin(form);
  for (std::size_t i = 0; i < form.questions.size(); ++i) {
    const Question& question = form.questions[i];
    const std::size_t option =
        question.options.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, question.options.size());
    const std::string text = position_word(question, option);
    if (!question.options.empty()) RC_ASSERT(question_text(form, draft, {}, Zone{}, Writers::one).contains(text));
    const Typed typed = take_typed(form, draft, text, Addressed::yes, "Ana");
    const auto* const result = std::get_if<FormResult>(&typed);
    const auto* const next = std::get_if<Draft>(&typed);
    RC_ASSERT(result != nullptr || next != nullptr);
    const Answer& answer = result != nullptr ? result->answers.back() : next->answers.back();
    RC_ASSERT(answer.question_label == question.label);
    const std::string expected = question.options.empty() ? text : question.options[option].answer();
    RC_ASSERT((answer.selected_values ? answer.selected_values->back() : answer.answer) == expected);
    if (result != nullptr) {
      RC_ASSERT(i + 1 == form.questions.size() && result->completed);
      return;
    }
    draft = *next;
  }
  RC_FAIL("the form never ended");
}

}  // namespace
}  // namespace deputy::interaction

// What typed words do to an interaction: which control they press, and what they fill in. Pure. What they mean to a
// form is interaction/typed.h's to say.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "channel/card.h"
#include "channel/message.h"

namespace deputy::channel {

/// The control that the words press at an approval.
struct TypedDecision {
  interaction::Control control = interaction::Control::deny;
  std::string reason = {};  // of a denial

  bool operator==(const TypedDecision&) const = default;
};

/// `yes`, `no` with or without a reason, or `always`, which approves for the conversation; also by their first letters.
Result<TypedDecision> read_decision(std::string_view typed);

/// The whole of it is to be shown.
bool is_explain(std::string_view typed);
/// A no without a reason: a chat asks for one.
bool is_bare_no(std::string_view typed);

/// More of the form is to be answered: the question that comes next.
struct More {
  interaction::Draft draft;
};
using ReadAnswer = std::variant<Press, More, Error>;

/// What the texts do to that interaction of the card. A form takes one text a question, in order; an approval takes
/// what read_decision does.
ReadAnswer read_answer(const Card& card, const ShownInteraction& shown, const std::vector<std::string>& texts);

/// Whether the words stop the run in place of answering: not where an option is called so.
bool stops_run(const Card& card, const ShownQuestions& asked, const interaction::Draft& draft, std::string_view typed);

/// A form that was answered another way: all of it, or skipped where it is not completed.
Press press_of(const ShownInteraction& shown, const interaction::FormResult& result);

}  // namespace deputy::channel

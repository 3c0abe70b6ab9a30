// Turns a typed answer into the control that it presses and the values that it fills in. Pure. interaction/typed.h
// reads the answers to a form.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "channel/card.h"
#include "channel/message.h"

namespace deputy::channel {

/// A typed answer to an approval.
struct TypedDecision {
  interaction::Control control = interaction::Control::deny;
  std::string reason = {};  // for a denial

  bool operator==(const TypedDecision&) const = default;
};

/// `yes`, `no` with or without a reason, or `always`, which approves for the conversation; also by their first letters.
Result<TypedDecision> read_decision(std::string_view typed);

/// Whether the user asks to see all details.
bool is_explain(std::string_view typed);
/// Whether it is a "no" without a reason: a chat then asks for one.
bool is_bare_no(std::string_view typed);

/// The form has more questions; `draft` says which one is next.
struct More {
  interaction::Draft draft;
};
using ReadAnswer = std::variant<Press, More, Error>;

/// Applies the texts to an interaction of the card. A form takes one text per question, in order; an approval reads
/// all texts together, as read_decision does.
ReadAnswer read_answer(const Card& card, const ShownInteraction& shown, const std::vector<std::string>& texts);

/// The same for the lines of a script, which may have been written for something else: an approval takes `approve CODE`
/// or `deny CODE REASON` alone.
ReadAnswer read_answer_of_script(const Card& card, const ShownInteraction& shown,
                                 const std::vector<std::string>& texts);

/// Whether the text stops the run instead of answering. If an option has that name, it is an answer.
bool stops_run(const Card& card, const ShownQuestions& asked, const interaction::Draft& draft, std::string_view typed);

/// The press for a form that is done: submit, or skip if it was not completed.
Press press_of(const ShownInteraction& shown, const interaction::FormResult& result);

}  // namespace deputy::channel

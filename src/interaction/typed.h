// Typed answers to a form. A text is read in this order: stop or cancel, skip, done; an option's exact value or label;
// positions (`2`, `1,3`, `1 3`, `1-3`); own words if allowed. An ambiguous text is not accepted: the person is told and
// asked again.
//
// Own words in quotes are never read as numbers; in a multi-select they may stand next to options: 1, 3, "the old one".
// Case (ASCII) and surrounding space are ignored. Approvals are never answered here; see codes.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "interaction/draft.h"
#include "interaction/questions.h"

namespace deputy::interaction {

/// Says if a text is clearly meant for us: only one person can write here, it mentions the bot, or it replies to the
/// form. If not, own words are an ordinary message.
enum class Addressed { no, yes };

struct StopRun {  // cancels the run, not only the form
  bool operator==(const StopRun&) const = default;
};
struct NotTaken {     // nothing changed
  std::string words;  // why, and what to type instead
  bool operator==(const NotTaken&) const = default;
};
struct NotAnAnswer {  // an ordinary message
  bool operator==(const NotAnAnswer&) const = default;
};

/// The effect of a typed text on a form: a Draft continues with the next question, a FormResult ends it.
using Typed = std::variant<Draft, FormResult, StopRun, NotTaken, NotAnAnswer>;

/// `by` is who typed, for the reason of a skipped form.
Typed take_typed(const Form& form, const Draft& draft, std::string_view text, Addressed addressed, std::string_view by);

/// "stop" or "cancel" as the whole message.
bool is_stop(std::string_view text);

/// How to type the position of an option: "2", or "#2" if a plain number could also be an option's name.
std::string position_word(const Question& question, std::size_t option);

/// The prefix that makes a number a position whatever the options are called; usually empty.
std::string position_sign(const Question& question);

}  // namespace deputy::interaction

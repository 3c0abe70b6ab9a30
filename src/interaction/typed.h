// Typed answers to a form. A text is read in this order: stop or cancel, skip, done; an option's exact value or label;
// positions (`2`, `1,3`, `1 3`, `1-3`); own words where they are allowed. What two readings would take differently is
// not taken: the person is told and asked again.
//
// Own words in quotes are never read as numbers; in a multi-select they may stand beside options: 1, 3, "the old one".
// Case is not minded (ASCII), nor space around. An approval is never answered here: that is codes.h.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "interaction/draft.h"
#include "interaction/questions.h"

namespace deputy::interaction {

/// Whether a text is clearly meant for us: only one person can write here, it mentions the bot, or it replies to the
/// form. Where it is not clear, own words are an ordinary message.
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

/// What a typed text does to a form: a Draft goes on with the next question, a FormResult ends it.
using Typed = std::variant<Draft, FormResult, StopRun, NotTaken, NotAnAnswer>;

/// `by` is who typed, for the reason of a form that was skipped.
Typed take_typed(const Form& form, const Draft& draft, std::string_view text, Addressed addressed, std::string_view by);

/// "stop" or "cancel" as the whole message.
bool is_stop(std::string_view text);

/// How the position of an option is typed: "2", or "#2" where a plain number could also be an option's name.
std::string position_word(const Question& question, std::size_t option);

// One text, the ways in which it could choose options: a step of typed.h.

/// Options, by position from 0.
using Choice = std::set<std::size_t>;

/// Options whose value or label is `text`, without minding case or the space around.
Choice named(const Question& question, std::string_view text);

/// The signs before a number that make it a position whatever the options are called; mostly none.
std::string position_sign(const Question& question);

/// What looks like positions. Numbers of three digits and more do not: no form has as many options, and a port or a
/// year is an answer.
struct Positions {
  Choice choice;
  std::optional<std::string> out_of_range;  // the first number that no option has
};
std::optional<Positions> positions(const Question& question, std::string_view text);

}  // namespace deputy::interaction

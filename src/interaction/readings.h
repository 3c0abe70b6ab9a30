// One text, the ways in which it could choose options: a step of typed.h.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "interaction/questions.h"

namespace deputy::interaction {

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

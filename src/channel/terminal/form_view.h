// A form answered with keys, a question at a time: arrows move, space ticks, Enter takes what is marked, Escape
// skips the form; own words are typed or pasted on their own line where they are allowed. Pure: keys in, lines out. The
// rules of answers are interaction's.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "channel/terminal/keys.h"
#include "channel/terminal/styled_text.h"
#include "interaction/draft.h"

namespace deputy::channel {

struct FormView {
  interaction::Form form;
  interaction::Draft draft;
  std::size_t marked = 0;  // an option; behind the last, the line for own words
  std::string own_words;
  std::string problem;  // why the last key was not taken
};

FormView view_of(interaction::Form form, interaction::Draft draft);

struct Skipped {};
/// A view goes on; the others end it.
using Pressed = std::variant<FormView, interaction::FormResult, Skipped>;
Pressed press(FormView view, const Key& key);

/// What is drawn: nothing of it is wider than it is, and nothing from outside is obeyed.
std::vector<std::string> lines_of(const FormView& view, Colours colours);

}  // namespace deputy::channel

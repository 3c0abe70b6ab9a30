// A form answered with keys, one question at a time: arrows move, space selects, Enter confirms, the left arrow goes
// back to the question before, Escape skips the form. If custom answers are allowed, they are typed or pasted on a line
// of their own. Pure: keys in, lines out. The rules for answers are in interaction.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "channel/terminal/keys.h"
#include "channel/terminal/line_editor.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/window.h"
#include "interaction/draft.h"

namespace deputy::channel {

struct FormView {
  interaction::Form form;
  interaction::Draft draft;
  /// The option under the cursor; after the last one comes the line for own words. Nothing is marked until a key marks
  /// it, so that Enter alone chooses nothing, unless an option says `selected` or there is only one row.
  std::optional<std::size_t> marked;
  LineEditor own_words;
  std::map<std::string, interaction::Given> given;  // to the questions that were left, by label
  std::string problem;                              // why the last key was not accepted
};

FormView view_of(interaction::Form form, interaction::Draft draft);

struct Skipped {};
/// A FormView continues the form; the other two end it.
using Pressed = std::variant<FormView, interaction::FormResult, Skipped>;
Pressed press(FormView view, const Key& key);

/// The rows to draw, wrapped; of many options those around the marked one. All text from outside is escaped.
std::vector<std::string> lines_of(const FormView& view, Colours colours, WindowSize window);

}  // namespace deputy::channel

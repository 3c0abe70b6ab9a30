// Blocks and elements as HTML. Takes any JSON: what it does not know it names, what is missing it leaves out.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace deputy::sim::slack {

std::string blocks_html(const json::array& blocks);

/// The updates of a stream, folded: its plan with the newest state of each task, its text, its blocks.
std::string chunks_html(const json::array& chunks);

/// The newest state of each task, in the order in which they appeared; `title` is that of the plan.
struct Progress {
  std::string title;
  json::array tasks;  // with the fields of a task_update
};
Progress fold_progress(const json::array& chunks);

/// A button: `style` is "primary", "danger" or empty.
std::string button_html(std::string_view label_html, std::string_view style);

/// The text of a text object; a string stands for itself.
std::string text_object_html(const json::value* value);

/// A member of an object; null when there is none.
const json::value* member(const json::object& object, std::string_view key);

}  // namespace deputy::sim::slack

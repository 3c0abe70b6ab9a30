// Tools a model talks with. They are always there and never ask for an approval.
#pragma once

#include <memory>

#include "toolkit/tool.h"

namespace deputy::tools {

/// ask_user(questions*): described here, never run. The run asks people itself, and their answer is the result. `form`
/// is the JSON Schema of what may be asked: its owner stands above this folder.
std::shared_ptr<const toolkit::Tool> ask_user(json::object form);

/// respond_directly(message*): its message is the answer.
std::shared_ptr<const toolkit::Tool> respond_directly();

/// read_result(call_id*, offset): more of a result that was cut, of this run's calls only.
std::shared_ptr<const toolkit::Tool> read_result();

}  // namespace deputy::tools

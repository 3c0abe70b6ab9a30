// Tools that a model talks to people with, and reads its own results with. They are always on and never need an
// approval.
#pragma once

#include <memory>

#include "toolkit/tool.h"

namespace deputy::tools {

/// ask_user(questions*): only described here, never run. The run itself asks people, and their answer is the result.
/// `form` is the JSON Schema of the questions; it comes from the caller, because this folder may not include its owner.
std::shared_ptr<const toolkit::Tool> ask_user(json::object form);

/// respond_directly(message*): its message is the answer.
std::shared_ptr<const toolkit::Tool> respond_directly();

/// read_attachment(file*, offset): a text file that came with the request.
std::shared_ptr<const toolkit::Tool> read_attachment();

/// read_result(call_id*, offset): the rest of a result that was cut; results of this run's calls only.
std::shared_ptr<const toolkit::Tool> read_result();

}  // namespace deputy::tools

// The tool that searches past requests and their answers.
#pragma once

#include <memory>

#include "toolkit/tool.h"

namespace deputy::tools {

/// search_history(query*): past runs and their answers, as far as the requester and the readers of the answer may see
/// them.
std::shared_ptr<const toolkit::Tool> search_history();

}  // namespace deputy::tools

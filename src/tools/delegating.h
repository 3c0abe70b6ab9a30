// The chain of a tool whose work is done by the layer above: one handler that delegates, and says what came back.
//
//   delegating = [ delegate ]
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "toolkit/pipeline.h"

namespace deputy::tools {

/// What is said of the answer; the answer itself where there is none. Called on the loop, so quick.
using Shape = std::function<std::string(std::string answer)>;

toolkit::Pipeline delegating(toolkit::DelegateKind kind, json::object payload, Shape shape = {});

}  // namespace deputy::tools

// `background: true` is an argument of almost every tool and a parameter of none: it is offered next to a tool's own
// parameters and removed before the tool sees its arguments.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

inline constexpr std::string_view kBackground = "background";

enum class Mode { foreground, background };

struct ModedCall {
  Mode mode = Mode::foreground;
  json::object arguments;  // without `background`
};

/// Refuses the argument, whatever its value, if the tool does not support it.
Result<ModedCall> take_background(const ToolSpec& spec, json::object arguments);

/// The schema offered to models: the tool's own, plus `background` if the tool supports it.
json::object offered_params(const ToolSpec& spec);

}  // namespace deputy::toolkit

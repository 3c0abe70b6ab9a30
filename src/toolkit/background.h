// `background: true` is an argument of almost every tool and a parameter of none: it is offered beside a tool's own
// parameters and taken out before the tool sees its arguments.
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

/// Refuses it, whatever its value, where the tool does not take it.
Result<ModedCall> take_background(const ToolSpec& spec, json::object arguments);

/// The schema a model is offered: the tool's own, and `background` where it is accepted.
json::object offered_params(const ToolSpec& spec);

}  // namespace deputy::toolkit

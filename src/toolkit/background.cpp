#include "toolkit/background.h"

#include <fmt/format.h>

namespace deputy::toolkit {

Result<ModedCall> take_background(const ToolSpec& spec, json::object arguments) {
  const json::value* given = arguments.if_contains(kBackground);
  if (given == nullptr) return ModedCall{Mode::foreground, std::move(arguments)};
  if (!spec.accepts_background()) {
    return fail(ErrorKind::invalid_input, fmt::format("`{}` cannot run in the background", spec.name),
                "leave `background` out");
  }
  if (!given->is_bool() && !given->is_null()) {
    return fail(ErrorKind::invalid_input, "`background`: this must be true or false");
  }
  const Mode mode = given->is_bool() && given->get_bool() ? Mode::background : Mode::foreground;
  arguments.erase(kBackground);
  return ModedCall{mode, std::move(arguments)};
}

json::object offered_params(const ToolSpec& spec) {
  json::object params = spec.params;
  if (!spec.accepts_background()) return params;
  if (json::object* properties = params["properties"].if_object()) {
    (*properties)[kBackground] = {
        {"type", "boolean"},
        {"default", false},
        {"description", "Answer at once with a task id and go on working; the thread is told when it ends"}};
  }
  return params;
}

}  // namespace deputy::toolkit

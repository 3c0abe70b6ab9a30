// The half of the control API that only looks: the state of the workspace, and threads and views as a person sees them.
#pragma once

#include <string_view>
#include <vector>

#include "net/form.h"
#include "net/http.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

/// Answers GET /control/`what`: state, methods, thread, thread.txt, thread.html, view.html.
Result<net::Response> show_what_is_there(World& world, std::string_view what, const std::vector<net::FormField>& query);

}  // namespace deputy::sim::slack

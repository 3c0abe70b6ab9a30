// App manifests as Slack checks them, and stricter: what Slack would let through and never deliver (an event without
// its scope, a command without an address) is refused too.
#pragma once

#include "sim/slack/kit/shape.h"

namespace deputy::sim::slack {

/// What is wrong with an app manifest; nothing when Slack takes it. Pointers begin at the manifest's root:
/// "/settings/event_subscriptions". The code is `invalid_manifest`.
std::vector<BlockProblem> check_manifest(const json::value& manifest);

}  // namespace deputy::sim::slack

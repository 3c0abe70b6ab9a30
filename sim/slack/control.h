// The control API, /control/…: how a test or a person drives the workspace, breaks it and looks at it. JSON in, JSON
// out; an error is HTTP 400 with a sentence.
#pragma once

#include "net/server.h"
#include "sim/slack/relay.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

Task<net::Answer> answer_control(World& world, Relay& relay, net::ServerRequest request);

}  // namespace deputy::sim::slack

// A SlackChannel and a simulated workspace that it reaches over loopback: what people do and see goes through Slack's
// own events, methods and messages.
#pragma once

#include <memory>

#include "channel/slack/settings.h"
#include "conformance/channel/suite.h"

namespace deputy::channel {

std::unique_ptr<Bench> make_slack_bench(const BenchSetup& setup, slack::Transport transport);

}  // namespace deputy::channel

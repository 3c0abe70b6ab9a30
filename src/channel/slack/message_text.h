// A Slack message as a reader sees it: its text, blocks, attachments (alert cards, forwarded messages) and file names.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "channel/message.h"
#include "channel/slack/text.h"

namespace deputy::channel::slack {

std::string text_of_message(const json::object& message, const NameOf& name_of);

std::vector<InboundFile> files_of_message(const json::object& message);

}  // namespace deputy::channel::slack

// Which tools a request wants, from the intent's suggestions and from the words that request and tool share. Pure: the
// same request over the same tools gives the same.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "model/offline/conversation.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMostCallsATurn = 3;

struct Choice {
  std::vector<const ToolDescription*> tools;  // to call, best first; empty: none fits
  std::vector<const ToolDescription*> next;   // others that read and have something to do with it, best first
  std::string not_offered;  // where `tools` is empty: one that exists and would do, but is not set up or not for here
};

/// Points into `tools`. A request that does not ask for a change never gets a tool that looks like making one.
Choice choose(const Conversation& conversation, const std::vector<ToolDescription>& tools);

/// Whether a tool, by its name and the first word of its description, changes something.
bool looks_like_writing(const ToolDescription& tool);

/// Talks to people or about results; never what a request is about.
bool is_talk_tool(const ToolDescription& tool);

}  // namespace deputy::model::offline

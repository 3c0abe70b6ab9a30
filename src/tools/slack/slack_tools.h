// The tools that read a Slack workspace and write to it. None of them sees a token: the account of the workspace is
// shared with the channel, because it has one rate limiter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "toolkit/tool.h"
#include "tools/slack/slack_workspace.h"
#include "tools/transcript.h"

namespace deputy::tools::slack {

using Tool = std::shared_ptr<const toolkit::Tool>;

std::vector<Tool> slack_tools(const Workspace& workspace);

/// For the tools that work on conversations.
ReadTranscript transcript_reader(const Workspace& workspace);

// write_tools.cpp
Tool post_slack_message(const Workspace& workspace);
Tool add_slack_reaction(const Workspace& workspace);
// upload.cpp
Tool upload_slack_file(const Workspace& workspace);
// read_tools.cpp
Tool list_slack_messages(const Workspace& workspace);
Tool list_slack_replies(const Workspace& workspace);
Tool read_slack_file(const Workspace& workspace);
// find_tools.cpp
Tool list_slack_channels(const Workspace& workspace);
Tool list_slack_users(const Workspace& workspace);
Tool search_slack_messages(const Workspace& workspace);

/// What all of them say of themselves. A tool with a `channel` is judged by the channel's id too.
toolkit::ToolSpec slack_spec(const Workspace& workspace, std::string name, std::string description,
                             toolkit::Effect effect);

// ---- What the tools that write share.

/// Where a write goes: the text for the card and, in its data, `channel` and `name`. Before it knows that the call may
/// go there, the question to ask. An error if Slack would refuse it anyway.
struct Aim {
  std::string doing;   // "Post to"
  std::string thread;  // its ts; empty: not in a thread
};
Task<Result<toolkit::Step>> aim_at(Workspace workspace, Aim aim, toolkit::CallContext& context);

/// The channel that the preview of this call named; an approval holds for that one.
struct Aimed {
  std::string channel;
  std::string name;
};
Result<Aimed> aimed_at(const toolkit::CallContext& context);

/// Refuses what cannot be a timestamp; empty text is none.
Result<> check_ts(std::string_view parameter, std::string_view ts);

}  // namespace deputy::tools::slack

// Messages of a channel or a thread as lines of text, and the sentence that says which ones were read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/slack/slack_workspace.h"

namespace deputy::tools::slack {

/// One message. A line break in it does not begin another message: its further lines are indented.
struct MessageLine {
  std::string ts;
  std::string text;
};

/// The messages as lines, in their order and without secrets. The context outlives the task.
Task<Result<std::vector<MessageLine>>> lines_of(SlackWorkspace& workspace, const toolkit::CallContext& context,
                                                json::array messages);

std::string joined(const std::vector<MessageLine>& lines);

/// "3 messages, 2026-11-17T10:00:00Z to 2026-11-17T12:00:00Z"; "No messages".
std::string counted(const std::vector<MessageLine>& lines);

/// "2026-11-17T10:00:00Z": when the message with this ts was written.
std::string time_of_ts(std::string_view ts);
/// True for text that can be the timestamp of a message, such as 1700000000.000100.
bool is_ts(std::string_view text);

/// Text on one line, cut to so many characters: for the words of people in a sentence of ours.
std::string in_one_line(std::string_view text, std::size_t most);

/// The newest messages of a channel that are in no thread.
struct Excerpt {
  ChannelInfo channel;
  std::vector<MessageLine> lines;
  bool has_older = false;  // that were not read

  std::string range() const;  // a sentence
};
struct ExcerptBounds {
  std::size_t most = 15;
  std::optional<double> since_hours = std::nullopt;
};
Task<Result<Excerpt>> read_excerpt(SlackWorkspace& workspace, const toolkit::CallContext& context, ChannelInfo channel,
                                   ExcerptBounds bounds);

/// The message with this ts, wherever in the channel it stands. not_found if there is none.
Task<Result<json::object>> message_at(SlackWorkspace& workspace, std::string channel, std::string ts);

/// `Ana: "what is wrong?"`
Task<std::string> quoted(SlackWorkspace& workspace, json::object message);

}  // namespace deputy::tools::slack

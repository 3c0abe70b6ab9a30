// What every way to write a message shares (chat.*, streams, response URLs, files): reading its content, checking it
// against Slack's limits, and where it may go.
#pragma once

#include "sim/slack/api/web_api.h"

namespace deputy::sim::slack {

struct Content {
  json::object body;  // text, blocks, attachments, metadata
  bool has_text = false;
  bool has_blocks = false;
  bool has_attachments = false;
};

/// Reads text, markdown_text, blocks, attachments and metadata, and refuses what Slack refuses. `no_text` when there is
/// nothing to show.
std::expected<Content, Refusal> read_content(Workspace& workspace, const Arguments& arguments);

/// The same for a call, with what only the caller's token tells: a video needs a scope, metadata an app.
std::expected<Content, Refusal> content_of(const Call& call);

/// Where the caller may post: a channel's id or name, or a person's id, which means the direct message.
std::expected<Channel*, Refusal> channel_to_post_in(Call& call, const std::string& wanted);

/// Refused unless `thread_ts` is the root of a thread in this channel (empty: no thread).
std::expected<void, Refusal> can_reply(Workspace& workspace, Channel& in, const std::string& thread_ts);

/// Whatever the app wrote ends the status of its assistant in that thread.
void clear_status(Channel& in, const std::string& thread_ts);

/// Deletes a message; a root that has replies leaves a mark in its place.
void remove_message(World& world, Channel& in, const std::string& ts);

constexpr std::size_t kMaxMarkdown = 12'000;

}  // namespace deputy::sim::slack

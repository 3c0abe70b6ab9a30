#include "base/text.h"
#include "sim/slack/api/posting.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxUpdateBytes = 4'000;

/// A name or picture of the message's own needs a scope of its own.
std::expected<void, Refusal> take_custom_looks(const Call& call, json::object& body) {
  for (const std::string_view name : {"username", "icon_emoji", "icon_url"}) {
    if (!call.arguments.has(name)) continue;
    TRY((need_scope(call, "chat:write.customize")));
    if (name == "username") {
      body["username"] = call.arguments.text(name);
    } else {
      json::value& icons = body["icons"];
      if (!icons.is_object()) icons = json::object();
      icons.get_object()[name == "icon_emoji" ? "emoji" : "image_48"] = call.arguments.text(name);
    }
  }
  return {};
}

Reply post_message(Call& call) {
  if (call.arguments.has("as_user")) return refuse("as_user_not_supported");
  TRY(Channel* const channel, channel_to_post_in(call, call.arguments.text("channel")));
  TRY(Content content, content_of(call));
  const std::string thread_ts = call.arguments.text("thread_ts");
  TRY((can_reply(call.workspace, *channel, thread_ts)));
  TRY((take_custom_looks(call, content.body)));
  if (call.arguments.flag("reply_broadcast") && !thread_ts.empty()) content.body["subtype"] = "thread_broadcast";
  const Message& message = call.workspace.add(
      *channel, {.ts = {}, .thread_ts = thread_ts, .user = call.user(), .body = std::move(content.body)});
  clear_status(*channel, thread_ts);
  tell_message(call.world, *channel, message);
  return json::object{
      {"channel", channel->id}, {"ts", message.ts}, {"message", call.workspace.show(*channel, message)}};
}

Reply post_ephemeral(Call& call) {
  TRY(Channel* const channel, channel_to_post_in(call, call.arguments.text("channel")));
  if (!channel->members.contains(call.user())) return refuse("not_in_channel");
  const std::string reader = call.arguments.text("user");
  if (!channel->members.contains(reader)) return refuse("user_not_in_channel");
  TRY(Content content, content_of(call));
  const std::string thread_ts = call.arguments.text("thread_ts");
  TRY((can_reply(call.workspace, *channel, thread_ts)));
  TRY((take_custom_looks(call, content.body)));
  const std::string ts = call.workspace.next_ts();
  // It is nobody else's: the thread does not count it.
  channel->messages.push_back(
      {.ts = ts, .thread_ts = thread_ts, .user = call.user(), .body = std::move(content.body), .only_for = reader});
  return json::object{{"message_ts", ts}};
}

Reply update(Call& call) {
  if (call.arguments.has("as_user")) return refuse("as_user_not_supported");
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  Message* message = call.workspace.message(*channel, call.arguments.text("ts"));
  if (message == nullptr || !message->only_for.empty()) return refuse("message_not_found");
  if (message->user != call.user()) return refuse("cant_update_message");
  if (message->stream == StreamState::in_progress) return refuse("streaming_state_conflict");
  if (call.arguments.text("text").size() > kMaxUpdateBytes) return refuse("msg_too_long");
  TRY(const Content content, content_of(call));
  json::object before = call.workspace.show(*channel, *message);
  json::object& body = message->body;
  // Text alone takes the blocks away; blocks alone keep the text.
  if (content.has_text) body["text"] = content.body.at("text");
  if (content.body.contains("blocks"))
    body["blocks"] = content.body.at("blocks");
  else if (content.has_text)
    body.erase("blocks");
  if (content.body.contains("attachments")) body["attachments"] = content.body.at("attachments");
  if (content.body.contains("metadata")) body["metadata"] = content.body.at("metadata");
  message->chunks.clear();  // of a stream that has ended: an update replaces all of it
  body["edited"] = {{"user", call.user()}, {"ts", call.workspace.next_ts()}};
  tell_changed(call.world, *channel, *message, std::move(before));
  json::object shown = call.workspace.show(*channel, *message);
  return json::object{{"channel", channel->id}, {"ts", message->ts}, {"text", shown["text"]}, {"message", shown}};
}

Reply remove(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  const std::string ts = call.arguments.text("ts");
  const Message* message = call.workspace.message(*channel, ts);
  if (message == nullptr || !message->only_for.empty()) return refuse("message_not_found");
  if (message->user != call.user()) return refuse("cant_delete_message");
  remove_message(call.world, *channel, ts);
  return json::object{{"channel", channel->id}, {"ts", ts}};
}

Reply permalink(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  const Message* message = call.workspace.message(*channel, call.arguments.text("message_ts"));
  if (message == nullptr || !message->only_for.empty()) return refuse("message_not_found");
  return json::object{{"channel", channel->id}, {"permalink", call.workspace.permalink(*channel, *message)}};
}

}  // namespace

std::span<const Method> chat_methods() {
  static const std::vector<Method> kMethods = {
      {"chat.postMessage",
       Tier::special,
       kBot | kUser,
       {"chat:write"},
       {"chat:write"},
       {"channel"},
       {"as_user", "attachments", "blocks", "current_draft_last_updated_ts", "icon_emoji", "icon_url", "link_names",
        "markdown_text", "metadata", "mrkdwn", "parse", "reply_broadcast", "text", "thread_ts", "unfurl_links",
        "unfurl_media", "username"},
       post_message},
      {"chat.postEphemeral",
       Tier::four,
       kBot | kUser,
       {"chat:write"},
       {"chat:write"},
       {"channel", "user"},
       {"as_user", "attachments", "blocks", "icon_emoji", "icon_url", "link_names", "markdown_text", "parse", "text",
        "thread_ts", "username"},
       post_ephemeral},
      {"chat.update",
       Tier::three,
       kBot | kUser,
       {"chat:write"},
       {"chat:write"},
       {"channel", "ts"},
       {"as_user", "attachments", "blocks", "file_ids", "link_names", "markdown_text", "metadata", "parse",
        "reply_broadcast", "text"},
       update},
      {"chat.delete",
       Tier::three,
       kBot | kUser,
       {"chat:write"},
       {"chat:write"},
       {"channel", "ts"},
       {"as_user"},
       remove},
      {"chat.getPermalink", Tier::special, kBot | kUser, {}, {}, {"channel", "message_ts"}, {}, permalink},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack

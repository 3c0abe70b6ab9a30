#include <algorithm>
#include <array>

#include "base/text.h"
#include "sim/slack/api/posting.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

constexpr std::array<std::string_view, 4> kTaskStates = {"pending", "in_progress", "complete", "error"};
constexpr std::array<std::string_view, 3> kDisplayModes = {"timeline", "plan", "dense"};
constexpr std::size_t kMaxBlocks = 50;

/// What one call adds to a stream.
struct Addition {
  std::string text;
  json::array tasks;  // task_update and plan_update
  json::array blocks;
  bool empty() const { return text.empty() && tasks.empty() && blocks.empty(); }
};

std::unexpected<Refusal> bad_chunk(std::size_t number, std::string_view why) {
  return refuse("invalid_chunks",
                {"[ERROR] " + std::string(why) + " [json-pointer:/chunks/" + std::to_string(number) + "]"});
}

std::expected<void, Refusal> take_chunk(const json::object& chunk, std::size_t number, Addition& addition) {
  const std::string type = text_at(chunk, "type");
  if (type == "markdown_text") {
    if (text_at(chunk, "text").empty()) return bad_chunk(number, "missing required field: text");
    addition.text += text_at(chunk, "text");
    return {};
  }
  if (type == "task_update") {
    for (const std::string_view field : {"id", "title", "status"}) {
      if (text_at(chunk, field).empty()) return bad_chunk(number, "missing required field: " + std::string(field));
    }
    if (!contains(kTaskStates, text_at(chunk, "status")))
      return bad_chunk(number, "status must be one of pending, in_progress, complete, error");
    addition.tasks.push_back(chunk);
    return {};
  }
  if (type == "plan_update") {
    if (text_at(chunk, "title").empty()) return bad_chunk(number, "missing required field: title");
    addition.tasks.push_back(chunk);
    return {};
  }
  if (type == "blocks") {
    const json::value* blocks = chunk.if_contains("blocks");
    if (blocks == nullptr || !blocks->is_array()) return bad_chunk(number, "missing required field: blocks");
    TRY((blocks_are_fine(check_blocks(*blocks, Surface::message))));
    for (const json::value& block : blocks->get_array()) addition.blocks.push_back(block);
    return {};
  }
  return bad_chunk(number, "unknown chunk type");
}

std::expected<Addition, Refusal> read_addition(const Arguments& arguments) {
  Addition addition;
  addition.text = arguments.text("markdown_text");
  if (const auto chunks = arguments.structured("chunks")) {
    if (!addition.text.empty())
      return refuse("invalid_arguments", {"[ERROR] markdown_text and chunks cannot be used together"});
    if (!chunks->is_array()) return refuse("invalid_chunks");
    for (std::size_t i = 0; i < chunks->get_array().size(); ++i) {
      const json::object* chunk = chunks->get_array()[i].if_object();
      if (chunk == nullptr) return bad_chunk(i, "must be an object");
      TRY((take_chunk(*chunk, i, addition)));
    }
  }
  if (count_characters(addition.text) > kMaxMarkdown) return refuse("msg_blocks_too_long");
  if (addition.blocks.size() > kMaxBlocks) return refuse("msg_blocks_too_many");
  return addition;
}

std::expected<void, Refusal> add_to(Workspace& workspace, Message& message, Addition addition) {
  json::array blocks = message.body.contains("blocks") ? message.body.at("blocks").as_array() : json::array();
  if (blocks.size() + addition.blocks.size() > kMaxBlocks) return refuse("msg_blocks_too_many");
  fill_ids(workspace, addition.blocks);
  for (json::value& block : addition.blocks) blocks.push_back(std::move(block));
  if (!blocks.empty()) message.body["blocks"] = std::move(blocks);
  message.body["text"] = text_at(message.body, "text") + addition.text;
  for (const json::value& task : addition.tasks) {
    // A later update of a task takes the place of the one before; a field it leaves out stays.
    const auto same = std::ranges::find_if(message.chunks, [&](const json::value& known) {
      return text_at(known.as_object(), "type") == text_at(task.as_object(), "type") &&
             text_at(known.as_object(), "id") == text_at(task.as_object(), "id");
    });
    if (same == message.chunks.end())
      message.chunks.push_back(task);
    else
      for (const auto& [key, value] : task.as_object()) same->as_object()[key] = value;
  }
  return {};
}

/// The stream of a call to append or stop.
std::expected<std::pair<Channel*, Message*>, Refusal> stream_of(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  Message* message = call.workspace.message(*channel, call.arguments.text("ts"));
  if (message == nullptr || !message->only_for.empty()) return refuse("message_not_found");
  if (message->user != call.user()) return refuse("message_not_owned_by_app");
  if (message->stream == StreamState::stopped_by_user) return refuse("stopped_by_user");
  if (message->stream != StreamState::in_progress) return refuse("message_not_in_streaming_state");
  return std::pair(channel, message);
}

Reply start(Call& call) {
  TRY(Channel* const channel, channel_to_post_in(call, call.arguments.text("channel")));
  const std::string thread_ts = call.arguments.text("thread_ts");
  if (thread_ts.empty()) return refuse("invalid_arguments", {"[ERROR] missing required field: thread_ts"});
  TRY((can_reply(call.workspace, *channel, thread_ts)));
  if (channel->kind != ChannelKind::direct) {
    if (call.arguments.text("recipient_user_id").empty()) return refuse("missing_recipient_user_id");
    if (!call.arguments.has("recipient_team_id")) return refuse("missing_recipient_team_id");
    if (call.workspace.person(call.arguments.text("recipient_user_id")) == nullptr) return refuse("user_not_found");
  }
  if (call.arguments.has("task_display_mode") && !contains(kDisplayModes, call.arguments.text("task_display_mode"))) {
    return refuse("invalid_arguments", {"[ERROR] task_display_mode must be one of timeline, plan, dense"});
  }
  TRY(Addition addition, read_addition(call.arguments));
  Message begun = {.ts = {},
                   .thread_ts = thread_ts,
                   .user = call.user(),
                   .body = {{"text", ""}},
                   .stream = StreamState::in_progress};
  TRY((add_to(call.workspace, begun, std::move(addition))));
  const Message& message = call.workspace.add(*channel, std::move(begun));
  clear_status(*channel, thread_ts);
  tell_message(call.world, *channel, message);
  return json::object{{"channel", channel->id}, {"ts", message.ts}};
}

Reply append(Call& call) {
  TRY(const auto stream, stream_of(call));
  const auto [channel, message] = stream;
  TRY(Addition addition, read_addition(call.arguments));
  if (addition.empty()) return refuse("no_text");
  json::object before = call.workspace.show(*channel, *message);
  TRY((add_to(call.workspace, *message, std::move(addition))));
  tell_changed(call.world, *channel, *message, std::move(before));
  return json::object{{"channel", channel->id}, {"ts", message->ts}};
}

Reply stop(Call& call) {
  TRY(const auto stream, stream_of(call));
  const auto [channel, message] = stream;
  TRY(Addition addition, read_addition(call.arguments));
  Arguments rest;
  for (const std::string_view name : {"blocks", "metadata"}) {
    if (const auto value = call.arguments.structured(name)) rest.set(std::string(name), *value);
  }
  rest.set("text", " ");
  TRY(Content content, read_content(call.workspace, rest));
  json::object before = call.workspace.show(*channel, *message);
  TRY((add_to(call.workspace, *message, std::move(addition))));
  if (content.has_blocks) {
    // They stand after the text and count apart from the blocks of chunks.
    json::array blocks = message->body.contains("blocks") ? message->body.at("blocks").as_array() : json::array();
    for (json::value& block : content.body.at("blocks").as_array()) blocks.push_back(block);
    message->body["blocks"] = std::move(blocks);
  }
  if (content.body.contains("metadata")) message->body["metadata"] = content.body.at("metadata");
  message->stream = StreamState::completed;
  tell_changed(call.world, *channel, *message, std::move(before));
  return json::object{
      {"channel", channel->id}, {"ts", message->ts}, {"message", call.workspace.show(*channel, *message)}};
}

}  // namespace

std::span<const Method> stream_methods() {
  static const std::vector<Method> kMethods = {
      {"chat.startStream",
       Tier::two,
       kBot,
       {"chat:write"},
       {},
       {"channel", "thread_ts"},
       {"chunks", "icon_emoji", "icon_url", "markdown_text", "recipient_team_id", "recipient_user_id",
        "task_display_mode", "username"},
       start},
      {"chat.appendStream",
       Tier::four,
       kBot,
       {"chat:write"},
       {},
       {"channel", "ts"},
       {"chunks", "markdown_text"},
       append},
      {"chat.stopStream",
       Tier::two,
       kBot,
       {"chat:write"},
       {},
       {"channel", "ts"},
       {"blocks", "chunks", "markdown_text", "metadata", "session_status"},
       stop},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack

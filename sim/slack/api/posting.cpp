#include "sim/slack/api/posting.h"

#include "base/text.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxText = 40'000;
constexpr std::size_t kMaxMetadataBytes = 8'000;

std::expected<json::object, Refusal> read_metadata(const Arguments& arguments) {
  const auto metadata = arguments.structured("metadata");
  if (!metadata->is_object()) return refuse("invalid_metadata_format");
  const json::object& object = metadata->get_object();
  const json::value* payload = object.if_contains("event_payload");
  if (text_at(object, "event_type").empty() || payload == nullptr || !payload->is_object())
    return refuse("invalid_metadata_schema");
  if (json::serialize(object).size() > kMaxMetadataBytes) return refuse("metadata_too_large");
  return object;
}

}  // namespace

std::expected<Content, Refusal> read_content(Workspace& workspace, const Arguments& arguments) {
  Content content;
  const std::string text = arguments.text("text");
  const std::string markdown = arguments.text("markdown_text");
  if (!markdown.empty()) {
    if (!text.empty() || arguments.has("blocks")) return refuse("markdown_text_conflict");
    if (count_characters(markdown) > kMaxMarkdown) return refuse("msg_too_long");
    content.body["text"] = markdown;
    json::array blocks = {{{"type", "markdown"}, {"text", markdown}}};
    fill_ids(workspace, blocks);
    content.body["blocks"] = std::move(blocks);
    content.has_text = content.has_blocks = true;
  }
  if (!text.empty()) {
    content.body["text"] = cut_characters(text, kMaxText);
    content.has_text = true;
  }
  if (const auto blocks = arguments.structured("blocks")) {
    if (!blocks->is_array()) return refuse("invalid_blocks_format");
    TRY((blocks_are_fine(check_blocks(*blocks, Surface::message))));
    json::array filled = blocks->get_array();
    fill_ids(workspace, filled);
    content.has_blocks = !filled.empty();
    content.body["blocks"] = std::move(filled);
  }
  if (const auto attachments = arguments.structured("attachments")) {
    if (!attachments->is_array()) return refuse("invalid_attachments");
    TRY((blocks_are_fine(check_attachments(*attachments))));
    json::array filled = attachments->get_array();
    int number = 0;
    for (json::value& attachment : filled) {
      json::object& object = attachment.as_object();
      object["id"] = ++number;
      if (json::value* blocks = object.if_contains("blocks"); blocks != nullptr && blocks->is_array())
        fill_ids(workspace, blocks->get_array());
    }
    content.has_attachments = !filled.empty();
    content.body["attachments"] = std::move(filled);
  }
  if (arguments.has("metadata")) {
    TRY(content.body["metadata"], read_metadata(arguments));
  }
  if (!content.has_text && !content.has_blocks && !content.has_attachments) return refuse("no_text");
  if (!content.has_text) content.body["text"] = "";
  return content;
}

namespace {

std::size_t blocks_of_type(const json::value& value, std::string_view type) {
  std::size_t count = 0;
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) count += blocks_of_type(item, type);
  } else if (const json::object* object = value.if_object()) {
    if (text_at(*object, "type") == type) ++count;
    for (const auto& [key, inner] : *object) count += blocks_of_type(inner, type);
  }
  return count;
}

}  // namespace

std::expected<Content, Refusal> content_of(const Call& call) {
  if (call.arguments.has("metadata") && call.token->kind == TokenKind::user)
    return refuse("metadata_must_be_sent_from_app");
  TRY(Content content, read_content(call.workspace, call.arguments));
  if (blocks_of_type(content.body, "video") > 0) TRY((need_scope(call, "links.embed:write")));
  // One in the blocks and one in an attachment are two as well.
  if (blocks_of_type(content.body, "table") > 1)
    return refuse("invalid_blocks", {"[ERROR] only one table is allowed in a message"});
  return content;
}

std::expected<Channel*, Refusal> channel_to_post_in(Call& call, const std::string& wanted) {
  Workspace& workspace = call.workspace;
  if (const Person* person = workspace.person(wanted)) {
    if (person->deleted || person->id == call.user()) return refuse("channel_not_found");
    return &workspace.direct(call.user(), person->id);
  }
  Channel* channel = workspace.channel(wanted);
  if (channel == nullptr) channel = workspace.channel_by_name(wanted);
  if (channel == nullptr) return refuse("channel_not_found");
  const bool member = channel->members.contains(call.user());
  if (!member && channel->kind != ChannelKind::open) return refuse("channel_not_found");
  if (channel->archived) return refuse("is_archived");
  if (!member && !call.token->scopes.contains("chat:write.public")) return refuse("not_in_channel");
  if (channel->kind == ChannelKind::direct && !workspace.app.messages_tab) return refuse("messages_tab_disabled");
  if (!workspace.has_room_for_message()) return refuse("message_limit_exceeded");
  return channel;
}

std::expected<void, Refusal> can_reply(Workspace& workspace, Channel& in, const std::string& thread_ts) {
  if (thread_ts.empty()) return {};
  const Message* root = workspace.message(in, thread_ts);
  if (root == nullptr || root->is_reply() || !root->only_for.empty()) return refuse("cannot_reply_to_message");
  return {};
}

void clear_status(Channel& in, const std::string& thread_ts) {
  const auto thread = in.assistant_threads.find(thread_ts);
  if (thread == in.assistant_threads.end()) return;
  thread->second.status.clear();
  thread->second.loading_messages.clear();
}

void remove_message(World& world, Channel& in, const std::string& ts) {
  Message* message = world.workspace.message(in, ts);
  if (message == nullptr) return;
  json::object before = world.workspace.show(in, *message);
  if (world.workspace.replies(in, ts).empty()) {
    std::erase_if(in.messages, [&](const Message& candidate) { return candidate.ts == ts; });
  } else {
    message->body = {{"subtype", "tombstone"}, {"text", "This message was deleted."}, {"hidden", true}};
    message->user = "USLACKBOT";
    message->reactions.clear();
  }
  tell_deleted(world, in, std::move(before));
}

}  // namespace deputy::sim::slack

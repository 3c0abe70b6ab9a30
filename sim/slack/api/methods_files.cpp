#include <algorithm>
#include <array>

#include "base/text.h"
#include "sim/slack/api/posting.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

constexpr std::int64_t kMaxFileBytes = 1LL << 30;
constexpr std::int64_t kMaxSnippetBytes = 1LL << 20;
constexpr std::size_t kMaxAltText = 1000;
constexpr std::size_t kMaxChannels = 100;
constexpr std::array<std::string_view, 12> kSnippetTypes = {"text", "javascript", "python", "shell", "json", "yaml",
                                                            "csv",  "markdown",   "cpp",    "diff",  "sql",  "log"};

Reply get_upload_url(Call& call) {
  const auto length = call.arguments.number("length");
  if (!length || *length <= 0) return refuse("missing_argument");
  if (*length > kMaxFileBytes) return refuse("file_upload_size_restricted");
  const std::string snippet = call.arguments.text("snippet_type");
  if (!snippet.empty() && !contains(kSnippetTypes, snippet)) return refuse("unknown_snippet_type");
  if (!snippet.empty() && *length > kMaxSnippetBytes) return refuse("snippet_too_large");
  if (count_characters(call.arguments.text("alt_txt")) > kMaxAltText) return refuse("alt_txt_too_large");
  if (!call.workspace.has_room_for_file()) return refuse("storage_limit_reached");
  File file = {.id = call.workspace.next_id("F0"),
               .name = call.arguments.text("filename"),
               .title = call.arguments.text("filename"),
               .user = call.user()};
  file.expected_bytes = *length;
  file.snippet_type = snippet;
  file.created = to_millis(call.workspace.clock.now()) / 1000;
  file.upload_key = sha256_hex(file.id + "upload").substr(0, 40);
  const json::object reply = {{"upload_url", call.workspace.address + "/upload/v1/" + file.upload_key},
                              {"file_id", file.id}};
  call.workspace.files[file.id] = std::move(file);
  return reply;
}

std::expected<std::vector<Channel*>, Refusal> channels_to_share_in(Call& call) {
  std::vector<Channel*> channels;
  std::string wanted = call.arguments.text("channels");
  if (call.arguments.has("channel_id")) wanted = call.arguments.text("channel_id");
  if (wanted.empty()) return channels;
  for (const std::string_view part : split(wanted, ",")) {
    Channel* channel = call.workspace.channel(trim(part));
    if (channel == nullptr || (channel->kind != ChannelKind::open && !channel->members.contains(call.user())))
      return refuse("channel_not_found");
    if (!channel->members.contains(call.user())) return refuse("not_in_channel");
    if (channel->archived) return refuse("posting_to_channel_denied");
    channels.push_back(channel);
  }
  if (channels.size() > kMaxChannels) return refuse("channels_limit_exceeded");
  return channels;
}

Reply complete_upload(Call& call) {
  const auto wanted = call.arguments.structured("files");
  if (!wanted || !wanted->is_array() || wanted->get_array().empty())
    return refuse("invalid_arguments", {"[ERROR] missing required field: files"});
  TRY(const std::vector<Channel*> channels, channels_to_share_in(call));
  std::vector<File*> files;
  for (const json::value& item : wanted->get_array()) {
    const json::object* object = item.if_object();
    const auto found =
        object == nullptr ? call.workspace.files.end() : call.workspace.files.find(text_at(*object, "id"));
    if (found == call.workspace.files.end() || !found->second.uploaded || found->second.completed)
      return refuse("file_not_found");
    if (const std::string title = text_at(*object, "title"); !title.empty()) found->second.title = title;
    files.push_back(&found->second);
  }
  json::array blocks;
  if (const auto given = call.arguments.structured("blocks")) {
    TRY((blocks_are_fine(check_blocks(*given, Surface::message))));
    blocks = given->as_array();
    fill_ids(call.workspace, blocks);
  }
  const std::string thread_ts = call.arguments.text("thread_ts");
  for (Channel* channel : channels) {
    if (!can_reply(call.workspace, *channel, thread_ts)) return refuse("invalid_channel");
  }
  json::array shown;
  for (File* file : files) {
    file->completed = true;
    for (const Channel* channel : channels) file->channels.insert(channel->id);
    shown.push_back(call.workspace.show(*file));
  }
  for (Channel* channel : channels) {
    json::object body = {{"text", call.arguments.text("initial_comment")},
                         {"files", shown},
                         {"upload", false},
                         {"subtype", "file_share"}};
    if (!blocks.empty()) body["blocks"] = blocks;
    const Message& message =
        call.workspace.add(*channel, {.ts = {}, .thread_ts = thread_ts, .user = call.user(), .body = std::move(body)});
    clear_status(*channel, thread_ts);
    tell_message(call.world, *channel, message);
  }
  return json::object{{"files", std::move(shown)}};
}

Reply file_info(Call& call) {
  const auto found = call.workspace.files.find(call.arguments.text("file"));
  if (found == call.workspace.files.end() || !found->second.completed) return refuse("file_not_found");
  const File& file = found->second;
  const bool visible = file.user == call.user() || std::ranges::any_of(file.channels, [&](const std::string& id) {
                         const Channel* channel = call.workspace.channel(id);
                         return channel != nullptr && channel->members.contains(call.user());
                       });
  if (!visible) return refuse("file_not_found");
  return json::object{
      {"file", call.workspace.show(file)}, {"comments", json::array()}, {"response_metadata", {{"next_cursor", ""}}}};
}

}  // namespace

std::span<const Method> file_methods() {
  static const std::vector<Method> kMethods = {
      {"files.getUploadURLExternal",
       Tier::four,
       kBot | kUser,
       {"files:write"},
       {"files:write"},
       {"filename", "length"},
       {"alt_txt", "alt_text", "snippet_type"},
       get_upload_url},
      {"files.completeUploadExternal",
       Tier::four,
       kBot | kUser,
       {"files:write"},
       {"files:write"},
       {"files"},
       {"blocks", "channel_id", "channels", "initial_comment", "thread_ts"},
       complete_upload},
      {"files.info",
       Tier::four,
       kBot | kUser,
       {"files:read"},
       {"files:read"},
       {"file"},
       {"count", "cursor", "limit", "page"},
       file_info},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack

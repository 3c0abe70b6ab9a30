#include "clients/slack/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::clients::slack {

namespace {

bool flag_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

json::value or_nothing(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

Result<std::string> needed_text(const json::object& reply, std::string_view key, std::string_view method) {
  std::string text = text_at(reply, key);
  if (text.empty()) return fail(ErrorKind::upstream, fmt::format("Slack's reply to {} has no {}", method, key));
  return text;
}

Result<json::object> needed_object(const json::object& reply, std::string_view key, std::string_view method) {
  const json::object* object = find_object(reply, key);
  if (object == nullptr) return fail(ErrorKind::upstream, fmt::format("Slack's reply to {} has no {}", method, key));
  return *object;
}

Task<Result<>> just_call(Api& api, std::string_view method, json::object arguments, CallOptions options = {}) {
  CO_TRY((co_await api.call(method, std::move(arguments), options)));
  co_return Result<>{};
}

json::object arguments_of(OutgoingMessage message) {
  json::object arguments{{"channel", std::move(message.channel)}, {"text", std::move(message.text)}};
  if (!message.thread.empty()) arguments["thread_ts"] = message.thread;
  if (!message.blocks.empty()) arguments["blocks"] = std::move(message.blocks);
  if (!message.metadata.empty()) arguments["metadata"] = std::move(message.metadata);
  return arguments;
}

Task<Result<Sent>> sent_by(Api& api, std::string_view method, json::object arguments, CallOptions options = {}) {
  CO_TRY(const json::object reply, co_await api.call(method, std::move(arguments), options));
  CO_TRY(std::string channel, needed_text(reply, "channel", method));
  CO_TRY(std::string ts, needed_text(reply, "ts", method));
  co_return Sent{std::move(channel), std::move(ts)};
}

ChannelInfo channel_of(const json::object& channel) {
  const bool tells_members = channel.contains("is_member") && !flag_at(channel, "is_im");
  return {.id = text_at(channel, "id"),
          .name = text_at(channel, "name"),
          .user = text_at(channel, "user"),
          .is_direct = flag_at(channel, "is_im"),
          .is_group_message = flag_at(channel, "is_mpim"),
          .is_private = flag_at(channel, "is_private") || flag_at(channel, "is_im"),
          .is_archived = flag_at(channel, "is_archived"),
          .app_is_outside = tells_members && !flag_at(channel, "is_member"),
          .is_external = flag_at(channel, "is_ext_shared") || flag_at(channel, "is_pending_ext_shared")};
}

std::vector<std::string> texts_of(const json::array& items) {
  std::vector<std::string> texts;
  for (const json::value& item : items) {
    if (item.is_string()) texts.emplace_back(as_view(item.get_string()));
  }
  return texts;
}

std::vector<std::string> workspaces_of(const json::object& user) {
  const json::object* in_organisation = find_object(user, "enterprise_user");
  const json::value* teams = in_organisation == nullptr ? nullptr : in_organisation->if_contains("teams");
  return teams == nullptr || !teams->is_array() ? std::vector<std::string>() : texts_of(teams->get_array());
}

User user_of(const json::object& user) {
  const json::object* profile = find_object(user, "profile");
  const json::object nothing;
  const json::object& shown = profile == nullptr ? nothing : *profile;
  std::string name = text_at(shown, "display_name");
  for (const auto& other : {text_at(shown, "real_name"), text_at(user, "real_name"), text_at(user, "name")}) {
    if (name.empty()) name = other;
  }
  return {.id = text_at(user, "id"),
          .team = text_at(user, "team_id"),
          .name = std::move(name),
          .email = text_at(shown, "email"),
          .time_zone = text_at(user, "tz"),
          .is_bot = flag_at(user, "is_bot") || text_at(user, "id") == "USLACKBOT",
          .is_deactivated = flag_at(user, "deleted"),
          .is_guest = flag_at(user, "is_restricted") || flag_at(user, "is_ultra_restricted"),
          .is_stranger = flag_at(user, "is_stranger"),
          .workspaces = workspaces_of(user)};
}

template <class T, class Read>
std::vector<T> all_of(const json::array& items, Read read) {
  std::vector<T> all;
  for (const json::value& item : items) {
    if (item.is_object()) all.push_back(read(item.get_object()));
  }
  return all;
}

constexpr std::size_t kPage = 200;  // as many as Slack advises

json::object in_range(json::object arguments, const Range& range) {
  arguments["limit"] = std::min(range.most, kPage);
  arguments["include_all_metadata"] = true;
  if (!range.oldest.empty()) arguments["oldest"] = range.oldest;
  if (!range.latest.empty()) arguments["latest"] = range.latest;
  return arguments;
}

Result<json::array> array_in(const json::object& reply, std::string_view key, std::string_view method) {
  const json::value* array = reply.if_contains(key);
  if (array == nullptr || !array->is_array())
    return fail(ErrorKind::upstream, fmt::format("Slack's reply to {} has no {}", method, key));
  return array->get_array();
}

}  // namespace

Task<Result<Self>> auth_test(Api& api) {
  CO_TRY(const json::object reply, co_await api.call("auth.test", {}));
  CO_TRY(std::string team, needed_text(reply, "team_id", "auth.test"));
  CO_TRY(std::string user, needed_text(reply, "user_id", "auth.test"));
  Self self{.team = std::move(team),
            .team_name = text_at(reply, "team"),
            .user = std::move(user),
            .user_name = text_at(reply, "user"),
            .bot = text_at(reply, "bot_id"),
            .url = text_at(reply, "url"),
            .is_org_wide = flag_at(reply, "is_enterprise_install"),
            .enterprise = text_at(reply, "enterprise_id")};
  if (std::string app = text_at(reply, "app_id"); !app.empty()) self.app = std::move(app);
  co_return self;
}

Result<> check_workspace(const Self& self) {
  if (!self.is_org_wide) return {};
  return fail(ErrorKind::not_configured, "the Slack app is installed for a whole organisation",
              "install it in one workspace and set that bot token");
}

Task<Result<std::string>> open_connection(Api& api) {
  CO_TRY(const json::object reply, co_await api.call("apps.connections.open", {}, {.token = Token::app}));
  co_return needed_text(reply, "url", "apps.connections.open");
}

Task<Result<Sent>> post_message(Api& api, OutgoingMessage message) {
  json::object arguments = arguments_of(std::move(message));
  arguments["unfurl_links"] = false;
  arguments["unfurl_media"] = false;
  return sent_by(api, "chat.postMessage", std::move(arguments));
}

Task<Result<>> update_message(Api& api, std::string ts, OutgoingMessage message, Use use) {
  message.thread.clear();
  json::object arguments = arguments_of(std::move(message));
  arguments["ts"] = ts;
  co_return co_await just_call(api, "chat.update", std::move(arguments), {.use = use});
}

Task<Result<>> delete_message(Api& api, std::string channel, std::string ts) {
  return just_call(api, "chat.delete", {{"channel", std::move(channel)}, {"ts", std::move(ts)}});
}

Task<Result<>> post_ephemeral(Api& api, std::string user, OutgoingMessage message) {
  json::object arguments = arguments_of(std::move(message));
  arguments.erase("metadata");
  arguments["user"] = user;
  co_return co_await just_call(api, "chat.postEphemeral", std::move(arguments));
}

Task<Result<Sent>> start_stream(Api& api, StreamStart start) {
  json::object arguments{{"channel", std::move(start.channel)},
                         {"thread_ts", std::move(start.thread)},
                         {"recipient_team_id", or_nothing(start.team)},
                         {"recipient_user_id", or_nothing(start.user)},
                         {"task_display_mode", "plan"}};
  if (!start.chunks.empty()) arguments["chunks"] = std::move(start.chunks);
  return sent_by(api, "chat.startStream", std::move(arguments), {.use = Use::nice_to_have});
}

Task<Result<>> append_stream(Api& api, Sent stream, json::array chunks) {
  json::object arguments{
      {"channel", std::move(stream.channel)}, {"ts", std::move(stream.ts)}, {"chunks", std::move(chunks)}};
  return just_call(api, "chat.appendStream", std::move(arguments), {.use = Use::nice_to_have});
}

Task<Result<>> stop_stream(Api& api, Sent stream, json::array chunks, json::array blocks, json::object metadata) {
  json::object arguments{{"channel", std::move(stream.channel)}, {"ts", std::move(stream.ts)}};
  if (!chunks.empty()) arguments["chunks"] = std::move(chunks);
  if (!blocks.empty()) arguments["blocks"] = std::move(blocks);
  if (!metadata.empty()) arguments["metadata"] = std::move(metadata);
  return just_call(api, "chat.stopStream", std::move(arguments));
}

Task<Result<>> set_status(Api& api, std::string channel, std::string thread, std::string words) {
  json::object arguments{
      {"channel_id", std::move(channel)}, {"thread_ts", std::move(thread)}, {"status", std::move(words)}};
  return just_call(api, "assistant.threads.setStatus", std::move(arguments), {.use = Use::nice_to_have});
}

Task<Result<>> set_title(Api& api, std::string channel, std::string thread, std::string title) {
  json::object arguments{
      {"channel_id", std::move(channel)}, {"thread_ts", std::move(thread)}, {"title", std::move(title)}};
  return just_call(api, "assistant.threads.setTitle", std::move(arguments), {.use = Use::nice_to_have});
}

Task<Result<>> suggest_prompts(Api& api, std::string channel, std::string thread, std::vector<std::string> prompts) {
  constexpr std::size_t kMaxPrompts = 4;
  json::array offered;
  for (const std::string& prompt : prompts) {
    if (offered.size() < kMaxPrompts) offered.push_back(json::object{{"title", prompt}, {"message", prompt}});
  }
  json::object arguments{
      {"channel_id", std::move(channel)}, {"thread_ts", or_nothing(thread)}, {"prompts", std::move(offered)}};
  return just_call(api, "assistant.threads.setSuggestedPrompts", std::move(arguments), {.use = Use::nice_to_have});
}

Task<Result<>> react(Api& api, std::string channel, std::string ts, std::string emoji, Reacted reacted) {
  const std::string_view method = reacted == Reacted::on ? "reactions.add" : "reactions.remove";
  json::object arguments{{"channel", std::move(channel)}, {"timestamp", std::move(ts)}, {"name", std::move(emoji)}};
  const Result<json::object> reply = co_await api.call(method, std::move(arguments));
  // It is as it should be.
  if (!reply && reply.error().kind == ErrorKind::conflict && reply.error().message.contains("reaction"))
    co_return Result<>{};
  if (!reply) co_return std::unexpected(reply.error());
  co_return Result<>{};
}

Task<Result<Messages>> read_thread(Api& api, std::string channel, std::string thread, Range range) {
  constexpr int kMaxPages = 10;
  const std::size_t most = range.most;
  range.most = kPage;
  json::object arguments = in_range({{"channel", std::move(channel)}, {"ts", thread}}, range);
  Messages read;
  for (int page = 1;; ++page) {
    CO_TRY(json::object reply, co_await api.call("conversations.replies", arguments));
    CO_TRY(json::array messages, array_in(reply, "messages", "conversations.replies"));
    for (json::value& message : messages) {
      // Every page repeats the first message.
      const json::object* object = message.if_object();
      const bool is_root = object != nullptr && text_at(*object, "ts") == thread;
      if (page == 1 || !is_root) read.messages.push_back(std::move(message));
    }
    const std::string cursor = next_cursor(reply);
    read.has_more = !cursor.empty();
    if (cursor.empty() || page == kMaxPages) break;
    arguments["cursor"] = cursor;
  }
  if (read.messages.size() > most && most > 0) {
    read.left_out = read.messages.size() - most;
    const auto second = read.messages.begin() + 1;
    read.messages.erase(second, second + static_cast<std::ptrdiff_t>(read.left_out));
  }
  co_return read;
}

Task<Result<Messages>> read_channel(Api& api, std::string channel, Range range) {
  constexpr int kMaxPages = 10;
  json::object arguments = in_range({{"channel", std::move(channel)}}, range);
  Messages read;
  for (int page = 1;; ++page) {
    Result<json::object> reply = co_await api.call("conversations.history", arguments);
    if (!reply && page > 1) break;
    if (!reply) co_return std::unexpected(std::move(reply).error());
    CO_TRY(json::array messages, array_in(*reply, "messages", "conversations.history"));
    for (json::value& message : messages) read.messages.push_back(std::move(message));
    read.has_more = flag_at(*reply, "has_more");
    std::string cursor = next_cursor(*reply);
    if (cursor.empty() || read.messages.size() >= range.most || page == kMaxPages) break;
    arguments["cursor"] = std::move(cursor);
    arguments["limit"] = std::min(range.most - read.messages.size(), kPage);
  }
  std::ranges::reverse(read.messages);  // Slack has the newest first
  co_return read;
}

Task<Result<ChannelInfo>> channel_info(Api& api, std::string channel) {
  CO_TRY(const json::object reply, co_await api.call("conversations.info", {{"channel", std::move(channel)}}));
  CO_TRY(const json::object found, needed_object(reply, "channel", "conversations.info"));
  co_return channel_of(found);
}

Task<Result<std::vector<ChannelInfo>>> list_channels(Api& api, std::string types, std::size_t most, Listed listed) {
  const std::string_view method = listed == Listed::all ? "conversations.list" : "users.conversations";
  json::object arguments{{"types", std::move(types)}, {"exclude_archived", true}};
  CO_TRY(const json::array channels, co_await api.pages(method, std::move(arguments), "channels", most));
  co_return all_of<ChannelInfo>(channels, channel_of);
}

Task<Result<std::vector<std::string>>> channel_members(Api& api, std::string channel) {
  constexpr std::size_t kMaxMembers = 10'000;
  CO_TRY(const json::array members,
         co_await api.pages("conversations.members", {{"channel", std::move(channel)}}, "members", kMaxMembers));
  co_return texts_of(members);
}

Task<Result<std::string>> open_direct(Api& api, std::string user) {
  CO_TRY(const json::object reply, co_await api.call("conversations.open", {{"users", std::move(user)}}));
  CO_TRY(const json::object channel, needed_object(reply, "channel", "conversations.open"));
  co_return needed_text(channel, "id", "conversations.open");
}

Task<Result<std::string>> permalink(Api& api, std::string channel, std::string ts) {
  json::object arguments{{"channel", std::move(channel)}, {"message_ts", std::move(ts)}};
  CO_TRY(const json::object reply, co_await api.call("chat.getPermalink", std::move(arguments)));
  co_return needed_text(reply, "permalink", "chat.getPermalink");
}

Task<Result<User>> user_info(Api& api, std::string user) {
  CO_TRY(const json::object reply, co_await api.call("users.info", {{"user", std::move(user)}}));
  CO_TRY(const json::object found, needed_object(reply, "user", "users.info"));
  co_return user_of(found);
}

Task<Result<Bot>> bot_info(Api& api, std::string bot) {
  CO_TRY(const json::object reply, co_await api.call("bots.info", {{"bot", std::move(bot)}}));
  CO_TRY(const json::object found, needed_object(reply, "bot", "bots.info"));
  co_return Bot{
      .id = text_at(found, "id"), .name = text_at(found, "name"), .is_deactivated = flag_at(found, "deleted")};
}

Task<Result<std::vector<User>>> list_users(Api& api, std::size_t most) {
  CO_TRY(const json::array members, co_await api.pages("users.list", {}, "members", most));
  co_return all_of<User>(members, user_of);
}

Task<Result<std::vector<std::string>>> group_members(Api& api, std::string group) {
  CO_TRY(const json::object reply, co_await api.call("usergroups.users.list", {{"usergroup", std::move(group)}}));
  CO_TRY(const json::array users, array_in(reply, "users", "usergroups.users.list"));
  co_return texts_of(users);
}

Task<Result<std::string>> open_view(Api& api, std::string trigger, json::object view) {
  json::object arguments{{"trigger_id", std::move(trigger)}, {"view", std::move(view)}};
  CO_TRY(const json::object reply, co_await api.call("views.open", std::move(arguments)));
  CO_TRY(const json::object opened, needed_object(reply, "view", "views.open"));
  co_return text_at(opened, "id");
}

Task<Result<>> update_view(Api& api, std::string id, json::object view) {
  return just_call(api, "views.update", {{"view_id", std::move(id)}, {"view", std::move(view)}});
}

Task<Result<>> publish_home(Api& api, std::string user, json::object view) {
  return just_call(api, "views.publish", {{"user_id", std::move(user)}, {"view", std::move(view)}});
}

Task<Result<std::string>> store_file(Api& api, std::string name, std::string content) {
  json::object place{{"filename", std::move(name)}, {"length", content.size()}};
  CO_TRY(const json::object reply, co_await api.call("files.getUploadURLExternal", std::move(place)));
  CO_TRY(std::string url, needed_text(reply, "upload_url", "files.getUploadURLExternal"));
  CO_TRY(std::string id, needed_text(reply, "file_id", "files.getUploadURLExternal"));
  CO_TRY((co_await api.upload(std::move(url), std::move(content))));
  co_return id;
}

Task<Result<>> share_file(Api& api, std::string id, NewFile file) {
  json::object named{{"id", std::move(id)}, {"title", file.title.empty() ? file.name : std::move(file.title)}};
  json::object arguments{{"files", json::array{std::move(named)}},
                         {"channel_id", std::move(file.channel)},
                         {"thread_ts", or_nothing(file.thread)},
                         {"initial_comment", or_nothing(file.comment)}};
  return just_call(api, "files.completeUploadExternal", std::move(arguments));
}

Task<Result<std::string>> upload_file(Api& api, NewFile file) {
  CO_TRY(std::string id, co_await store_file(api, file.name, std::exchange(file.content, {})));
  CO_TRY((co_await share_file(api, id, std::move(file))));
  co_return id;
}

Task<Result<FileInfo>> file_info(Api& api, std::string file) {
  CO_TRY(const json::object reply, co_await api.call("files.info", {{"file", std::move(file)}}));
  CO_TRY(const json::object found, needed_object(reply, "file", "files.info"));
  FileInfo info{.id = text_at(found, "id"),
                .name = text_at(found, "name"),
                .media_type = text_at(found, "mimetype"),
                .url = text_at(found, "url_private_download")};
  if (info.url.empty()) info.url = text_at(found, "url_private");
  if (const json::value* size = found.if_contains("size")) info.size = as_whole(*size).value_or(0);
  for (const char* places : {"channels", "groups", "ims"}) {
    const json::value* listed = found.if_contains(places);
    if (listed != nullptr && listed->is_array())
      std::ranges::move(texts_of(listed->get_array()), std::back_inserter(info.channels));
  }
  co_return info;
}

Task<Result<std::vector<SearchHit>>> search_for(Api& api, Asker asker, std::string query, std::size_t most) {
  const Secret* token = api.action_token(asker);
  if (token == nullptr) {
    co_return fail(ErrorKind::not_configured, "Slack gave no permission to search with this request",
                   "mention Deputy again and search then");
  }
  json::object arguments{{"query", std::move(query)},
                         {"action_token", token->reveal()},
                         {"content_types", "messages"},
                         {"include_bots", true},
                         {"limit", most}};
  CO_TRY(const json::object reply, co_await api.call("assistant.search.context", std::move(arguments)));
  CO_TRY(const json::object results, needed_object(reply, "results", "assistant.search.context"));
  CO_TRY(const json::array found, array_in(results, "messages", "assistant.search.context"));
  co_return all_of<SearchHit>(found, [](const json::object& hit) {
    return SearchHit{.channel = text_at(hit, "channel_id"),
                     .channel_name = text_at(hit, "channel_name"),
                     .ts = text_at(hit, "message_ts"),
                     .user = text_at(hit, "author_user_id"),
                     .text = text_at(hit, "content"),
                     .permalink = text_at(hit, "permalink")};
  });
}

Task<Result<std::vector<SearchHit>>> search_as_user(Api& api, std::string query, std::size_t most) {
  json::object arguments{{"query", std::move(query)}, {"count", most}};
  CO_TRY(const json::object reply, co_await api.call("search.messages", std::move(arguments), {.token = Token::user}));
  CO_TRY(const json::object messages, needed_object(reply, "messages", "search.messages"));
  CO_TRY(const json::array found, array_in(messages, "matches", "search.messages"));
  co_return all_of<SearchHit>(found, [](const json::object& hit) {
    const json::object* channel = find_object(hit, "channel");
    return SearchHit{.channel = channel == nullptr ? "" : text_at(*channel, "id"),
                     .channel_name = channel == nullptr ? "" : text_at(*channel, "name"),
                     .ts = text_at(hit, "ts"),
                     .user = text_at(hit, "user"),
                     .text = text_at(hit, "text"),
                     .permalink = text_at(hit, "permalink")};
  });
}

}  // namespace deputy::clients::slack

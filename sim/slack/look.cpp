#include "sim/slack/look.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/base64.h"
#include "sim/slack/api/web_api.h"
#include "sim/slack/page/page.h"

namespace deputy::sim::slack {

namespace {

constexpr std::chrono::minutes kStatusLifetime{2};

std::unexpected<Error> cannot(std::string message) { return fail(ErrorKind::invalid_input, std::move(message)); }

net::Response as_json(const json::value& body) {
  return {200, {{"Content-Type", "application/json; charset=utf-8"}}, json::serialize(body)};
}

net::Response as_page(std::string body, std::string_view type) {
  return {200, {{"Content-Type", fmt::format("{}; charset=utf-8", type)}}, std::move(body)};
}

json::array tokens_of(const Workspace& workspace) {
  static constexpr std::array<std::string_view, 4> kNames = {"bot", "user", "app", "configuration"};
  json::array tokens;
  for (const Token& token : workspace.tokens) {
    json::array scopes;
    for (const std::string& scope : token.scopes) scopes.emplace_back(scope);
    tokens.push_back({{"token", token.value},
                      {"kind", kNames.at(static_cast<std::size_t>(token.kind))},
                      {"user", token.user},
                      {"scopes", std::move(scopes)},
                      {"revoked", token.revoked}});
  }
  return tokens;
}

json::object state(World& world) {
  Workspace& workspace = world.workspace;
  json::array people;
  for (const auto& [id, person] : workspace.people) people.push_back(workspace.show(person, true));
  json::array channels;
  for (const auto& [id, channel] : workspace.channels) {
    json::object shown = workspace.show(channel, workspace.app.bot_user);
    json::array members;
    for (const std::string& member : channel.members) members.emplace_back(member);
    shown["members"] = std::move(members);
    json::object threads;
    for (const auto& [ts, thread] : channel.assistant_threads) {
      const bool is_fresh = workspace.clock.now() - thread.status_set < kStatusLifetime;
      threads[ts] = {{"title", thread.title},
                     {"status", is_fresh ? thread.status : std::string()},
                     {"loading_messages", thread.loading_messages},
                     {"prompts", thread.prompts}};
    }
    shown["assistant_threads"] = std::move(threads);
    channels.push_back(std::move(shown));
  }
  json::array views;
  for (const auto& [id, view] : workspace.views) {
    json::object shown = workspace.show(view);
    shown["user"] = view.user;
    shown["open"] = view.open;
    views.push_back(std::move(shown));
  }
  json::array connections;
  for (const std::string& id : world.deliveries.sockets.connections()) connections.emplace_back(id);
  return {{"team_id", workspace.team_id},
          {"app",
           {{"id", workspace.app.id},
            {"bot_user", workspace.app.bot_user},
            {"bot_id", workspace.app.bot_id},
            {"signing_secret", workspace.app.signing_secret},
            {"request_url", workspace.app.request_url},
            {"agent_view", workspace.app.agent_view},
            {"socket_mode", workspace.app.socket_mode}}},
          {"tokens", tokens_of(workspace)},
          {"people", std::move(people)},
          {"channels", std::move(channels)},
          {"views", std::move(views)},
          {"connections", std::move(connections)},
          {"faults", world.faults.show()},
          {"limits", world.limits.show()}};
}

/// The same value with the names of people and channels where ids are mentioned, as a client of Slack shows them.
std::string with_names(Workspace& workspace, std::string_view text) {
  std::string named;
  while (true) {
    const auto begin = text.find('<');
    const auto end = begin == std::string_view::npos ? begin : text.find('>', begin);
    if (end == std::string_view::npos) return named.append(text);
    const std::string_view token = text.substr(begin + 1, end - begin - 1);
    named += text.substr(0, end);
    if (token.size() > 1 && token.find('|') == std::string_view::npos) {
      const Person* person = token.front() == '@' ? workspace.person(token.substr(1)) : nullptr;
      const Channel* channel = token.front() == '#' ? workspace.channel(token.substr(1)) : nullptr;
      if (person != nullptr) named += "|" + person->name;
      if (channel != nullptr) named += "|" + channel->name;
    }
    named += '>';
    text.remove_prefix(end + 1);
  }
}

void give_names(Workspace& workspace, json::value& value) {
  if (json::string* text = value.if_string()) {
    *text = with_names(workspace, as_view(*text));
  } else if (json::array* list = value.if_array()) {
    for (json::value& item : *list) give_names(workspace, item);
  } else if (json::object* object = value.if_object()) {
    for (auto& [key, inner] : *object) give_names(workspace, inner);
    const Person* mentioned =
        text_at(*object, "type") == "user" ? workspace.person(text_at(*object, "user_id")) : nullptr;
    if (mentioned != nullptr) (*object)["user_id"] = mentioned->name;
    const Channel* named =
        text_at(*object, "type") == "channel" ? workspace.channel(text_at(*object, "channel_id")) : nullptr;
    if (named != nullptr) (*object)["channel_id"] = named->name;
  }
}

/// Pictures are part of the page.
void add_pictures(const Workspace& workspace, json::array& files) {
  for (json::value& one : files) {
    const auto file = one.is_object() ? workspace.files.find(text_at(one.get_object(), "id")) : workspace.files.end();
    if (file != workspace.files.end() && file->second.content.starts_with("\x89PNG"))
      one.get_object()["png"] = to_base64(file->second.content);
  }
}

SeenMessage as_seen(Workspace& workspace, const Channel& channel, const Message& message) {
  json::value named = workspace.show(channel, message);
  give_names(workspace, named);
  const json::object& shown = named.get_object();
  const auto list = [&](std::string_view key) {
    const json::value* value = shown.if_contains(key);
    return value != nullptr && value->is_array() ? value->get_array() : json::array();
  };
  const Person* writer = workspace.person(message.user);
  SeenMessage seen;
  seen.ts = message.ts;
  seen.thread_ts = message.thread_ts;
  seen.user_name = writer == nullptr ? message.user : writer->real_name;
  if (const std::string name = text_at(shown, "username"); !name.empty()) seen.user_name = name;
  seen.text = text_at(shown, "text");
  seen.bot = writer != nullptr && !writer->bot_id.empty();
  seen.ephemeral = !message.only_for.empty();
  seen.edited = shown.contains("edited");
  seen.blocks = list("blocks");
  seen.attachments = list("attachments");
  seen.files = list("files");
  add_pictures(workspace, seen.files);
  seen.reactions = list("reactions");
  seen.chunks = message.chunks;
  seen.streaming = message.stream == StreamState::in_progress;
  // A stream that was edited is a message like any other: its blocks stand in place of its text.
  if (message.stream != StreamState::none && !seen.edited && !seen.text.empty()) {
    seen.chunks.push_back({{"type", "markdown_text"}, {"text", std::exchange(seen.text, {})}});
  }
  return seen;
}

/// The messages that `viewer` sees (empty: all of them), of a thread or of the channel itself.
std::vector<SeenMessage> seen_by(Workspace& workspace, const Channel& channel, std::string_view thread_ts,
                                 std::string_view viewer) {
  std::vector<SeenMessage> seen;
  for (const Message& message : channel.messages) {
    if (!message.only_for.empty() && !viewer.empty() && message.only_for != viewer) continue;
    const bool in_thread = message.ts == thread_ts || message.thread_ts == thread_ts;
    if (thread_ts.empty() ? message.is_reply() : !in_thread) continue;
    seen.push_back(as_seen(workspace, channel, message));
  }
  return seen;
}

std::string field(const std::vector<net::FormField>& query, std::string_view name) {
  return std::string(net::find_field(query, name).value_or(""));
}

}  // namespace

Result<net::Response> show_what_is_there(World& world, std::string_view what,
                                         const std::vector<net::FormField>& query) {
  Workspace& workspace = world.workspace;
  const bool dark = field(query, "theme") == "dark";
  if (what == "state") return as_json(state(world));
  if (what == "methods") {
    json::array names;
    for (const Method* method : all_methods()) names.emplace_back(json::string(method->name));
    return as_json(json::object{{"methods", std::move(names)}});
  }
  if (what == "view.html") {
    const auto view = workspace.views.find(field(query, "view_id"));
    if (view == workspace.views.end()) return cannot("There is no such view");
    return as_page(view_page(workspace.show(view->second), dark), "text/html");
  }
  if (what != "thread" && what != "thread.txt" && what != "thread.html") return cannot("Unknown: " + std::string(what));
  Channel* channel = workspace.channel(field(query, "channel"));
  if (channel == nullptr) return cannot("There is no channel `" + field(query, "channel") + "`");
  const std::string ts = field(query, "ts");
  const std::vector<SeenMessage> seen = seen_by(workspace, *channel, ts, field(query, "user"));
  if (what == "thread.txt") return as_page(thread_text(seen), "text/plain");
  if (what == "thread.html")
    return as_page(thread_page(channel->name.empty() ? "Direct message" : "#" + channel->name, seen, dark),
                   "text/html");
  json::array messages;
  for (const Message& message : channel->messages) {
    if (ts.empty() || message.ts == ts || message.thread_ts == ts) {
      json::object shown = workspace.show(*channel, message);
      if (!message.only_for.empty()) shown["only_for"] = message.only_for;
      if (!message.chunks.empty()) shown["chunks"] = message.chunks;
      messages.push_back(std::move(shown));
    }
  }
  return as_json(json::object{{"messages", std::move(messages)}, {"text", thread_text(seen)}});
}

}  // namespace deputy::sim::slack

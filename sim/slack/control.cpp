#include "sim/slack/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "net/form.h"
#include "sim/slack/acts.h"
#include "sim/slack/interactions.h"
#include "sim/slack/page.h"
#include "sim/slack/web_api.h"

namespace deputy::sim::slack {

namespace {

constexpr std::chrono::milliseconds kMaxWait{120'000};
constexpr std::chrono::minutes kStatusLifetime{2};
constexpr std::array<std::string_view, 4> kDisconnectReasons = {"warning", "refresh_requested", "link_disabled",
                                                                "too_many_websockets"};

std::unexpected<Error> cannot(std::string message) { return fail(ErrorKind::invalid_input, std::move(message)); }

net::Response as_json(const json::value& body, int status = 200) {
  return {status, {{"Content-Type", "application/json; charset=utf-8"}}, json::serialize(body)};
}

net::Response as_page(std::string body, std::string_view type) {
  return {200, {{"Content-Type", fmt::format("{}; charset=utf-8", type)}}, std::move(body)};
}

std::set<std::string> texts_of(const json::value& list) {
  std::set<std::string> found;
  if (const json::array* items = list.if_array()) {
    for (const json::value& item : *items) found.insert(as_text(item));
  }
  return found;
}

void set_flag(bool& flag, const json::object& wanted, std::string_view key) {
  const json::value* value = wanted.if_contains(key);
  if (value != nullptr && value->is_bool()) flag = value->get_bool();
}

void set_text(std::string& text, const json::object& wanted, std::string_view key) {
  if (wanted.contains(key)) text = text_at(wanted, key);
}

// What is set.

Result<json::object> set_person(World& world, const json::object& wanted) {
  const std::string id = text_at(wanted, "id");
  if (id.empty()) return cannot("A person needs an id");
  Person& person = world.workspace.people[id];
  person.id = id;
  if (person.team_id.empty()) person.team_id = world.workspace.team_id;
  if (person.name.empty()) person.name = to_lower(id);
  set_text(person.name, wanted, "name");
  if (person.real_name.empty()) person.real_name = person.name;
  set_text(person.real_name, wanted, "real_name");
  set_text(person.team_id, wanted, "team_id");
  set_text(person.email, wanted, "email");
  set_text(person.bot_id, wanted, "bot_id");
  set_text(person.app_id, wanted, "app_id");
  set_flag(person.admin, wanted, "admin");
  set_flag(person.deleted, wanted, "deleted");
  set_flag(person.restricted, wanted, "restricted");
  set_flag(person.ultra_restricted, wanted, "ultra_restricted");
  set_flag(person.stranger, wanted, "stranger");
  return json::object{{"person", world.workspace.show(person, true)}};
}

Result<json::object> set_channel(World& world, const json::object& wanted) {
  const std::string id = text_at(wanted, "id");
  if (id.empty()) return cannot("A channel needs an id");
  std::set<std::string> members;
  if (const json::value* list = wanted.if_contains("members")) members = texts_of(*list);
  for (const std::string& member : members) {
    if (world.workspace.person(member) == nullptr) return cannot("There is no person `" + member + "`");
  }
  Channel& channel = world.workspace.channels[id];
  channel.id = id;
  set_text(channel.name, wanted, "name");
  set_text(channel.topic, wanted, "topic");
  set_flag(channel.archived, wanted, "archived");
  if (wanted.contains("members")) channel.members = members;
  bool is_private = channel.kind == ChannelKind::closed;
  set_flag(is_private, wanted, "private");
  if (channel.kind == ChannelKind::open || channel.kind == ChannelKind::closed)
    channel.kind = is_private ? ChannelKind::closed : ChannelKind::open;
  if (const json::value* teams = wanted.if_contains("connected_teams")) {
    const std::set<std::string> ids = texts_of(*teams);
    channel.connected_teams.assign(ids.begin(), ids.end());
  }
  return json::object{{"channel", world.workspace.show(channel, world.workspace.app.bot_user)}};
}

Result<json::object> set_group(World& world, const json::object& wanted) {
  const std::string id = text_at(wanted, "id");
  if (id.empty()) return cannot("A user group needs an id");
  UserGroup& group = world.workspace.groups[id];
  group.id = id;
  set_text(group.handle, wanted, "handle");
  set_text(group.name, wanted, "name");
  set_flag(group.disabled, wanted, "disabled");
  if (const json::value* users = wanted.if_contains("users")) {
    const std::set<std::string> ids = texts_of(*users);
    group.users.assign(ids.begin(), ids.end());
  }
  return json::object{{"group", world.workspace.show(group, true)}};
}

/// `{token, revoked?, add_scopes?, remove_scopes?}`
Result<json::object> set_token(World& world, const json::object& wanted) {
  const auto token = std::ranges::find(world.workspace.tokens, text_at(wanted, "token"), &Token::value);
  if (token == world.workspace.tokens.end()) return cannot("There is no such token");
  set_flag(token->revoked, wanted, "revoked");
  if (const json::value* scopes = wanted.if_contains("add_scopes")) token->scopes.merge(texts_of(*scopes));
  if (const json::value* scopes = wanted.if_contains("remove_scopes")) {
    for (const std::string& scope : texts_of(*scopes)) token->scopes.erase(scope);
  }
  world.record.add("token_changed", {{"kind_of_token", static_cast<int>(token->kind)}, {"revoked", token->revoked}});
  return json::object{};
}

/// `{request_url?, subscriptions?, agent_view?, home_tab?, messages_tab?, socket_mode?}`
Task<Result<json::object>> set_app(World& world, json::object wanted) {
  App& app = world.workspace.app;
  if (wanted.contains("request_url")) {
    const std::string url = text_at(wanted, "request_url");
    if (!url.empty()) CO_TRY((co_await world.deliveries.verify_request_url(url)));
    app.request_url = url;
  }
  if (const json::value* list = wanted.if_contains("subscriptions")) app.subscriptions = texts_of(*list);
  set_flag(app.agent_view, wanted, "agent_view");
  set_flag(app.home_tab, wanted, "home_tab");
  set_flag(app.messages_tab, wanted, "messages_tab");
  set_flag(app.socket_mode, wanted, "socket_mode");
  if (!app.socket_mode) world.deliveries.sockets.disconnect("link_disabled", "");
  co_return json::object{};
}

/// `{acknowledge_ms?, connection_ms?, retry_ms?: [3], trigger_ms?, goodbye_ms?, ping_ms?}`: each at most Slack's.
Result<json::object> set_timing(World& world, const json::object& wanted) {
  const Timing slack;
  const auto shorten = [&](std::chrono::milliseconds& time, std::chrono::milliseconds most,
                           const json::value& value) -> Result<> {
    const auto ms = as_whole(value);
    if (!ms || *ms < 0 || *ms > most.count())
      return cannot(fmt::format("Slack's time is {} ms; it can be shortened, not lengthened", most.count()));
    time = std::chrono::milliseconds(*ms);
    return {};
  };
  for (const auto& [key, value] : wanted) {
    if (key == "acknowledge_ms")
      TRY((shorten(world.timing.acknowledge, slack.acknowledge, value)));
    else if (key == "trigger_ms")
      TRY((shorten(world.timing.trigger, slack.trigger, value)));
    else if (key == "goodbye_ms")
      TRY((shorten(world.timing.goodbye, slack.goodbye, value)));
    else if (key == "connection_ms")
      TRY((shorten(world.timing.connection, slack.connection, value)));
    else if (key == "ping_ms")
      TRY((shorten(world.timing.ping, slack.ping, value)));
    else if (key == "retry_ms" && value.is_array() && value.get_array().size() == slack.retries.size()) {
      for (std::size_t i = 0; i < slack.retries.size(); ++i)
        TRY((shorten(world.timing.retries.at(i), slack.retries.at(i), value.get_array()[i])));
    } else {
      return cannot("Unknown time `" + std::string(key) + "`");
    }
  }
  return json::object{};
}

Result<json::object> set_limits(World& world, const json::object& wanted) {
  TRY((world.limits.set(wanted)));
  if (world.limits.raised()) {
    std::puts("deputy-sim: rate limits are raised above Slack's");
    std::fflush(stdout);
    world.record.add("limits_raised", world.limits.show());
  }
  return world.limits.show();
}

Result<json::object> add_fault(World& world, const json::object& wanted) {
  if (text_at(wanted, "kind") == "clear") {
    world.faults.clear();
    return json::object{};
  }
  TRY((world.faults.add(wanted)));
  return json::object{{"faults", world.faults.show()}};
}

/// `{reason, connection?}`; without a reason the sockets are cut.
Result<json::object> disconnect(World& world, const json::object& wanted) {
  const std::string reason = text_at(wanted, "reason");
  const std::string connection = text_at(wanted, "connection");
  if (reason.empty()) {
    world.deliveries.sockets.cut(connection);
    return json::object{};
  }
  if (!contains(kDisconnectReasons, reason))
    return cannot("The reasons are warning, refresh_requested, link_disabled and too_many_websockets");
  if (!world.deliveries.sockets.disconnect(reason, connection)) return cannot("There is no connection to end");
  return json::object{};
}

// What is looked at.

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
  seen.reactions = list("reactions");
  seen.chunks = message.chunks;
  seen.streaming = message.stream == StreamState::in_progress;
  if (message.stream != StreamState::none && !seen.text.empty()) {
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

Result<net::Response> look(World& world, std::string_view what, const std::vector<net::FormField>& query) {
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

/// `{after?, kind?, match?, timeout_ms?}`: entries of the record; with a timeout it waits for the first.
Task<Result<json::object>> read_record(World& world, json::object wanted) {
  const auto number = [&](std::string_view key) {
    return wanted.contains(key) ? as_whole(wanted.at(key)).value_or(0) : 0;
  };
  const json::object* match = find_object(wanted, "match");
  const auto limit =
      std::clamp(std::chrono::milliseconds(number("timeout_ms")), std::chrono::milliseconds(0), kMaxWait);
  json::array found = co_await world.record.wait(number("after"), text_at(wanted, "kind"),
                                                 match == nullptr ? json::object() : *match, limit);
  co_return json::object{{"entries", std::move(found)}, {"last", world.record.last()}};
}

using Act = Result<json::object> (*)(World&, const json::object&);
using SlowAct = Task<Result<json::object>> (*)(World&, json::object);

const std::map<std::string, Act, std::less<>> kActs = {{"say", say},
                                                       {"edit", edit},
                                                       {"delete", take_back},
                                                       {"react", react},
                                                       {"upload", upload},
                                                       {"invite", invite},
                                                       {"leave", leave},
                                                       {"open_home", open_home},
                                                       {"open_assistant", open_assistant},
                                                       {"change_context", change_context},
                                                       {"stop", stop_agent},
                                                       {"rename_session", rename_session},
                                                       {"person", set_person},
                                                       {"channel", set_channel},
                                                       {"group", set_group},
                                                       {"token", set_token},
                                                       {"timing", set_timing},
                                                       {"limits", set_limits},
                                                       {"fault", add_fault},
                                                       {"disconnect", disconnect}};

const std::map<std::string, SlowAct, std::less<>> kSlowActs = {
    {"click", click},         {"suggest", suggest},       {"submit", submit}, {"close", close_view},
    {"command", run_command}, {"shortcut", run_shortcut}, {"app", set_app},   {"record", read_record}};

Task<Result<json::object>> act(World& world, Relay& relay, std::string what, json::object wanted) {
  if (what == "freeze") {
    // Half-open: the app's socket stays, and nothing passes it any more.
    const std::string connection = text_at(wanted, "connection");
    const std::vector<std::string> connections = world.deliveries.sockets.connections();
    bool any = false;
    for (const std::string& id : connections)
      any = ((connection.empty() || id == connection) && relay.freeze(id)) || any;
    if (!any) co_return cannot("There is no connection to freeze");
    world.record.add("frozen", {{"connection", connection}});
    co_return json::object{};
  }
  if (const auto quick = kActs.find(what); quick != kActs.end()) co_return quick->second(world, wanted);
  const auto slow = kSlowActs.find(what);
  if (slow == kSlowActs.end()) co_return cannot("Unknown: " + what);
  co_return co_await slow->second(world, std::move(wanted));
}

}  // namespace

Task<net::Answer> answer_control(World& world, Relay& relay, net::ServerRequest request) {
  const std::string what = request.path.substr(std::string_view("/control/").size());
  const auto refused = [](const Error& error) {
    return as_json(json::object{{"ok", false}, {"error", describe(error)}}, 400);
  };
  const auto query = net::parse_form(request.query);
  if (!query) co_return refused(query.error());
  if (request.method == "GET") {
    auto seen = look(world, what, *query);
    co_return seen ? *std::move(seen) : refused(seen.error());
  }
  const auto wanted = request.body.empty() ? Result<json::object>(json::object()) : parse_json_object(request.body);
  if (!wanted) co_return refused(wanted.error());
  auto done = co_await act(world, relay, what, *wanted);
  if (!done) co_return refused(done.error());
  json::object body = {{"ok", true}};
  for (auto& [key, value] : *done) body[key] = std::move(value);
  co_return as_json(body);
}

}  // namespace deputy::sim::slack

#include "sim/slack/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "net/form.h"
#include "sim/slack/look.h"
#include "sim/slack/people/acts.h"
#include "sim/slack/people/interactions.h"

namespace deputy::sim::slack {

namespace {

constexpr std::chrono::milliseconds kMaxWait{120'000};
constexpr std::array<std::string_view, 4> kDisconnectReasons = {"warning", "refresh_requested", "link_disabled",
                                                                "too_many_websockets"};

std::unexpected<Error> cannot(std::string message) { return fail(ErrorKind::invalid_input, std::move(message)); }

net::Response as_json(const json::value& body, int status = 200) {
  return {status, {{"Content-Type", "application/json; charset=utf-8"}}, json::serialize(body)};
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
  set_flag(person.hidden, wanted, "hidden");
  set_flag(person.webhook, wanted, "webhook");
  if (const json::value* list = wanted.if_contains("workspaces")) {
    const std::set<std::string> ids = texts_of(*list);
    person.workspaces.assign(ids.begin(), ids.end());
  }
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

/// `{request_url?, subscriptions?, agent_view?, home_tab?, messages_tab?, socket_mode?, org_wide?, enterprise_id?}`
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
  set_flag(app.org_wide, wanted, "org_wide");
  set_text(world.workspace.enterprise_id, wanted, "enterprise_id");
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

/// `{channel, seconds}`: too much was posted there, so that it takes no post for so long.
Result<json::object> flood(World& world, const json::object& wanted) {
  const Channel* channel = world.workspace.channel(text_at(wanted, "channel"));
  if (channel == nullptr) return cannot("There is no channel `" + text_at(wanted, "channel") + "`");
  const auto seconds = wanted.contains("seconds") ? as_whole(wanted.at("seconds")) : std::nullopt;
  if (!seconds || *seconds < 1 || *seconds > 3600) return cannot("`seconds` is between 1 and 3600");
  world.limits.flood(channel->id, std::chrono::seconds(*seconds), world.workspace.clock.now());
  return json::object{};
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
                                                       {"flood", flood},
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
    auto seen = show_what_is_there(world, what, *query);
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

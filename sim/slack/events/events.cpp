#include "sim/slack/events/events.h"

#include <algorithm>

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxActionTokens = 10'000;

std::string subscription_for(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::open:
      return "message.channels";
    case ChannelKind::closed:
      return "message.groups";
    case ChannelKind::direct:
      return "message.im";
    case ChannelKind::group:
      return "message.mpim";
  }
  return {};
}

std::string history_scope(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::open:
      return "channels:history";
    case ChannelKind::closed:
      return "groups:history";
    case ChannelKind::direct:
      return "im:history";
    case ChannelKind::group:
      return "mpim:history";
  }
  return {};
}

void tell_in(World& world, const Channel& in, json::object event) {
  if (!in.members.contains(world.workspace.app.bot_user)) return;
  event["channel"] = in.id;
  event["channel_type"] = event_kind(in.kind);
  tell(world, subscription_for(in.kind), history_scope(in.kind), std::move(event), &in);
}

/// A token that lets the app search on behalf of who wrote this.
std::string new_action_token(Workspace& workspace, const std::string& user) {
  const std::string token = workspace.next_id("fake-action-token-");
  if (workspace.action_tokens.size() >= kMaxActionTokens)
    workspace.action_tokens.erase(workspace.action_tokens.begin());
  workspace.action_tokens[token] = user;
  return token;
}

}  // namespace

void tell(World& world, std::string_view subscription, std::string_view scope, json::object event,
          const Channel* where) {
  Workspace& workspace = world.workspace;
  if (!workspace.app.subscriptions.contains(std::string(subscription))) return;
  const auto token = std::ranges::find(workspace.tokens, TokenKind::bot, &Token::kind);
  if (token == workspace.tokens.end() || token->revoked) return;
  if (!scope.empty() && !token->scopes.contains(std::string(scope))) return;
  if (!event.contains("event_ts")) event["event_ts"] = workspace.next_ts();
  const std::string name = text_at(event, "type");
  json::object payload = {{"token", workspace.app.verification_token},
                          {"team_id", workspace.team_id},
                          {"context_team_id", workspace.team_id},
                          {"context_enterprise_id", nullptr},
                          {"api_app_id", workspace.app.id},
                          {"event", std::move(event)},
                          {"type", "event_callback"},
                          {"event_id", workspace.next_id("Ev0")},
                          {"event_time", to_millis(workspace.clock.now()) / 1000},
                          {"authorizations",
                           {{{"enterprise_id", nullptr},
                             {"team_id", workspace.team_id},
                             {"user_id", workspace.app.bot_user},
                             {"is_bot", true},
                             {"is_enterprise_install", false}}}},
                          {"is_ext_shared_channel", where != nullptr && !where->connected_teams.empty()},
                          {"event_context", workspace.next_id("4-")}};
  world.deliveries.send({EnvelopeKind::events_api, name, std::move(payload), false});
}

void tell_message(World& world, const Channel& in, const Message& message) {
  if (!message.only_for.empty()) return;
  Workspace& workspace = world.workspace;
  json::object event = workspace.show(in, message);
  event["event_ts"] = message.ts;
  for (const std::string_view of_roots :
       {"reply_count", "reply_users_count", "reply_users", "latest_reply", "is_locked", "subscribed"})
    event.erase(of_roots);
  if (!message.is_reply()) event.erase("thread_ts");
  const bool by_app = message.user == workspace.app.bot_user;
  const Person* writer = workspace.person(message.user);
  if (!by_app && writer != nullptr && writer->bot_id.empty()) {
    const std::string action_token = new_action_token(workspace, message.user);
    event["assistant_thread"] = {{"action_token", action_token}};
    event["action_token"] = action_token;
  }
  const bool mentions = text_at(message.body, "text").find("<@" + workspace.app.bot_user + ">") != std::string::npos;
  if (mentions && !by_app && in.kind != ChannelKind::direct && in.members.contains(workspace.app.bot_user)) {
    json::object mention = event;
    mention["type"] = "app_mention";
    mention["channel"] = in.id;
    tell(world, "app_mention", "app_mentions:read", std::move(mention), &in);
  }
  tell_in(world, in, std::move(event));
}

void tell_changed(World& world, const Channel& in, const Message& now, json::object before) {
  if (!now.only_for.empty()) return;
  tell_in(world, in,
          {{"type", "message"},
           {"subtype", "message_changed"},
           {"message", world.workspace.show(in, now)},
           {"previous_message", std::move(before)},
           {"hidden", true},
           {"ts", world.workspace.next_ts()}});
}

void tell_deleted(World& world, const Channel& in, json::object before) {
  const std::string ts = text_at(before, "ts");
  tell_in(world, in,
          {{"type", "message"},
           {"subtype", "message_deleted"},
           {"previous_message", std::move(before)},
           {"hidden", true},
           {"deleted_ts", ts},
           {"ts", world.workspace.next_ts()}});
}

void tell_reaction(World& world, const Channel& in, const Message& message, const std::string& user,
                   std::string_view name, bool added) {
  if (!in.members.contains(world.workspace.app.bot_user)) return;
  const std::string_view type = added ? "reaction_added" : "reaction_removed";
  tell(world, type, "reactions:read",
       {{"type", type},
        {"user", user},
        {"reaction", name},
        {"item_user", message.user},
        {"item", {{"type", "message"}, {"channel", in.id}, {"ts", message.ts}}}},
       &in);
}

void tell_joined(World& world, const Channel& in, const std::string& user, const std::string& inviter) {
  if (!in.members.contains(world.workspace.app.bot_user)) return;
  tell(world, "member_joined_channel", in.kind == ChannelKind::open ? "channels:read" : "groups:read",
       {{"type", "member_joined_channel"},
        {"user", user},
        {"channel", in.id},
        {"channel_type", in.kind == ChannelKind::open ? "C" : "G"},
        {"team", world.workspace.team_id},
        {"inviter", inviter}},
       &in);
}

}  // namespace deputy::sim::slack

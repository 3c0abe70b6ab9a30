#include "sim/slack/workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::sim::slack {

namespace {

constexpr std::string_view kPartnerTeam = "T0PARTNER01";
constexpr std::size_t kMaxOpenHandles = 10'000;  // triggers, response URLs …: the oldest go

void make_room(auto& handles) {
  while (handles.size() >= kMaxOpenHandles) handles.erase(handles.begin());
}

}  // namespace

std::string_view event_kind(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::open:
      return "channel";
    case ChannelKind::closed:
      return "group";
    case ChannelKind::direct:
      return "im";
    case ChannelKind::group:
      return "mpim";
  }
  return "channel";
}

Workspace::Workspace(const Clock& the_clock) : clock(the_clock) { seed(); }

void Workspace::seed() {
  const auto add_person = [&](Person person) { people.emplace(person.id, std::move(person)); };
  add_person({.id = "U0ANA000001",
              .name = "ana",
              .real_name = "Ana Alvarez",
              .team_id = team_id,
              .email = "ana@example.com",
              .admin = true});
  add_person(
      {.id = "U0BO0000001", .name = "bo", .real_name = "Bo Berg", .team_id = team_id, .email = "bo@example.com"});
  add_person({.id = "U0CY0000001",
              .name = "cy",
              .real_name = "Cy Chen",
              .team_id = team_id,
              .email = "cy@example.com",
              .restricted = true});
  add_person({.id = "U0DEE000001",
              .name = "dee",
              .real_name = "Dee Diaz",
              .team_id = team_id,
              .email = "dee@example.com",
              .restricted = true,
              .ultra_restricted = true});
  add_person({.id = "U0EVE000001",
              .name = "eve",
              .real_name = "Eve Evans",
              .team_id = team_id,
              .email = "eve@example.com",
              .deleted = true});
  add_person({.id = "U0FINN00001",
              .name = "finn",
              .real_name = "Finn Fox",
              .team_id = std::string(kPartnerTeam),
              .email = "finn@example.net",
              .stranger = true});
  add_person({.id = app.bot_user,
              .name = "deputy",
              .real_name = app.name,
              .team_id = team_id,
              .bot_id = app.bot_id,
              .app_id = app.id});
  add_person({.id = "U0ALERTS001",
              .name = "alerts",
              .real_name = "Alerts",
              .team_id = team_id,
              .bot_id = "B0ALERTS001",
              .app_id = "A0ALERTS001"});

  const std::string& bot = app.bot_user;
  const auto add_channel = [&](Channel channel) {
    channel.creator = "U0ANA000001";
    channels.emplace(channel.id, std::move(channel));
  };
  add_channel({.id = "C0GENERAL01",
               .name = "general",
               .members = {"U0ANA000001", "U0BO0000001", "U0CY0000001", "U0ALERTS001", bot}});
  add_channel({.id = "C0OPS000001",
               .name = "ops",
               .members = {"U0ANA000001", "U0BO0000001", "U0ALERTS001", bot},
               .topic = "What runs and what does not"});
  add_channel({.id = "C0RANDOM001", .name = "random", .members = {"U0ANA000001", "U0BO0000001"}});
  add_channel({.id = "C0INCIDENT1",
               .name = "incident-room",
               .kind = ChannelKind::closed,
               .members = {"U0ANA000001", "U0BO0000001", "U0DEE000001", bot}});
  add_channel({.id = "C0BOARD0001", .name = "board", .kind = ChannelKind::closed, .members = {"U0ANA000001"}});
  add_channel({.id = "C0ARCHIVE01", .name = "old-project", .members = {"U0ANA000001", bot}, .archived = true});
  add_channel({.id = "C0SHARED001",
               .name = "with-partner",
               .members = {"U0ANA000001", "U0FINN00001", bot},
               .connected_teams = {std::string(kPartnerTeam)}});

  groups["S0ONCALL001"] = {"S0ONCALL001", "oncall", "On call", {"U0ANA000001", "U0BO0000001"}};

  const std::set<std::string> bot_scopes = {
      "app_mentions:read", "assistant:write",   "channels:history",   "channels:join",
      "channels:manage",   "channels:read",     "chat:write",         "chat:write.customize",
      "chat:write.public", "commands",          "emoji:read",         "files:read",
      "files:write",       "groups:history",    "groups:read",        "groups:write",
      "im:history",        "im:read",           "im:write",           "mpim:history",
      "mpim:read",         "mpim:write",        "pins:write",         "reactions:read",
      "reactions:write",   "search:read.files", "search:read.public", "search:read.users",
      "team:read",         "usergroups:read",   "users:read",         "users:read.email"};
  tokens = {
      {"xoxb-fake-bot-token", TokenKind::bot, bot, bot_scopes},
      {"xapp-fake-app-token", TokenKind::app, bot, {"connections:write"}},
      {"xoxp-fake-user-token",
       TokenKind::user,
       "U0ANA000001",
       {"search:read", "search:read.public", "search:read.private", "search:read.im", "search:read.mpim",
        "search:read.files", "search:read.users", "channels:history", "channels:read", "users:read", "chat:write"}},
      {"xoxe.xoxp-fake-configuration-token",
       TokenKind::configuration,
       "U0ANA000001",
       {"app_configurations:read", "app_configurations:write"}}};
  app.subscriptions = {"app_mention",
                       "message.channels",
                       "message.groups",
                       "message.im",
                       "message.mpim",
                       "reaction_added",
                       "reaction_removed",
                       "app_home_opened",
                       "assistant_thread_started",
                       "assistant_thread_context_changed",
                       "app_context_changed",
                       "agent_session_stopped",
                       "agent_session_title_changed",
                       "member_joined_channel",
                       "member_left_channel",
                       "file_shared",
                       "tokens_revoked",
                       "channel_archive",
                       "channel_rename"};
}

Person* Workspace::person(std::string_view id) {
  const auto found = people.find(std::string(id));
  return found == people.end() ? nullptr : &found->second;
}

Channel* Workspace::channel(std::string_view id) {
  const auto found = channels.find(std::string(id));
  return found == channels.end() ? nullptr : &found->second;
}

Channel* Workspace::channel_by_name(std::string_view name) {
  if (name.starts_with('#')) name.remove_prefix(1);
  for (auto& [id, channel] : channels) {
    if (!channel.name.empty() && channel.name == name) return &channel;
  }
  return nullptr;
}

Message* Workspace::message(Channel& in, std::string_view ts) {
  const auto found = std::ranges::lower_bound(in.messages, ts, {}, &Message::ts);
  return found == in.messages.end() || found->ts != ts ? nullptr : &*found;
}

Person* Workspace::bot(std::string_view bot_id) {
  for (auto& [id, person] : people) {
    if (!person.bot_id.empty() && person.bot_id == bot_id) return &person;
  }
  return nullptr;
}

Channel& Workspace::direct(const std::string& one, const std::string& other) {
  const std::set<std::string> both = {one, other};
  for (auto& [id, channel] : channels) {
    if (channel.kind == ChannelKind::direct && channel.members == both) return channel;
  }
  const std::string id = next_id("D0");
  return channels[id] = {.id = id, .name = {}, .kind = ChannelKind::direct, .creator = one, .members = both};
}

Channel& Workspace::group_message(const std::set<std::string>& members) {
  for (auto& [id, channel] : channels) {
    if (channel.kind == ChannelKind::group && channel.members == members) return channel;
  }
  std::string name = "mpdm-";
  for (const std::string& member : members) name += people.at(member).name + "--";
  const std::string id = next_id("C0MP");
  return channels[id] = {
             .id = id, .name = name + "1", .kind = ChannelKind::group, .creator = *members.begin(), .members = members};
}

std::string Workspace::next_ts() {
  last_micros_ = std::max(last_micros_ + 1, to_millis(clock.now()) * 1000);
  return fmt::format("{}.{:06}", last_micros_ / 1'000'000, last_micros_ % 1'000'000);
}

std::string Workspace::next_id(std::string_view prefix) { return fmt::format("{}{:08}", prefix, ++ids_); }

Message& Workspace::add(Channel& in, Message message) {
  if (message.ts.empty()) message.ts = next_ts();
  ++message_count_;
  if (message.is_reply()) {
    if (Message* root = this->message(in, message.thread_ts)) root->thread_ts = root->ts;
  }
  const auto place = std::ranges::upper_bound(in.messages, message.ts, {}, &Message::ts);
  return *in.messages.insert(place, std::move(message));
}

std::string Workspace::new_trigger(const std::string& user, const std::string& view_id) {
  const std::string number = next_id("");
  const std::string id =
      fmt::format("{}.{}.{}", number, to_millis(clock.now()), sha256_hex("trigger" + number).substr(0, 32));
  make_room(triggers);
  triggers[id] = {user, clock.now(), false, view_id};
  return id;
}

std::string Workspace::new_response_url(std::string_view kind, ResponseUrl use) {
  use.made = clock.now();
  const std::string number = next_id("");
  const std::string path = fmt::format("/{}/{}/{}/{}", kind, team_id, number, sha256_hex(kind).substr(0, 24));
  make_room(response_urls);
  response_urls[path] = std::move(use);
  return address + path;
}

std::vector<const Message*> Workspace::replies(const Channel& in, std::string_view thread_ts) const {
  std::vector<const Message*> found;
  for (const Message& message : in.messages) {
    if (message.only_for.empty() && message.is_reply() && message.thread_ts == thread_ts) found.push_back(&message);
  }
  return found;
}

}  // namespace deputy::sim::slack

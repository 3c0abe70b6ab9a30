// A workspace as Slack writes it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sim/slack/workspace.h"

namespace deputy::sim::slack {

namespace {

std::string mime_of(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> kByEnding = {
      {"txt", "text/plain"}, {"log", "text/plain"}, {"md", "text/markdown"},   {"json", "application/json"},
      {"csv", "text/csv"},   {"png", "image/png"},  {"jpg", "image/jpeg"},     {"jpeg", "image/jpeg"},
      {"gif", "image/gif"},  {"html", "text/html"}, {"pdf", "application/pdf"}};
  const auto dot = name.rfind('.');
  const auto found = dot == std::string_view::npos ? kByEnding.end() : kByEnding.find(to_lower(name.substr(dot + 1)));
  return found == kByEnding.end() ? "application/octet-stream" : found->second;
}

std::string ending_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? "binary" : to_lower(name.substr(dot + 1));
}

json::array as_array(const auto& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

}  // namespace

json::object Workspace::show(const Person& person, bool with_email) const {
  json::object profile = {{"real_name", person.real_name},
                          {"real_name_normalized", person.real_name},
                          {"display_name", person.name},
                          {"display_name_normalized", person.name},
                          {"status_text", ""},
                          {"status_emoji", ""},
                          {"team", person.team_id},
                          {"image_72", address + "/avatars/" + person.id + ".png"}};
  if (with_email && !person.email.empty()) profile["email"] = person.email;
  if (!person.bot_id.empty()) {
    profile["api_app_id"] = person.app_id;
    profile["bot_id"] = person.bot_id;
    profile["always_active"] = true;
  }
  json::object shown = {
      {"id", person.id},           {"team_id", person.team_id},     {"name", person.name},
      {"deleted", person.deleted}, {"profile", std::move(profile)}, {"is_bot", !person.bot_id.empty()},
      {"updated", 1'700'000'000},  {"is_app_user", false},          {"has_2fa", false}};
  if (!person.workspaces.empty()) {
    shown["enterprise_user"] = {
        {"id", person.id}, {"enterprise_id", enterprise_id}, {"teams", as_array(person.workspaces)}};
  }
  if (person.deleted) return shown;  // Slack leaves out the rest for deactivated accounts
  shown["real_name"] = person.real_name;
  shown["tz"] = "Europe/Amsterdam";
  shown["tz_label"] = "Central European Time";
  shown["tz_offset"] = 3600;
  shown["is_admin"] = person.admin;
  shown["is_owner"] = person.admin;
  shown["is_primary_owner"] = false;
  shown["is_restricted"] = person.restricted;
  shown["is_ultra_restricted"] = person.ultra_restricted;
  if (person.stranger) shown["is_stranger"] = true;
  return shown;
}

json::object Workspace::show(const Channel& channel, std::string_view for_user) const {
  json::object shown = {{"id", channel.id},
                        {"created", 1'700'000'000},
                        {"is_archived", channel.archived},
                        {"is_im", channel.kind == ChannelKind::direct},
                        {"is_org_shared", false},
                        {"context_team_id", team_id},
                        {"updated", 1'700'000'000'000}};
  if (channel.kind == ChannelKind::direct) {
    const auto other = std::ranges::find_if(channel.members, [&](const std::string& id) { return id != for_user; });
    shown["user"] = other == channel.members.end() ? std::string(for_user) : *other;
    shown["is_user_deleted"] = people.at(as_text(shown["user"])).deleted;
    shown["priority"] = 0;
    return shown;
  }
  const bool shared = !channel.connected_teams.empty();
  json::array teams = {team_id};
  for (const std::string& team : channel.connected_teams) teams.emplace_back(team);
  shown["name"] = channel.name;
  shown["name_normalized"] = channel.name;
  shown["is_channel"] = channel.kind == ChannelKind::open || channel.kind == ChannelKind::closed;
  shown["is_group"] = false;
  shown["is_mpim"] = channel.kind == ChannelKind::group;
  shown["is_private"] = channel.kind != ChannelKind::open;
  shown["is_general"] = channel.name == "general";
  shown["is_shared"] = shared;
  shown["is_ext_shared"] = shared;
  shown["is_pending_ext_shared"] = false;
  shown["pending_shared"] = json::array();
  shown["pending_connected_team_ids"] = json::array();
  shown["shared_team_ids"] = std::move(teams);
  if (shared) shown["connected_team_ids"] = as_array(channel.connected_teams);
  shown["is_member"] = channel.members.contains(std::string(for_user));
  shown["creator"] = channel.creator;
  shown["unlinked"] = 0;
  shown["topic"] = {{"value", channel.topic}, {"creator", channel.creator}, {"last_set", 0}};
  shown["purpose"] = {{"value", ""}, {"creator", ""}, {"last_set", 0}};
  shown["previous_names"] = json::array();
  return shown;
}

json::object Workspace::bot_profile(const Person& bot) const {
  json::object profile = {{"id", bot.bot_id},
                          {"app_id", bot.app_id},
                          {"name", bot.real_name},
                          {"deleted", bot.deleted},
                          {"updated", 1'700'000'000},
                          {"team_id", bot.team_id},
                          {"icons", {{"image_36", address + "/avatars/" + bot.id + ".png"}}}};
  if (!bot.webhook) profile["user_id"] = bot.id;
  return profile;
}

json::object Workspace::show(const Channel& in, const Message& message) const {
  json::object shown = {{"type", "message"}, {"user", message.user}, {"ts", message.ts}};
  const auto writer = people.find(message.user);
  if (writer != people.end()) {
    shown["team"] = contains(writer->second.workspaces, team_id) ? team_id : writer->second.team_id;
    if (writer->second.stranger) {
      shown["user_team"] = writer->second.team_id;
      shown["source_team"] = writer->second.team_id;
    }
    if (!writer->second.bot_id.empty()) {
      shown["bot_id"] = writer->second.bot_id;
      shown["app_id"] = writer->second.app_id;
      shown["bot_profile"] = bot_profile(writer->second);
    }
    if (writer->second.webhook) {
      shown.erase("user");
      shown["subtype"] = "bot_message";
      shown["username"] = writer->second.real_name;
    }
  }
  if (message.by_webhook) shown.erase("user");
  for (const auto& [key, value] : message.body) shown[key] = value;
  if (!message.thread_ts.empty()) {
    shown["thread_ts"] = message.thread_ts;
    if (message.is_reply()) {
      const auto root = std::ranges::lower_bound(in.messages, message.thread_ts, {}, &Message::ts);
      if (root != in.messages.end() && root->ts == message.thread_ts) shown["parent_user_id"] = root->user;
    } else {
      const std::vector<const Message*> answers = replies(in, message.ts);
      std::vector<std::string> users;
      for (const Message* answer : answers) {
        if (!contains(users, answer->user)) users.push_back(answer->user);
      }
      shown["reply_count"] = answers.size();
      shown["reply_users_count"] = users.size();
      shown["reply_users"] = as_array(users);
      if (!answers.empty()) shown["latest_reply"] = answers.back()->ts;
      shown["is_locked"] = false;
      shown["subscribed"] = false;
    }
  }
  if (message.stream == StreamState::in_progress) shown["streaming_state"] = "in_progress";
  if (message.stream == StreamState::completed) shown["streaming_state"] = "completed";
  if (message.stream == StreamState::stopped_by_user) shown["streaming_state"] = "errored";
  if (!message.reactions.empty()) {
    json::array reactions;
    for (const Reaction& reaction : message.reactions) {
      reactions.push_back(
          {{"name", reaction.name}, {"users", as_array(reaction.users)}, {"count", reaction.users.size()}});
    }
    shown["reactions"] = std::move(reactions);
  }
  return shown;
}

json::object Workspace::show(const File& file) const {
  json::array open;
  json::array closed;
  json::array direct;
  for (const std::string& id : file.channels) {
    const auto found = channels.find(id);
    if (found == channels.end()) continue;
    json::array& list = found->second.kind == ChannelKind::open     ? open
                        : found->second.kind == ChannelKind::direct ? direct
                                                                    : closed;
    list.emplace_back(id);
  }
  const std::string mime = file.snippet_type.empty() ? mime_of(file.name) : "text/plain";
  return {{"id", file.id},
          {"created", file.created},
          {"timestamp", file.created},
          {"name", file.name},
          {"title", file.title},
          {"mimetype", mime},
          {"filetype", file.snippet_type.empty() ? ending_of(file.name) : file.snippet_type},
          {"pretty_type", ending_of(file.name)},
          {"user", file.user},
          {"user_team", team_id},
          {"editable", !file.snippet_type.empty()},
          {"size", file.content.size()},
          {"mode", file.snippet_type.empty() ? "hosted" : "snippet"},
          {"is_external", false},
          {"external_type", ""},
          {"is_public", !open.empty()},
          {"public_url_shared", false},
          {"display_as_bot", false},
          {"username", ""},
          {"url_private", address + "/files-pri/" + team_id + "-" + file.id + "/" + file.name},
          {"url_private_download", address + "/files-pri/" + team_id + "-" + file.id + "/download/" + file.name},
          {"permalink", address + "/files/" + file.user + "/" + file.id + "/" + file.name},
          {"comments_count", 0},
          {"channels", std::move(open)},
          {"groups", std::move(closed)},
          {"ims", std::move(direct)},
          {"file_access", "visible"},
          {"has_rich_preview", false}};
}

json::object Workspace::show(const View& view) const {
  json::object shown = view.body;
  shown["id"] = view.id;
  shown["team_id"] = team_id;
  shown["app_id"] = app.id;
  shown["app_installed_team_id"] = team_id;
  shown["bot_id"] = app.bot_id;
  shown["hash"] = view.hash;
  shown["root_view_id"] = view.root_id.empty() ? view.id : view.root_id;
  shown["previous_view_id"] = view.previous_id.empty() ? json::value(nullptr) : json::value(view.previous_id);
  for (const std::string_view text : {"callback_id", "private_metadata", "external_id"}) {
    if (!shown.contains(text)) shown[text] = "";
  }
  for (const std::string_view flag : {"clear_on_close", "notify_on_close"}) {
    if (!shown.contains(flag)) shown[flag] = false;
  }
  for (const std::string_view text : {"title", "submit", "close"}) {
    if (!shown.contains(text)) shown[text] = nullptr;
  }
  if (!shown.contains("state")) shown["state"] = {{"values", json::object()}};
  return shown;
}

json::object Workspace::show(const UserGroup& group, bool with_users) const {
  json::object shown = {{"id", group.id},
                        {"team_id", team_id},
                        {"is_usergroup", true},
                        {"name", group.name},
                        {"description", ""},
                        {"handle", group.handle},
                        {"is_external", false},
                        {"date_create", 1'700'000'000},
                        {"date_update", 1'700'000'000},
                        {"date_delete", group.disabled ? 1'700'000'000 : 0},
                        {"created_by", "U0ANA000001"},
                        {"updated_by", "U0ANA000001"},
                        {"user_count", group.users.size()},
                        {"prefs", {{"channels", json::array()}, {"groups", json::array()}}}};
  if (with_users) shown["users"] = as_array(group.users);
  return shown;
}

std::string Workspace::permalink(const Channel& in, const Message& message) const {
  std::string digits = message.ts;
  std::erase(digits, '.');
  std::string link = fmt::format("https://{}.slack.com/archives/{}/p{}", domain, in.id, digits);
  if (message.is_reply()) link += fmt::format("?thread_ts={}&cid={}", message.thread_ts, in.id);
  return link;
}

}  // namespace deputy::sim::slack

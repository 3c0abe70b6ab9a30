#include <algorithm>

#include "base/text.h"
#include "sim/slack/api/web_api.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

bool shows_email(const Call& call) { return call.token->scopes.contains("users:read.email"); }

Reply user_info(Call& call) {
  const Person* person = call.workspace.person(call.arguments.text("user"));
  if (person == nullptr || person->webhook) return refuse("user_not_found");
  if (person->hidden) return refuse("user_not_visible");
  json::object shown = call.workspace.show(*person, shows_email(call));
  if (call.arguments.flag("include_locale")) shown["locale"] = "en-US";
  return json::object{{"user", std::move(shown)}};
}

Reply user_list(Call& call) {
  std::vector<const Person*> all;
  for (const auto& [id, person] : call.workspace.people) {
    if (!person.hidden && !person.webhook) all.push_back(&person);
  }
  TRY(const Page page, page_of(call, all.size(), all.size(), 1000));
  json::array members;
  for (std::size_t i = page.begin; i < page.end; ++i)
    members.push_back(call.workspace.show(*all[i], shows_email(call)));
  return json::object{{"members", std::move(members)},
                      {"cache_ts", to_millis(call.workspace.clock.now()) / 1000},
                      {"response_metadata", {{"next_cursor", page.next}}}};
}

Reply lookup_by_email(Call& call) {
  const std::string email = to_lower(call.arguments.text("email"));
  for (const auto& [id, person] : call.workspace.people) {
    if (!person.deleted && !person.stranger && !person.hidden && !person.email.empty() && person.email == email)
      return json::object{{"user", call.workspace.show(person, true)}};
  }
  return refuse("users_not_found");
}

Reply bot_info(Call& call) {
  if (!call.arguments.has("bot")) return refuse("missing_argument");
  const Person* bot = call.workspace.bot(call.arguments.text("bot"));
  if (bot == nullptr) return refuse("bot_not_found");
  json::object shown = call.workspace.bot_profile(*bot);
  shown.erase("team_id");
  return json::object{{"bot", std::move(shown)}};
}

Reply team_info(Call& call) {
  if (call.arguments.has("team") && call.arguments.text("team") != call.workspace.team_id)
    return refuse("team_not_found");
  return json::object{
      {"team",
       {{"id", call.workspace.team_id},
        {"name", call.workspace.team_name},
        {"domain", call.workspace.domain},
        {"email_domain", "example.com"},
        {"url", "https://" + call.workspace.domain + ".slack.com/"},
        {"icon", {{"image_default", true}, {"image_68", call.workspace.address + "/avatars/team.png"}}}}}};
}

Reply emoji_list(Call& call) {
  return json::object{
      {"emoji", {{"deputy", call.workspace.address + "/emoji/deputy.png"}, {"shipit", "alias:squirrel"}}},
      {"cache_ts", std::to_string(to_millis(call.workspace.clock.now()) / 1000)}};
}

Reply group_list(Call& call) {
  json::array groups;
  for (const auto& [id, group] : call.workspace.groups) {
    if (group.disabled && !call.arguments.flag("include_disabled")) continue;
    groups.push_back(call.workspace.show(group, call.arguments.flag("include_users")));
  }
  return json::object{{"usergroups", std::move(groups)}};
}

Reply group_users(Call& call) {
  const auto found = call.workspace.groups.find(call.arguments.text("usergroup"));
  if (found == call.workspace.groups.end()) return refuse("no_such_subteam");
  if (found->second.disabled && !call.arguments.flag("include_disabled")) return json::object{{"users", json::array()}};
  json::array users;
  for (const std::string& user : found->second.users) users.emplace_back(user);
  return json::object{{"users", std::move(users)}};
}

// Reactions and pins.

constexpr std::size_t kMaxEmoji = 23;

bool is_emoji_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 &&
         std::ranges::all_of(name,
                             [](char c) {
                               return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '+' || c == '\'' ||
                                      c == ':';
                             }) &&
         name.front() != ':' && name.back() != ':';
}

std::expected<std::pair<Channel*, Message*>, Refusal> reacted_to(Call& call) {
  if (!call.arguments.has("channel") || !call.arguments.has("timestamp")) return refuse("no_item_specified");
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  const std::string ts = call.arguments.text("timestamp");
  if (ts.find('.') == std::string::npos) return refuse("bad_timestamp");
  Message* message = call.workspace.message(*channel, ts);
  if (message == nullptr || !message->only_for.empty()) return refuse("message_not_found");
  return std::pair(channel, message);
}

Reply add_reaction(Call& call) {
  const std::string name = call.arguments.text("name");
  if (!is_emoji_name(name)) return refuse("invalid_name");
  TRY(const auto item, reacted_to(call));
  const auto [channel, message] = item;
  if (channel->archived) return refuse("is_archived");
  auto reaction = std::ranges::find(message->reactions, name, &Reaction::name);
  if (reaction == message->reactions.end()) {
    if (message->reactions.size() >= kMaxEmoji) return refuse("too_many_emoji");
    reaction = message->reactions.insert(message->reactions.end(), {name, {}});
  }
  if (contains(reaction->users, call.user())) return refuse("already_reacted");
  reaction->users.push_back(call.user());
  tell_reaction(call.world, *channel, *message, call.user(), name, /*added=*/true);
  return json::object{};
}

Reply remove_reaction(Call& call) {
  const std::string name = call.arguments.text("name");
  if (!is_emoji_name(name)) return refuse("invalid_name");
  TRY(const auto item, reacted_to(call));
  const auto [channel, message] = item;
  const auto reaction = std::ranges::find(message->reactions, name, &Reaction::name);
  if (reaction == message->reactions.end() || !contains(reaction->users, call.user())) return refuse("no_reaction");
  std::erase(reaction->users, call.user());
  if (reaction->users.empty()) message->reactions.erase(reaction);
  tell_reaction(call.world, *channel, *message, call.user(), name, /*added=*/false);
  return json::object{};
}

Reply get_reactions(Call& call) {
  TRY(const auto item, reacted_to(call));
  const auto [channel, message] = item;
  json::object shown = call.workspace.show(*channel, *message);
  shown["permalink"] = call.workspace.permalink(*channel, *message);
  return json::object{{"type", "message"}, {"channel", channel->id}, {"message", std::move(shown)}};
}

Reply add_pin(Call& call) {
  TRY(const auto item, reacted_to(call));
  const auto [channel, message] = item;
  if (!channel->members.contains(call.user())) return refuse("not_in_channel");
  if (!channel->pins.insert(message->ts).second) return refuse("already_pinned");
  return json::object{};
}

}  // namespace

std::span<const Method> people_methods() {
  static const std::vector<Method> kMethods = {
      {"users.info", Tier::four, kBot | kUser, {"users:read"}, {"users:read"}, {"user"}, {"include_locale"}, user_info},
      {"users.list",
       Tier::two,
       kBot | kUser,
       {"users:read"},
       {"users:read"},
       {},
       {"cursor", "include_locale", "limit"},
       user_list},
      {"users.lookupByEmail",
       Tier::three,
       kBot | kUser,
       {"users:read.email"},
       {"users:read.email"},
       {"email"},
       {},
       lookup_by_email},
      {"bots.info", Tier::three, kBot | kUser, {"users:read"}, {"users:read"}, {}, {"bot"}, bot_info},
      {"team.info", Tier::three, kBot | kUser, {"team:read"}, {"team:read"}, {}, {"domain", "team"}, team_info},
      {"emoji.list", Tier::two, kBot | kUser, {"emoji:read"}, {"emoji:read"}, {}, {"include_categories"}, emoji_list},
      {"usergroups.list",
       Tier::two,
       kBot | kUser,
       {"usergroups:read"},
       {"usergroups:read"},
       {},
       {"include_count", "include_disabled", "include_users"},
       group_list},
      {"usergroups.users.list",
       Tier::two,
       kBot | kUser,
       {"usergroups:read"},
       {"usergroups:read"},
       {"usergroup"},
       {"include_disabled"},
       group_users},
  };
  return kMethods;
}

std::span<const Method> reaction_methods() {
  static const std::vector<Method> kMethods = {
      {"reactions.add",
       Tier::three,
       kBot | kUser,
       {"reactions:write"},
       {"reactions:write"},
       {"name"},
       {"channel", "timestamp"},
       add_reaction},
      {"reactions.remove",
       Tier::two,
       kBot | kUser,
       {"reactions:write"},
       {"reactions:write"},
       {"name"},
       {"channel", "file", "file_comment", "timestamp"},
       remove_reaction},
      {"reactions.get",
       Tier::three,
       kBot | kUser,
       {"reactions:read"},
       {"reactions:read"},
       {},
       {"channel", "file", "file_comment", "full", "timestamp"},
       get_reactions},
      {"pins.add", Tier::two, kBot | kUser, {"pins:write"}, {"pins:write"}, {"channel"}, {"timestamp"}, add_pin},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack

#include <algorithm>

#include "base/text.h"
#include "sim/slack/api/web_api.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxGroupMembers = 8;

bool is_ts(std::string_view text) {
  const auto dot = text.find('.');
  const auto digits = [](std::string_view part) { return !part.empty() && std::ranges::all_of(part, is_digit); };
  return digits(text.substr(0, dot)) && (dot == std::string_view::npos || digits(text.substr(dot + 1)));
}

/// Compares two ts as numbers without the rounding of a float.
bool is_before(std::string_view one, std::string_view other) {
  const auto padded = [](std::string_view ts) {
    const auto dot = std::min(ts.find('.'), ts.size());
    std::string whole(ts.substr(0, dot));
    std::string part(dot < ts.size() ? ts.substr(dot + 1) : "");
    whole.insert(0, 12 - std::min<std::size_t>(12, whole.size()), '0');
    part.resize(6, '0');
    return whole + part;
  };
  return padded(one) < padded(other);
}

struct Range {
  std::string oldest;
  std::string latest;
  bool inclusive = false;

  bool holds(std::string_view ts) const {
    if (!oldest.empty() && (is_before(ts, oldest) || (!inclusive && ts == oldest))) return false;
    return latest.empty() || !(is_before(latest, ts) || (!inclusive && ts == latest));
  }
};

std::expected<Range, Refusal> read_range(const Call& call) {
  Range range{call.arguments.text("oldest"), call.arguments.text("latest"), call.arguments.flag("inclusive")};
  if (!range.oldest.empty() && !is_ts(range.oldest)) return refuse("invalid_ts_oldest");
  if (!range.latest.empty() && !is_ts(range.latest)) return refuse("invalid_ts_latest");
  if (range.oldest == "0") range.oldest.clear();
  return range;
}

std::expected<Channel*, Refusal> readable_channel(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  TRY((need_scope(call, scope_for(channel->kind, "history"))));
  if (!channel->members.contains(call.user())) return refuse("not_in_channel");
  return channel;
}

json::object as_listed(const Call& call, const Channel& in, const Message& message) {
  json::object shown = call.workspace.show(in, message);
  // Without the flag only the type of metadata is shown.
  if (json::value* metadata = shown.if_contains("metadata");
      metadata != nullptr && !call.arguments.flag("include_all_metadata")) {
    metadata->as_object().erase("event_payload");
  }
  return shown;
}

json::object with_cursor(json::object reply, const Page& page) {
  reply["response_metadata"] = {{"next_cursor", page.next}};
  return reply;
}

Reply info(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  TRY((need_scope(call, scope_for(channel->kind, "read"))));
  json::object shown = call.workspace.show(*channel, call.user());
  if (call.arguments.flag("include_num_members")) shown["num_members"] = channel->members.size();
  if (call.arguments.flag("include_locale")) shown["locale"] = "en-US";
  return json::object{{"channel", std::move(shown)}};
}

Reply history(Call& call) {
  TRY(Channel* const channel, readable_channel(call));
  TRY(const Range range, read_range(call));
  std::vector<const Message*> found;
  for (const Message& message : channel->messages) {
    if (!message.only_for.empty() || !range.holds(message.ts)) continue;
    if (message.is_reply() && text_at(message.body, "subtype") != "thread_broadcast") continue;
    found.push_back(&message);
  }
  std::ranges::reverse(found);
  TRY(const Page page, page_of(call, found.size(), 100, 999));
  json::array messages;
  for (std::size_t i = page.begin; i < page.end; ++i) messages.push_back(as_listed(call, *channel, *found[i]));
  json::object reply = {
      {"messages", std::move(messages)}, {"has_more", !page.next.empty()}, {"pin_count", channel->pins.size()}};
  return page.next.empty() ? Reply(std::move(reply)) : with_cursor(std::move(reply), page);
}

Reply replies(Call& call) {
  TRY(Channel* const channel, readable_channel(call));
  TRY(const Range range, read_range(call));
  const Message* root = call.workspace.message(*channel, call.arguments.text("ts"));
  if (root == nullptr || !root->only_for.empty()) return refuse("thread_not_found");
  if (root->is_reply()) {
    // The ts of a reply gives that message alone.
    return json::object{{"messages", {as_listed(call, *channel, *root)}}, {"has_more", false}};
  }
  std::vector<const Message*> found;
  for (const Message* message : call.workspace.replies(*channel, root->ts)) {
    if (range.holds(message->ts)) found.push_back(message);
  }
  TRY(const Page page, page_of(call, found.size(), 1000, 1000));
  json::array messages = {as_listed(call, *channel, *root)};  // on every page
  for (std::size_t i = page.begin; i < page.end; ++i) messages.push_back(as_listed(call, *channel, *found[i]));
  json::object reply = {{"messages", std::move(messages)}, {"has_more", !page.next.empty()}};
  return page.next.empty() ? Reply(std::move(reply)) : with_cursor(std::move(reply), page);
}

std::expected<std::vector<ChannelKind>, Refusal> read_types(const Call& call) {
  const std::string types = call.arguments.has("types") ? call.arguments.text("types") : "public_channel";
  std::vector<ChannelKind> kinds;
  for (const std::string_view part : split(types, ",")) {
    const std::string_view type = trim(part);
    if (type == "public_channel")
      kinds.push_back(ChannelKind::open);
    else if (type == "private_channel")
      kinds.push_back(ChannelKind::closed);
    else if (type == "im")
      kinds.push_back(ChannelKind::direct);
    else if (type == "mpim")
      kinds.push_back(ChannelKind::group);
    else
      return refuse("invalid_types");
  }
  for (const ChannelKind kind : kinds) TRY((need_scope(call, scope_for(kind, "read"))));
  return kinds;
}

Reply list_of(Call& call, const std::string& member_of, bool members_only) {
  TRY(const std::vector<ChannelKind> kinds, read_types(call));
  std::vector<const Channel*> found;
  for (const auto& [id, channel] : call.workspace.channels) {
    if (!contains(kinds, channel.kind)) continue;
    if (channel.archived && call.arguments.flag("exclude_archived")) continue;
    if (channel.kind != ChannelKind::open && !channel.members.contains(call.user())) continue;
    if (members_only && !channel.members.contains(member_of)) continue;
    found.push_back(&channel);
  }
  TRY(const Page page, page_of(call, found.size(), 100, 1000));
  json::array channels;
  for (std::size_t i = page.begin; i < page.end; ++i) {
    json::object shown = call.workspace.show(*found[i], call.user());
    if (members_only)
      shown.erase("is_member");  // users.conversations does not say
    else if (found[i]->kind != ChannelKind::direct)
      shown["num_members"] = found[i]->members.size();
    channels.push_back(std::move(shown));
  }
  return with_cursor({{"channels", std::move(channels)}}, page);
}

Reply list(Call& call) { return list_of(call, {}, /*members_only=*/false); }

Reply users_conversations(Call& call) {
  const std::string user = call.arguments.has("user") ? call.arguments.text("user") : call.user();
  if (call.workspace.person(user) == nullptr) return refuse("user_not_found");
  return list_of(call, user, /*members_only=*/true);
}

Reply members(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel")));
  TRY((need_scope(call, scope_for(channel->kind, "read"))));
  const std::vector<std::string> all(channel->members.begin(), channel->members.end());
  TRY(const Page page, page_of(call, all.size(), 100, 1000));
  json::array shown;
  for (std::size_t i = page.begin; i < page.end; ++i) shown.emplace_back(all[i]);
  return with_cursor({{"members", std::move(shown)}}, page);
}

Reply open(Call& call) {
  Workspace& workspace = call.workspace;
  Channel* channel = nullptr;
  bool existed = true;
  if (call.arguments.has("channel")) {
    TRY(channel, visible_channel(call, call.arguments.text("channel")));
    if (channel->kind != ChannelKind::direct && channel->kind != ChannelKind::group)
      return refuse("method_not_supported_for_channel_type");
  } else {
    std::set<std::string> everyone;
    const std::string users = call.arguments.text("users");
    if (users.empty()) return refuse("users_list_not_supplied");
    for (const std::string_view part : split(users, ",")) {
      const Person* person = workspace.person(trim(part));
      if (person == nullptr) return refuse("user_not_found");
      if (person->deleted) return refuse("user_disabled");
      if (person->hidden) return refuse("user_not_visible");
      everyone.insert(person->id);
    }
    everyone.erase(call.user());
    if (everyone.empty()) return refuse("not_enough_users");
    if (everyone.size() > kMaxGroupMembers) return refuse("too_many_users");
    TRY((need_scope(call, everyone.size() == 1 ? "im:write" : "mpim:write")));
    const std::size_t before = workspace.channels.size();
    if (everyone.size() == 1) {
      channel = &workspace.direct(call.user(), *everyone.begin());
    } else {
      everyone.insert(call.user());
      channel = &workspace.group_message(everyone);
    }
    existed = workspace.channels.size() == before;
  }
  json::object reply;
  if (existed) reply = {{"no_op", true}, {"already_open", true}};
  reply["channel"] =
      call.arguments.flag("return_im") ? workspace.show(*channel, call.user()) : json::object{{"id", channel->id}};
  return reply;
}

Reply join(Call& call) {
  Channel* channel = call.workspace.channel(call.arguments.text("channel"));
  if (channel == nullptr || (channel->kind == ChannelKind::closed && !channel->members.contains(call.user())))
    return refuse("channel_not_found");
  if (channel->kind != ChannelKind::open) return refuse("method_not_supported_for_channel_type");
  if (channel->archived) return refuse("is_archived");
  json::object reply;
  if (!channel->members.insert(call.user()).second) {
    reply["warning"] = "already_in_channel";
    reply["response_metadata"] = {{"warnings", {"already_in_channel"}}};
  } else {
    tell_joined(call.world, *channel, call.user(), "");
  }
  reply["channel"] = call.workspace.show(*channel, call.user());
  return reply;
}

}  // namespace

std::span<const Method> conversation_methods() {
  static const std::vector<std::string_view> kRead = {"channels:read", "groups:read", "im:read", "mpim:read"};
  static const std::vector<std::string_view> kHistory = {"channels:history", "groups:history", "im:history",
                                                         "mpim:history"};
  static const std::vector<Method> kMethods = {
      {"conversations.info",
       Tier::three,
       kBot | kUser,
       kRead,
       kRead,
       {"channel"},
       {"include_locale", "include_num_members"},
       info},
      {"conversations.history",
       Tier::three,
       kBot | kUser,
       kHistory,
       kHistory,
       {"channel"},
       {"cursor", "include_all_metadata", "inclusive", "latest", "limit", "oldest"},
       history},
      {"conversations.replies",
       Tier::three,
       kBot | kUser,
       kHistory,
       kHistory,
       {"channel", "ts"},
       {"cursor", "include_all_metadata", "inclusive", "latest", "limit", "oldest"},
       replies},
      {"conversations.list",
       Tier::two,
       kBot | kUser,
       kRead,
       kRead,
       {},
       {"cursor", "exclude_archived", "limit", "types"},
       list},
      {"conversations.members", Tier::four, kBot | kUser, kRead, kRead, {"channel"}, {"cursor", "limit"}, members},
      {"conversations.open",
       Tier::three,
       kBot | kUser,
       {"channels:manage", "groups:write", "im:write", "mpim:write"},
       {"channels:write", "groups:write", "im:write", "mpim:write"},
       {},
       {"channel", "prevent_creation", "return_im", "users"},
       open},
      {"conversations.join", Tier::three, kBot | kUser, {"channels:join"}, {"channels:write"}, {"channel"}, {}, join},
      {"users.conversations",
       Tier::three,
       kBot | kUser,
       kRead,
       kRead,
       {},
       {"cursor", "exclude_archived", "limit", "types", "user"},
       users_conversations},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack

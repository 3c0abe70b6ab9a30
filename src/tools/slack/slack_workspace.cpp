#include "tools/slack/slack_workspace.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::tools::slack {

namespace {

constexpr std::chrono::minutes kKeepNames{5};
constexpr std::size_t kMaxChannels = 2000;
constexpr std::size_t kMaxPeople = 5000;
constexpr std::size_t kMaxLookedUp = 30;  // people, for one call
constexpr std::string_view kChannel = "slack";

// Names of channels are lower case.
bool begins_as_id(std::string_view text) {
  return text.starts_with('C') || text.starts_with('G') || text.starts_with('D');
}

bool is_id(std::string_view text) {
  return begins_as_id(text) && text.size() >= 9 &&
         std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c); });
}

}  // namespace

std::string SlackWorkspace::missing() const {
  const bool is_set_up = api_ != nullptr && api_->has(clients::slack::Token::bot);
  return is_set_up ? "" : "set channels.slack.bot_token or SLACK_BOT_TOKEN to the bot token of a Slack app";
}

// ---- Channels.

Task<Result<std::string>> SlackWorkspace::id_of(std::string name_or_id) {
  const std::string name = to_lower(name_or_id);
  const auto now = clock_.now();
  const auto known = channels_.find(name);
  if (known != channels_.end() && now - channels_read_ < kKeepNames) co_return known->second;
  CO_TRY(const std::vector<ChannelInfo> listed,
         co_await clients::slack::list_channels(*api_, "public_channel,private_channel", kMaxChannels,
                                                clients::slack::Listed::all));
  channels_.clear();
  for (const ChannelInfo& one : listed) channels_.emplace(one.name, one.id);
  channels_read_ = now;
  const auto found = channels_.find(name);
  if (found != channels_.end()) co_return found->second;
  if (!begins_as_id(name_or_id)) co_return std::unexpected(no_such_channel());
  CO_TRY(ChannelInfo info, co_await by_id(std::move(name_or_id)));
  co_return std::move(info.id);
}

Task<Result<ChannelInfo>> SlackWorkspace::by_id(std::string id) {
  Result<ChannelInfo> info = co_await clients::slack::channel_info(*api_, std::move(id));
  if (!info && info.error().kind == ErrorKind::not_found) co_return std::unexpected(no_such_channel());
  co_return info;
}

Task<Result<ChannelInfo>> SlackWorkspace::channel(std::string id_or_name) {
  std::string id = id_or_name;
  if (!is_id(id_or_name)) {
    CO_TRY(id, co_await id_of(std::move(id_or_name)));
  }
  co_return co_await by_id(std::move(id));
}

Task<Result<toolkit::Led>> SlackWorkspace::id_of_channel(std::string id_or_name) {
  if (is_id(id_or_name)) co_return toolkit::Led{std::move(id_or_name)};
  CO_TRY(std::string id, co_await id_of(std::move(id_or_name)));
  co_return toolkit::Led{std::move(id)};
}

std::string shown_name(const ChannelInfo& channel) {
  if (channel.is_direct) return "a direct message";
  if (channel.is_group_message) return "a message among several people";
  return "#" + channel.name;
}

bool is_public(const ChannelInfo& channel) {
  return !channel.is_private && !channel.is_direct && !channel.is_group_message;
}

// ---- People.

std::string SlackWorkspace::name_of(std::string_view user) const {
  const auto found = people_.find(user);
  return found == people_.end() ? std::string(user) : found->second;
}

std::string SlackWorkspace::text_of(const json::object& message) const {
  return text_of_(message, [this](std::string_view id) {
    const auto found = people_.find(id);
    return found == people_.end() ? std::string() : found->second;
  });
}

Task<> SlackWorkspace::learn_names(const json::array& messages) {
  std::set<std::string, std::less<>> users;
  for (const json::value& message : messages) {
    const json::object* object = message.if_object();
    if (object == nullptr) continue;
    users.insert(text_at(*object, "user"));
    (void)text_of_(*object, [&](std::string_view id) {
      users.emplace(id);
      return std::string();
    });
  }
  return learn_names(std::move(users));
}

Task<> SlackWorkspace::learn_names(std::set<std::string, std::less<>> users) {
  if (people_.size() > kMaxPeople || clock_.now() - people_since_ > kKeepNames) {
    people_.clear();
    people_since_ = clock_.now();
  }
  std::size_t looked_up = 0;
  for (const std::string& id : users) {
    const bool is_person = id.starts_with('U') || id.starts_with('W');
    if (!is_person || people_.contains(id)) continue;
    if (++looked_up > kMaxLookedUp) co_return;
    const Result<clients::slack::User> user = co_await clients::slack::user_info(*api_, id);
    if (!user && user.error().kind != ErrorKind::not_found) co_return;  // the next one would fail the same way
    if (user && !user->name.empty()) people_.insert_or_assign(id, user->name);
  }
}

// ---- What a call may use.

toolkit::Delegate which_are_visible(std::span<const ChannelInfo> channels) {
  json::array places;
  for (const ChannelInfo& channel : channels)
    places.push_back(json::object{{"id", channel.id}, {"public", is_public(channel)}});
  return {toolkit::DelegateKind::visibility, {{"channel", kChannel}, {"places", std::move(places)}}};
}

Result<std::set<std::string>> visible_in(const json::value& answer) {
  TRY(const json::object read, parse_json_object(as_text(answer)));
  std::set<std::string> ids;
  const json::value* visible = read.if_contains("visible");
  if (visible == nullptr || !visible->is_array())
    return fail(ErrorKind::internal, "it could not be told which channels may be used");
  for (const json::value& id : visible->get_array()) ids.insert(as_text(id));
  return ids;
}

Error no_such_channel() {
  return {ErrorKind::not_found, "there is no such channel, or not one that may be used in this conversation",
          "check the name or use an ID; a private channel can be used by its members, in that channel or in a direct "
          "message, after /invite"};
}

Task<Result<UsableChannel>> usable_channel(SlackWorkspace& workspace, toolkit::CallContext& context) {
  CO_TRY(ChannelInfo channel, co_await workspace.channel(context.path_of("channel")));
  if (!context.answer) co_return which_are_visible(std::span(&channel, 1));
  CO_TRY(const std::set<std::string> visible, visible_in(*context.answer));
  if (!visible.contains(channel.id)) co_return std::unexpected(no_such_channel());
  co_return std::move(channel);
}

}  // namespace deputy::tools::slack

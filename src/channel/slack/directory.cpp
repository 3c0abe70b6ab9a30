#include "channel/slack/directory.h"

#include <fmt/format.h>

#include "base/text.h"
#include "channel/slack/settings.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::seconds kKeepPeople{60};
constexpr std::chrono::minutes kKeepChannels{5};
constexpr std::size_t kMaxKept = 20'000;
constexpr std::size_t kMaxGroups = 100;  // each may have thousands of members

Task<Result<std::set<std::string>>> as_set(Task<Result<std::vector<std::string>>> list) {
  CO_TRY(const std::vector<std::string> items, co_await std::move(list));
  co_return std::set<std::string>(items.begin(), items.end());
}

// Settings list groups and people side by side.
bool is_group(std::string_view id) { return id.starts_with('S') && !id.contains('/'); }

policy::Account account_in(std::string_view team, std::string_view user) {
  return {std::string(kSlack), fmt::format("{}/{}", team, user)};
}

bool is_bot_id(std::string_view id) { return id.starts_with('B'); }

// All groups at once: a message waits for them.
template <class T>
Task<std::vector<T>> all_at_once(std::vector<Task<T>> tasks) {
  if (tasks.empty()) co_return std::vector<T>{};
  const auto executor = co_await asio::this_coro::executor;
  std::vector<decltype(asio::co_spawn(executor, std::move(tasks.front()), asio::deferred))> started;
  for (Task<T>& task : tasks) started.push_back(asio::co_spawn(executor, std::move(task), asio::deferred));
  auto [order, thrown, results] = co_await asio::experimental::make_parallel_group(std::move(started))
                                      .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
  co_return std::move(results);
}

}  // namespace

Directory::Directory(clients::slack::Api& api, const Clock& clock, std::function<std::set<std::string>()> groups)
    : api_(api),
      groups_(std::move(groups)),
      users_(clock, kKeepPeople, kMaxKept,
             [&api](std::string id) { return clients::slack::user_info(api, std::move(id)); }),
      bots_(clock, kKeepPeople, kMaxKept,
            [&api](std::string id) { return clients::slack::bot_info(api, std::move(id)); }),
      channels_(clock, kKeepChannels, kMaxKept,
                [&api](std::string id) { return clients::slack::channel_info(api, std::move(id)); }),
      group_members_(clock, kKeepPeople, kMaxGroups,
                     [&api](std::string id) { return as_set(clients::slack::group_members(api, std::move(id))); }) {}

policy::Account Directory::account(std::string_view user) const { return account_in(self_.team, user); }

bool Directory::is_of_this_workspace(const clients::slack::User& user) const {
  if (user.is_stranger) return false;
  if (!user.workspaces.empty()) return contains(user.workspaces, self_.team);
  return user.team.empty() || user.team == self_.team || user.team == self_.enterprise;
}

Task<policy::Account> Directory::account_of(std::string team, std::string id) {
  if (team == self_.team || id.empty()) co_return account(id);
  if (is_bot_id(id)) co_return team.empty() || team == self_.enterprise ? account(id) : account_in(team, id);
  const Result<clients::slack::User> found = co_await user(id);
  if (found && is_of_this_workspace(*found)) co_return account(id);
  if (found && !found->team.empty()) team = found->team;
  co_return team.empty() ? account(id) : account_in(team, id);
}

Task<policy::Place> Directory::place(std::string id, Shared shared) {
  policy::Place place{.channel = std::string(kSlack),
                      .id = id,
                      .kind = policy::PlaceKind::private_channel,
                      .external = shared == Shared::with_others,
                      .open_to = policy::OpenTo::members};
  if (id.starts_with('D')) place.kind = policy::PlaceKind::direct;
  if (place.kind == policy::PlaceKind::direct) co_return place;
  const Result<clients::slack::ChannelInfo> info = co_await channel(std::move(id));
  if (!info) {
    place.external = true;
    place.lookup = info.error().retryable ? policy::Lookup::failed : policy::Lookup::refused;
    co_return place;
  }
  if (!info->is_private && !info->is_group_message) place.kind = policy::PlaceKind::public_channel;
  if (info->is_direct) place.kind = policy::PlaceKind::direct;
  place.external = place.external || info->is_external;
  co_return place;
}

Task<Result<clients::slack::User>> Directory::user(std::string id) { return users_.get(std::move(id)); }

Task<Result<clients::slack::ChannelInfo>> Directory::channel(std::string id) { return channels_.get(std::move(id)); }

Task<Result<std::set<std::string>>> Directory::members_of_channel(std::string id) {
  return as_set(clients::slack::channel_members(api_, std::move(id)));
}

Task<Result<std::set<std::string>>> Directory::members_of_group(std::string id) {
  return group_members_.get(std::move(id));
}

// A bot that writes without a user. Slack tells of those of its own team only.
Task<Result<policy::Identity>> Directory::bot(policy::Account account) {
  if (!account.id.starts_with(self_.team + "/")) co_return fail(ErrorKind::not_found, "the bot is of another team");
  const Result<clients::slack::Bot> found = co_await bots_.get(user_of(account));
  if (!found && found.error().retryable) co_return std::unexpected(found.error());
  policy::Identity identity{.account = std::move(account), .bot = true, .lookup = policy::Lookup::refused};
  if (!found) co_return identity;
  identity.standing = policy::AccountKind::member;
  identity.deactivated = found->is_deactivated;
  identity.lookup = policy::Lookup::done;
  co_return identity;
}

Task<Result<policy::Identity>> Directory::identity(policy::Account account) {
  const std::string id = user_of(account);
  if (is_bot_id(id)) co_return co_await bot(std::move(account));
  CO_TRY(const clients::slack::User found, co_await user(id));
  policy::Identity identity{.account = std::move(account),
                            .standing = found.is_guest ? policy::AccountKind::guest : policy::AccountKind::member,
                            .bot = found.is_bot,
                            .deactivated = found.is_deactivated};
  if (!is_of_this_workspace(found)) {
    identity.standing = policy::AccountKind::outsider;
    identity.team = found.team;
  }
  identity.email = found.email;
  identity.time_zone = found.time_zone;
  std::vector<std::string> groups;
  std::vector<Task<Result<std::set<std::string>>>> reading;
  for (const std::string& group : groups_()) {
    if (!is_group(group)) continue;
    groups.push_back(group);
    reading.push_back(members_of_group(group));
  }
  const std::vector<Result<std::set<std::string>>> members = co_await all_at_once(std::move(reading));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (members[i] && members[i]->contains(id)) identity.groups.insert(groups[i]);
    if (!members[i] && members[i].error().retryable) identity.lookup = policy::Lookup::failed;
  }
  co_return identity;
}

std::string Directory::known_name(std::string_view id) const {
  if (const clients::slack::User* user = users_.known(id)) return user->name;
  if (const clients::slack::ChannelInfo* channel = channels_.known(id)) return channel->name;
  return "";
}

}  // namespace deputy::channel::slack

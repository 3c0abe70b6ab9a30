#include "channel/slack/directory.h"

#include <fmt/format.h>

#include "channel/slack/blocks.h"
#include "channel/slack/settings.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::seconds kKeepPeople{60};
constexpr std::chrono::minutes kKeepChannels{5};
constexpr std::size_t kMaxKept = 20'000;

// The value that is kept, or the one that `read` gives, which is then kept.
template <class Map, class Read>
Task<Result<decltype(Map::mapped_type::value)>> keep(Map& kept, std::string id, std::chrono::seconds for_so_long,
                                                     const Clock& clock, Read read) {
  if (const auto found = kept.find(id); found != kept.end() && clock.now() < found->second.until)
    co_return found->second.value;
  CO_TRY(auto value, co_await read(id));
  if (kept.size() >= kMaxKept) kept.clear();
  kept.insert_or_assign(std::move(id), typename Map::mapped_type{value, clock.now() + for_so_long});
  co_return value;
}

Task<Result<std::set<std::string>>> as_set(Task<Result<std::vector<std::string>>> list) {
  CO_TRY(const std::vector<std::string> items, co_await std::move(list));
  co_return std::set<std::string>(items.begin(), items.end());
}

// Settings list groups and people side by side.
bool is_group(std::string_view id) { return id.starts_with('S') && !id.contains('/'); }

policy::AccountKind kind_of_user(const clients::slack::User& user, const std::string& home) {
  if (user.is_stranger || (!user.team.empty() && user.team != home)) return policy::AccountKind::outsider;
  return user.is_guest ? policy::AccountKind::guest : policy::AccountKind::member;
}

}  // namespace

policy::Account Directory::account(std::string_view team, std::string_view user) const {
  return {std::string(kSlack), fmt::format("{}/{}", team.empty() ? std::string_view(self_.team) : team, user)};
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
  if (!info) co_return place;
  if (!info->is_private && !info->is_group_message) place.kind = policy::PlaceKind::public_channel;
  if (info->is_direct) place.kind = policy::PlaceKind::direct;
  place.external = place.external || info->is_external;
  co_return place;
}

Task<Result<clients::slack::User>> Directory::user(std::string id) {
  return keep(users_, std::move(id), kKeepPeople, clock_,
              [this](std::string one) { return clients::slack::user_info(api_, std::move(one)); });
}

Task<Result<clients::slack::ChannelInfo>> Directory::channel(std::string id) {
  return keep(channels_, std::move(id), kKeepChannels, clock_,
              [this](std::string one) { return clients::slack::channel_info(api_, std::move(one)); });
}

Task<Result<std::set<std::string>>> Directory::members_of_channel(std::string id) {
  return keep(channel_members_, std::move(id), kKeepChannels, clock_,
              [this](std::string one) { return as_set(clients::slack::channel_members(api_, std::move(one))); });
}

Task<Result<std::set<std::string>>> Directory::members_of_group(std::string id) {
  return keep(group_members_, std::move(id), kKeepPeople, clock_,
              [this](std::string one) { return as_set(clients::slack::group_members(api_, std::move(one))); });
}

Task<Result<policy::Identity>> Directory::identity(policy::Account account) {
  const std::string id = user_of(account);
  CO_TRY(const clients::slack::User found, co_await user(id));
  policy::Identity identity{.account = std::move(account),
                            .standing = kind_of_user(found, self_.team),
                            .bot = found.is_bot,
                            .deactivated = found.is_deactivated};
  if (identity.standing == policy::AccountKind::outsider) identity.team = found.team;
  identity.email = found.email;
  identity.time_zone = found.time_zone;
  for (const std::string& group : groups_()) {
    if (!is_group(group)) continue;
    const Result<std::set<std::string>> members = co_await members_of_group(group);
    if (members && members->contains(id)) identity.groups.insert(group);
  }
  co_return identity;
}

std::string Directory::known_name(std::string_view id) const {
  if (const auto found = users_.find(id); found != users_.end()) return found->second.value.name;
  if (const auto found = channels_.find(id); found != channels_.end()) return found->second.value.name;
  return "";
}

}  // namespace deputy::channel::slack

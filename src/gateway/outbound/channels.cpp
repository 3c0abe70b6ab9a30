#include "gateway/outbound/channels.h"

#include <fmt/format.h>

#include "base/log.h"

namespace deputy::gateway {

void Channels::add(std::shared_ptr<channel::Channel> channel) {
  channels_.insert_or_assign(std::string(channel->name()), std::move(channel));
}

channel::Channel* Channels::of(std::string_view conversation) const {
  const auto found = channels_.find(channel::kind_of(conversation));
  return found == channels_.end() ? nullptr : found->second.get();
}

Task<policy::Identity> ChannelSurroundings::who(policy::Account account) {
  policy::Identity nobody{
      .account = account, .standing = policy::AccountKind::unknown, .lookup = policy::Lookup::refused};
  channel::Channel* const channel = channels_.of(account.channel);
  if (channel == nullptr) co_return nobody;
  const Result<policy::Identity> identity = co_await with_timeout(kMaxWho, channel->who(account));
  // An answer about another account does not count.
  if (identity && identity->account == account) co_return *identity;
  if (!identity) {
    log::warning("an account could not be looked up",
                 {{"account", account.key()}, {"error", describe(identity.error())}});
    if (identity.error().retryable) nobody.lookup = policy::Lookup::failed;
  }
  co_return nobody;
}

Task<run::ThreadContext> ChannelSurroundings::thread(std::string conversation, std::string before, int most) {
  run::ThreadContext thread;
  channel::Channel* const channel = channels_.of(conversation);
  if (channel == nullptr) co_return thread;
  Result<channel::ConversationContext> context =
      co_await with_timeout(kMaxThread, channel->context(conversation, std::move(before), most));
  if (!context) {
    log::warning("a thread could not be read", {{"conversation", conversation}, {"error", describe(context.error())}});
    co_return thread;
  }
  thread.channel_name = std::move(context->channel_name);
  thread.left_out = context->left_out;
  for (channel::ThreadMessage& said : context->said) {
    thread.lines.push_back({said.writer_name.empty() ? said.writer.key() : std::move(said.writer_name),
                            std::move(said.text), said.by_deputy, said.by_bot, std::move(said.ref)});
  }
  co_return thread;
}

Task<std::string> ChannelSurroundings::name_of(policy::Place place) {
  const bool has_name =
      place.kind == policy::PlaceKind::public_channel || place.kind == policy::PlaceKind::private_channel;
  channel::Channel* const channel = channels_.of(place.channel);
  if (channel == nullptr || !has_name || place.id.empty()) co_return std::string();
  const Result<channel::ConversationContext> context =
      co_await with_timeout(kMaxWho, channel->context(channel->conversation_in(place.id), {}, 1));
  if (!context) log::info("a channel's name is not known", {{"error", describe(context.error())}});
  co_return context ? context->channel_name : std::string();
}

const ChannelSurroundings::KnownMembers* ChannelSurroundings::known(const std::string& key) const {
  const auto found = members_.find(key);
  return found != members_.end() && clock_.now() < found->second.until ? &found->second : nullptr;
}

ChannelSurroundings::Keys ChannelSurroundings::keep(std::string key, Result<std::set<std::string>> members,
                                                    std::chrono::seconds age) {
  constexpr std::size_t kMaxKnown = 100;  // each may have thousands of keys
  if (!members) log::warning("members could not be looked up", {{"of", key}, {"error", describe(members.error())}});
  if (members_.size() >= kMaxKnown)
    std::erase_if(members_, [now = clock_.now()](const auto& one) { return one.second.until <= now; });
  if (members_.size() >= kMaxKnown) members_.clear();
  KnownMembers now{members ? Keys(*std::move(members)) : std::nullopt, clock_.now() + age};
  if (!now.keys) now.until = clock_.now() + kFailureAge;
  return members_.insert_or_assign(std::move(key), std::move(now)).first->second.keys;
}

Task<std::optional<std::set<std::string>>> ChannelSurroundings::members(policy::Place place) {
  channel::Channel* const channel = channels_.of(place.channel);
  if (channel == nullptr) co_return std::nullopt;
  std::string key = fmt::format("place {}:{}", place.channel, place.id);
  if (const KnownMembers* now = known(key)) co_return now->keys;
  Result<std::set<std::string>> members = co_await with_timeout(kMaxMembers, channel->members(std::move(place)));
  co_return keep(std::move(key), std::move(members), kMembersAge);
}

Task<std::set<std::string>> ChannelSurroundings::members_of_group(std::string channel, std::string group) {
  channel::Channel* const platform = channels_.of(channel);
  if (platform == nullptr) co_return std::set<std::string>{};
  std::string key = fmt::format("group {}:{}", channel, group);
  if (const KnownMembers* now = known(key)) co_return now->keys.value_or(std::set<std::string>{});
  Result<std::set<std::string>> members = co_await with_timeout(kMaxMembers, platform->members_of_group(group));
  co_return keep(std::move(key), std::move(members), kGroupAge).value_or(std::set<std::string>{});
}

Task<Result<std::string>> ChannelSurroundings::attachment(std::string conversation, run::AttachedFile file,
                                                          std::size_t most) {
  channel::Channel* const channel = channels_.of(conversation);
  if (channel == nullptr) co_return fail(ErrorKind::not_configured, "the channel of this file does not run here");
  channel::InboundFile wanted{std::move(file.id), std::move(file.name), std::move(file.media_type), file.size};
  co_return co_await with_timeout(kMaxDownload, channel->download(std::move(wanted), most));
}

}  // namespace deputy::gateway

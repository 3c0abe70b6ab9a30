#include "gateway/outbound/channels.h"

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
  const policy::Identity nobody{.account = account, .standing = policy::AccountKind::unknown};
  channel::Channel* const channel = channels_.of(account.channel);
  if (channel == nullptr) co_return nobody;
  const Result<policy::Identity> identity = co_await with_timeout(kMaxWho, channel->who(account));
  // An answer about another account does not count.
  if (identity && identity->account == account) co_return *identity;
  if (!identity)
    log::warning("an account could not be looked up",
                 {{"account", account.key()}, {"error", describe(identity.error())}});
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

Task<Result<std::string>> ChannelSurroundings::attachment(std::string conversation, run::AttachedFile file,
                                                          std::size_t most) {
  channel::Channel* const channel = channels_.of(conversation);
  if (channel == nullptr) co_return fail(ErrorKind::not_configured, "the channel of this file does not run here");
  channel::InboundFile wanted{std::move(file.id), std::move(file.name), std::move(file.media_type), file.size};
  co_return co_await with_timeout(kMaxDownload, channel->download(std::move(wanted), most));
}

}  // namespace deputy::gateway

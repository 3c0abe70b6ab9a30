#include "channel/slack/read_back.h"

#include "base/log.h"
#include "channel/slack/settings.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::hours kLookBack{24};
constexpr int kMaxThreads = 200;
constexpr std::size_t kMaxChannels = 500;
constexpr std::size_t kMaxMessages = 200;  // of one channel
constexpr int kTries = 20;
constexpr std::chrono::seconds kPause{5};  // where Slack does not say how long

// Reading back is not urgent: it waits for the rate limit.
template <class T, class Read>
Task<Result<T>> patiently(Read read) {
  for (int attempt = 1;; ++attempt) {
    Result<T> got = co_await read();
    if (got || got.error().kind != ErrorKind::rate_limit || attempt == kTries) co_return got;
    co_await sleep_for(got.error().retry_after.value_or(kPause));
  }
}

}  // namespace

ReadBack::ReadBack(clients::slack::Api& api, Inbox& inbox, const Clock& clock)
    : api_(api), inbox_(inbox), clock_(clock) {}

void ReadBack::seen(std::string_view ts) {
  if (newest_ < ts) newest_ = ts;
}

Task<> ReadBack::store(Receiver& receiver) {
  if (!is_up_to_date_ || newest_ == stored_) co_return;
  const std::string newest = newest_;
  const Result<> kept = co_await receiver.set_cursor(std::string(kSlack), newest);
  if (kept) stored_ = newest;
  if (!kept) log::warning("the newest message seen was not stored", {{"why", describe(kept.error())}});
}

Task<Result<>> ReadBack::run(Receiver& receiver) {
  is_up_to_date_ = false;
  const Timestamp now = clock_.now();
  CO_TRY(std::string after, co_await receiver.cursor(std::string(kSlack)));
  if (after.empty()) {
    seen(ts_of(now));  // the first start: nothing was missed
    is_up_to_date_ = true;
    co_await store(receiver);
    co_return Result<>{};
  }
  after = std::max(after, ts_of(now - kLookBack));
  CO_TRY(const std::vector<ConversationKey> conversations,
         co_await receiver.conversations(std::string(kSlack), now - kLookBack, kMaxThreads));
  for (const ConversationKey& conversation : conversations) {
    const Result<Thread> thread = Thread::parse(conversation);
    if (!thread || thread->ts.empty()) continue;
    CO_TRY((co_await read_thread(receiver, thread->channel, thread->ts, after)));
  }
  const auto list = [this] {
    using clients::slack::Listed;
    return clients::slack::list_channels(api_, "public_channel,private_channel,mpim,im", kMaxChannels,
                                         Listed::only_own);
  };
  CO_TRY(const std::vector<clients::slack::ChannelInfo> channels,
         co_await patiently<std::vector<clients::slack::ChannelInfo>>(list));
  for (const clients::slack::ChannelInfo& channel : channels) {
    CO_TRY((co_await read_channel(receiver, channel.id, after)));
  }
  seen(ts_of(now));
  is_up_to_date_ = true;
  co_await store(receiver);
  co_return Result<>{};
}

Task<Result<>> ReadBack::read_thread(Receiver& receiver, std::string channel, std::string thread, std::string after) {
  const clients::slack::Range range{.oldest = after, .most = kMaxMessages};
  const auto read = [&] { return clients::slack::read_thread(api_, channel, thread, range); };
  Result<clients::slack::Messages> messages = co_await patiently<clients::slack::Messages>(read);
  // A thread or channel that is gone, or that we have left, hides nothing from us.
  if (!messages && messages.error().retryable) co_return std::unexpected(messages.error());
  if (messages) co_return co_await take(receiver, std::move(messages->messages), std::move(channel), std::move(after));
  log::info("a thread was not read back", {{"channel", channel}, {"why", describe(messages.error())}});
  co_return Result<>{};
}

// Messages of a thread are not among those of its channel, and its first message may be older than what was missed.
Task<Result<>> ReadBack::read_channel(Receiver& receiver, std::string channel, std::string after) {
  const std::string day_ago = ts_of(clock_.now() - kLookBack);
  const clients::slack::Range range{.oldest = day_ago, .most = kMaxMessages};
  const auto read = [&] { return clients::slack::read_channel(api_, channel, range); };
  Result<clients::slack::Messages> messages = co_await patiently<clients::slack::Messages>(read);
  if (!messages && messages.error().retryable) co_return std::unexpected(messages.error());
  if (!messages) {
    log::info("a channel was not read back", {{"channel", channel}, {"why", describe(messages.error())}});
    co_return Result<>{};
  }
  std::vector<std::string> threads;
  for (const json::value& message : messages->messages) {
    if (message.is_object() && text_at(message.get_object(), "latest_reply") > after)
      threads.push_back(text_at(message.get_object(), "ts"));
  }
  CO_TRY((co_await take(receiver, std::move(messages->messages), channel, after)));
  for (std::string& thread : threads) {
    CO_TRY((co_await read_thread(receiver, channel, std::move(thread), after)));
  }
  co_return Result<>{};
}

Task<Result<>> ReadBack::take(Receiver& receiver, json::array messages, std::string channel, std::string after) {
  const Absence away{time_of(after), clock_.now()};
  for (const json::value& one : messages) {
    const json::object* object = one.if_object();
    if (object == nullptr || text_at(*object, "ts") <= after) continue;
    std::optional<Said> said = read_stored_message(*object, channel);
    if (!said || inbox_.is_ours(*said)) continue;
    InboundMessage message = co_await inbox_.message_of(*std::move(said));
    message.missed = away;
    CO_TRY((co_await receiver.message(std::move(message))));
  }
  co_return Result<>{};
}

}  // namespace deputy::channel::slack

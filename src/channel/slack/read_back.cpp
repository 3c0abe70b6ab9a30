#include "channel/slack/read_back.h"

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "channel/slack/settings.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::hours kLookBack{24};
// A message may be lost with a socket while later ones come by another: until the silence of the socket is noticed.
constexpr std::chrono::minutes kOverlap{1};
constexpr int kMaxThreads = 200;
constexpr std::size_t kMaxChannels = 500;
constexpr std::size_t kUsualMessages = 200;  // of one channel
constexpr std::size_t kMaxMessages = 2000;
constexpr std::string_view kKinds = "public_channel,private_channel,mpim,im";
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

bool has_replies(const json::object& message) {
  const json::value* count = message.if_contains("reply_count");
  return count != nullptr && as_whole(*count).value_or(0) > 0;
}

bool reaches_back(const clients::slack::Messages& read, const std::string& after) {
  if (!read.has_more || read.messages.empty()) return true;
  const json::object* oldest = read.messages.front().if_object();
  return oldest != nullptr && text_at(*oldest, "ts") <= after;
}

/// Channels with threads of the last day first, in the order of those.
void put_first(std::vector<clients::slack::ChannelInfo>& channels, const std::vector<Thread>& threads) {
  auto place = channels.begin();
  for (const Thread& thread : threads) {
    const auto found = std::ranges::find(place, channels.end(), thread.channel, &clients::slack::ChannelInfo::id);
    if (found != channels.end()) std::iter_swap(place++, found);
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
  CO_TRY(const std::string after, co_await receiver.cursor(std::string(kSlack)));
  if (after.empty()) {
    seen(ts_of(now));  // the first start: nothing was missed
    is_up_to_date_ = true;
    co_await store(receiver);
    co_return Result<>{};
  }
  const Gap gap{std::max(ts_of(time_of(after) - kOverlap), ts_of(now - kLookBack)), time_of(after)};
  CO_TRY(const std::vector<ConversationKey> conversations,
         co_await receiver.conversations(std::string(kSlack), now - kLookBack, kMaxThreads));
  std::vector<Thread> threads;
  for (const ConversationKey& conversation : conversations) {
    Result<Thread> thread = Thread::parse(conversation);
    if (thread && !thread->ts.empty()) threads.push_back(*std::move(thread));
  }
  CO_TRY(Channels channels, co_await own_channels());
  put_first(channels, threads);
  std::set<std::string> listed;
  for (const clients::slack::ChannelInfo& channel : channels) {
    CO_TRY((co_await read_channel(receiver, channel.id, gap, listed)));
  }
  for (const Thread& thread : threads) {
    if (listed.contains(thread.channel + thread.ts)) continue;
    CO_TRY((co_await read_thread(receiver, thread.channel, thread.ts, gap)));
  }
  seen(ts_of(now));
  is_up_to_date_ = true;
  co_await store(receiver);
  co_return Result<>{};
}

Task<Result<ReadBack::Channels>> ReadBack::own_channels_of(std::string kinds) {
  const auto list = [&] {
    return clients::slack::list_channels(api_, kinds, kMaxChannels, clients::slack::Listed::only_own);
  };
  co_return co_await patiently<Channels>(list);
}

// Slack refuses to list all kinds if the scope of one is missing.
Task<Result<ReadBack::Channels>> ReadBack::own_channels() {
  Result<Channels> all = co_await own_channels_of(std::string(kKinds));
  const auto is_answer = [](const Error& error) { return !error.retryable && error.kind != ErrorKind::authentication; };
  if (all || !is_answer(all.error())) co_return all;
  Channels allowed;
  for (const std::string_view kind : split(kKinds, ",")) {
    Result<Channels> listed = co_await own_channels_of(std::string(kind));
    if (!listed && !is_answer(listed.error())) co_return listed;
    if (listed) {
      std::ranges::move(*listed, std::back_inserter(allowed));
    } else if (unlisted_.emplace(kind).second) {
      log::warning("conversations of one kind are not read back", {{"kind", kind}, {"why", describe(listed.error())}});
    }
  }
  co_return allowed;
}

Task<Result<>> ReadBack::read_thread(Receiver& receiver, std::string channel, std::string thread, Gap gap) {
  const clients::slack::Range range{.oldest = gap.after, .most = kMaxMessages};
  const auto read = [&] { return clients::slack::read_thread(api_, channel, thread, range); };
  Result<clients::slack::Messages> messages = co_await patiently<clients::slack::Messages>(read);
  // A thread or channel that is gone, or that we have left, hides nothing from us.
  if (!messages && messages.error().retryable) co_return std::unexpected(messages.error());
  if (messages) co_return co_await take(receiver, std::move(messages->messages), std::move(channel), std::move(gap));
  log::info("a thread was not read back", {{"channel", channel}, {"why", describe(messages.error())}});
  co_return Result<>{};
}

Task<Result<clients::slack::Messages>> ReadBack::messages_of(std::string channel, Gap gap) {
  const std::string day_ago = ts_of(clock_.now() - kLookBack);
  Result<clients::slack::Messages> messages;
  for (const std::size_t most : {kUsualMessages, kMaxMessages}) {
    const clients::slack::Range range{.oldest = day_ago, .most = most};
    const auto read = [&] { return clients::slack::read_channel(api_, channel, range); };
    messages = co_await patiently<clients::slack::Messages>(read);
    if (!messages || reaches_back(*messages, gap.after)) co_return messages;
  }
  if (messages->messages.size() >= kMaxMessages) {
    log::warning("more was said in a channel than is read back", {{"channel", channel}});
    co_return messages;
  }
  co_return std::unexpected(Error{ErrorKind::upstream, "a channel was read back only in part", "", true});
}

// Messages of a thread are not among those of its channel, but each first message says when the last reply came. One
// that does not say so may have replies all the same.
Task<Result<>> ReadBack::read_channel(Receiver& receiver, std::string channel, Gap gap, std::set<std::string>& listed) {
  Result<clients::slack::Messages> messages = co_await messages_of(channel, gap);
  if (!messages && messages.error().retryable) co_return std::unexpected(messages.error());
  if (!messages) {
    log::info("a channel was not read back", {{"channel", channel}, {"why", describe(messages.error())}});
    co_return Result<>{};
  }
  for (const json::value& one : messages->messages) {
    const json::object* message = one.if_object();
    if (message == nullptr) continue;
    std::string thread = text_at(*message, "ts");
    const std::string latest = text_at(*message, "latest_reply");
    const bool tells_latest = !latest.empty();
    if (!tells_latest && !has_replies(*message)) continue;
    listed.insert(channel + thread);
    if (tells_latest && latest <= gap.after) continue;
    CO_TRY((co_await read_thread(receiver, channel, std::move(thread), gap)));
  }
  co_return co_await take(receiver, std::move(messages->messages), std::move(channel), std::move(gap));
}

Task<Result<>> ReadBack::take(Receiver& receiver, json::array messages, std::string channel, Gap gap) {
  for (const json::value& one : messages) {
    const json::object* object = one.if_object();
    if (object == nullptr || text_at(*object, "ts") <= gap.after) continue;
    std::optional<Said> said = read_stored_message(*object, channel);
    if (!said || inbox_.is_ours(*said)) continue;
    InboundMessage message = co_await inbox_.message_of(*std::move(said));
    message.missed = Absence{std::min(gap.away_since, message.at), clock_.now()};
    CO_TRY((co_await receiver.message(std::move(message))));
  }
  co_return Result<>{};
}

}  // namespace deputy::channel::slack

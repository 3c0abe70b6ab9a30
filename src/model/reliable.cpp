#include "model/reliable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/log.h"
#include "base/secret.h"
#include "base/waiting.h"
#include "model/thinking.h"

namespace deputy::model {

bool Breaker::lets_through(Timestamp now) {
  if (failures_ < rules_.failures) return true;
  if (now < until_) return false;
  until_ = now + rules_.rest;
  return true;
}

void Breaker::succeeded() {
  failures_ = 0;
  until_ = {};
}

void Breaker::failed(Timestamp now) {
  if (++failures_ >= rules_.failures) until_ = now + rules_.rest;
}

namespace {

constexpr std::string_view kBeginsAgain = "\n\n(The reply was cut off; it starts again.)\n\n";

double random_share() {
  const std::string bytes = random_bytes(sizeof(std::uint32_t));
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return static_cast<double>(number) / 4294967296.0;
}

// Errors that mean the provider is down, unlike a wrong key or our own rate limit.
bool counts_for_the_breaker(const Error& error) {
  return error.kind == ErrorKind::network || error.kind == ErrorKind::timeout || error.kind == ErrorKind::upstream;
}

// An upper estimate: logs and JSON have fewer characters per token than prose.
std::int64_t max_tokens(const Request& request) {
  constexpr std::size_t kFewestCharactersAToken = 3;
  return static_cast<std::int64_t>(characters_of(request) / kFewestCharactersAToken) + request.max_tokens;
}

// A provider's counts are held to what was sent and asked for: people's budgets hang on them, and a wrong one would
// lock a person out. A token is at least one byte; messages and tools have a frame of a few tokens each.
void bound(Usage& usage, const Request& request) {
  constexpr std::size_t kFrame = 1000, kFrameOfEach = 100;
  auto left = static_cast<std::int64_t>(characters_of(request) + kFrame +
                                        kFrameOfEach * (request.turns.size() + request.tools.size()));
  for (std::int64_t* part : {&usage.input_tokens, &usage.cache_read_tokens, &usage.cache_write_tokens}) {
    *part = std::clamp<std::int64_t>(*part, 0, left);
    left -= *part;
  }
  usage.output_tokens = std::clamp<std::int64_t>(usage.output_tokens, 0, std::max(request.max_tokens, 1));
}

}  // namespace

/// Passes on the text of every try, with a line between tries that says why the text starts again.
class Telling {
 public:
  explicit Telling(OnText on_text) : on_text_(std::move(on_text)) {}

  void begin_try() { begins_again_ = told_; }
  bool hears_thinking() const { return static_cast<bool>(on_text_.thinking); }
  void tell_thinking(std::string_view part) const { on_text_.thinking(part); }
  void tell_wait(const Error& error, std::chrono::milliseconds wait) const {
    if (hears_thinking()) tell_thinking("\n" + wait_line(error, wait));
  }
  void tell_next_try() const {
    if (hears_thinking()) tell_thinking(kTriesAgain);
  }
  void tell(std::string_view part) {
    if (!on_text_ || part.empty()) return;
    if (begins_again_) on_text_(kBeginsAgain);
    begins_again_ = false;
    told_ = true;
    on_text_(part);
  }

 private:
  OnText on_text_;
  bool told_ = false;
  bool begins_again_ = false;
};

Waiting really_wait() { return {.chance = random_share}; }

ReliableModel::ReliableModel(std::vector<Candidate> ways, const Clock& clock, RetryRules retries, BreakerRules breaker,
                             Waiting waiting)
    : clock_(clock), retries_(retries), waiting_(std::move(waiting)) {
  for (Candidate& way : ways) ways_.push_back({std::move(way), Breaker(breaker)});
}

std::int64_t ReliableModel::context_tokens() const { return ways_.front().way.context_tokens; }

std::optional<std::int64_t> ReliableModel::cost_of(const Usage& usage) const {
  const std::optional<Price>& price = ways_.front().way.price;
  if (!price) return std::nullopt;
  return model::cost_of(*price, usage);
}

Task<Result<Reply>> ReliableModel::ask(Request request, OnText on_text) {
  Result<Reply> reply = co_await with_timeout(retries_.total, ask_in_order(std::move(request), std::move(on_text)));
  if (!reply && reply.error().kind == ErrorKind::timeout) {
    co_return fail(ErrorKind::timeout, fmt::format("{} did not answer in time", name()), "try again in a few minutes");
  }
  co_return reply;
}

// Asks each provider in turn until one answers, skipping those whose breaker is open. Waits and starts again if all
// breakers are open, or if a provider named a retry time that is still within the limit.
Task<Result<Reply>> ReliableModel::ask_in_order(Request request, OnText on_text) {
  const auto telling = std::make_shared<Telling>(std::move(on_text));
  const Timestamp until = clock_.now() + retries_.total;
  for (int rounds = 1;; ++rounds) {
    std::optional<Error> failure;
    Timestamp ready = Timestamp::max();
    for (Guarded& guarded : ways_) {
      if (!guarded.breaker.lets_through(clock_.now())) {
        ready = std::min(ready, guarded.breaker.rests_until());
        continue;
      }
      Result<Reply> reply = co_await ask_one(guarded, request, telling, until);
      if (reply) co_return &guarded == &ways_.front() ? *std::move(reply) : by_stand_in(guarded.way, *std::move(reply));
      const Error& error = reply.error();
      if (&guarded != &ways_.back()) {
        log::warning("a model did not answer; trying the next one",
                     {{"model", guarded.way.provider->name()}, {"why", describe(error)}});
        if (error.retryable && error.retry_after) ready = std::min(ready, clock_.now() + *error.retry_after);
      }
      if (!failure) failure = error;  // report the error of the model that people chose
    }
    const bool waits = ready < until && (!failure || rounds < retries_.tries);
    if (!waits) co_return std::unexpected(failure.value_or(timeout_error(retries_.total)));
    co_await waiting_.sleep(std::max<std::chrono::milliseconds>(ready - clock_.now(), std::chrono::milliseconds(1)));
  }
}

Task<Result<Reply>> ReliableModel::ask_one(Guarded& guarded, Request request, std::shared_ptr<Telling> telling,
                                           Timestamp until) {
  const Candidate& way = guarded.way;
  const std::string origin(way.provider->origin());
  std::string prefix = keep_own_thinking(request, origin);
  // In a small context the reply may use a quarter, even if more was asked for.
  if (way.context_tokens > 0)
    request.max_tokens = static_cast<int>(std::min<std::int64_t>(request.max_tokens, way.context_tokens / 4 + 1));
  if (way.context_tokens > 0 && max_tokens(request) > way.context_tokens) {
    Reply unsent;
    unsent.stop = Stop::overflow;
    co_return unsent;
  }
  OnText on_text([telling](std::string_view part) { telling->tell(part); });
  if (telling->hears_thinking()) on_text.thinking = [telling](std::string_view part) { telling->tell_thinking(part); };
  for (int tries = 1;; ++tries) {
    telling->begin_try();
    Result<Reply> reply = co_await way.provider->attempt(request, on_text);
    if (reply) {
      guarded.breaker.succeeded();
      bound(reply->usage, request);
      if (reply->thinking_was_refused) {
        drop_thinking(request.turns);
        prefix = keep_own_thinking(request, origin);
      }
      sign_thinking(*reply, origin, prefix);
      co_return reply;
    }
    const Error& error = reply.error();
    if (counts_for_the_breaker(error)) guarded.breaker.failed(clock_.now());
    const std::chrono::milliseconds wait = wait_after(error, tries);
    const bool next_is_sooner = &guarded != &ways_.back() && wait > retries_.max_wait;
    const bool is_in_time = clock_.now() + wait < until;
    if (!error.retryable || tries >= retries_.tries || !is_in_time || next_is_sooner) co_return reply;
    if (!guarded.breaker.lets_through(clock_.now())) co_return reply;
    if (wait > retries_.max_wait) {
      log::warning("a model asked for a longer wait before the next try",
                   {{"model", way.provider->name()}, {"time", format_duration(wait)}, {"why", describe(error)}});
    }
    telling->tell_wait(error, wait);
    co_await waiting_.sleep(wait);
    telling->tell_next_try();
  }
}

Reply ReliableModel::by_stand_in(const Candidate& way, Reply reply) {
  reply.by = Fallback{std::string(way.provider->name()), std::nullopt};
  if (way.price) reply.by->cost = model::cost_of(*way.price, reply.usage);
  return reply;
}

std::chrono::milliseconds ReliableModel::wait_after(const Error& error, int tries) const {
  if (error.retry_after) return std::max(*error.retry_after, std::chrono::milliseconds(0));
  const double doubled = static_cast<double>(retries_.first_wait.count()) * std::pow(2, tries - 1);
  const double most = std::min(doubled, static_cast<double>(retries_.max_wait.count()));
  return std::chrono::milliseconds(static_cast<std::int64_t>(most * (0.75 + 0.25 * waiting_.chance())));
}

}  // namespace deputy::model

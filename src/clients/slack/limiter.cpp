#include "clients/slack/limiter.h"

#include <algorithm>

namespace deputy::clients::slack {

namespace {

using std::chrono::milliseconds;

constexpr std::chrono::minutes kMinute{1};
constexpr std::chrono::minutes kStrictFor{10};
constexpr std::size_t kPostsInAPeriod = 3;
constexpr std::chrono::seconds kPostPeriod{3};
constexpr std::size_t kMaxCounted = 1000;
constexpr std::size_t kMaxChannels = 1000;

}  // namespace

Limiter::Limit Limiter::limit_of(const Method& method) {
  return {static_cast<std::size_t>(method.per_minute), kMinute};
}

std::optional<milliseconds> Limiter::wait_for(Budget& budget, Limit limit, Use use, Timestamp now) {
  // A clock that was set back must not block for long.
  if (!budget.calls.empty() && budget.calls.back() > now) budget.calls.clear();
  while (!budget.calls.empty() && now - budget.calls.front() >= limit.period) budget.calls.pop_front();
  if (now < budget.blocked_until) return std::chrono::ceil<milliseconds>(budget.blocked_until - now);
  const bool is_strict = now < budget.strict_until;
  if (use == Use::needed && !is_strict) return std::nullopt;
  const std::size_t most = std::max<std::size_t>(use == Use::needed ? limit.calls : limit.calls / 2, 1);
  if (budget.calls.size() < most) return std::nullopt;
  const Timestamp oldest = budget.calls[budget.calls.size() - most];
  return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(oldest + limit.period - now));
}

void Limiter::count(Budget& budget, Timestamp now) {
  budget.calls.push_back(now);
  if (budget.calls.size() > kMaxCounted) budget.calls.pop_front();
}

std::optional<milliseconds> Limiter::take(const Method& method, std::string_view channel, Use use, Timestamp now) {
  Budget& calls = methods_[std::string(method.name)];
  if (const auto wait = wait_for(calls, limit_of(method), use, now)) return wait;
  if (method.posts && !channel.empty()) {
    forget_idle_channels(now);
    Budget& posts = channels_[std::string(channel)];
    if (const auto wait = wait_for(posts, {kPostsInAPeriod, kPostPeriod}, use, now)) return wait;
    count(posts, now);
  }
  count(calls, now);
  return std::nullopt;
}

// A refusal of a post is about its channel: other channels go on.
void Limiter::refused(const Method& method, std::string_view channel, milliseconds wait, Timestamp now) {
  const bool is_post = method.posts && !channel.empty();
  Budget& budget = is_post ? channels_[std::string(channel)] : methods_[std::string(method.name)];
  budget.blocked_until = std::max(budget.blocked_until, now + wait);
  budget.strict_until = now + kStrictFor;
}

void Limiter::forget_idle_channels(Timestamp now) {
  if (channels_.size() < kMaxChannels) return;
  std::erase_if(channels_, [&](const auto& entry) {
    const Budget& budget = entry.second;
    return budget.strict_until < now && (budget.calls.empty() || now - budget.calls.back() > kMinute);
  });
}

}  // namespace deputy::clients::slack

#include "run/drive/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>

#include "base/log.h"
#include "run/journal/delivery.h"

namespace deputy::run {

namespace {

using namespace std::chrono_literals;

// The store hints at changes; this finds what a hint missed.
constexpr auto kLookAgain = 1s;
constexpr int kFailuresUntilLeft = 3;
// Nothing is begun beside a run that may end the process, until it has got further or for so long: it may wait for what
// is not begun.
constexpr auto kMaxAlone = 30s;

}  // namespace

Runner::Runner(const RunDependencies& dependencies, const asio::any_io_executor& executor)
    : dependencies_(dependencies), executor_(executor), wake_(executor) {}

void Runner::wake() {
  woken_ = true;
  wake_.cancel();
}

void Runner::stop(std::chrono::milliseconds grace) {
  stopping_ = true;
  stop_at_ = std::chrono::steady_clock::now() + grace;
  dependencies_.patience->end_at(stop_at_ - grace / 2);  // a pause that has begun ends within the rest
  const auto live = live_;
  for (const auto& [id, run] : live) run->stop();
  wake();
}

RunnerHealth Runner::health() const {
  RunnerHealth health;
  health.live = live_.size();
  health.not_understood.assign(not_understood_.begin(), not_understood_.end());
  for (const auto& [id, times] : failures_) {
    if (times >= kFailuresUntilLeft) health.failing.push_back(id);
  }
  return health;
}

bool Runner::has_given_up(RunId run) const {
  const auto failed = failures_.find(run);
  return not_understood_.contains(run) || (failed != failures_.end() && failed->second >= kFailuresUntilLeft);
}

std::vector<RunId> Runner::except() const {
  std::vector<RunId> runs(not_understood_.begin(), not_understood_.end());
  for (const auto& [id, times] : failures_) {
    if (times >= kFailuresUntilLeft) runs.push_back(id);
  }
  return runs;
}

Task<> Runner::run() {
  while (!stopping_) {
    woken_ = false;
    co_await claim_once();
    if (woken_ || stopping_) continue;
    wake_.expires_after(kLookAgain);
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  // Handlers that may end in their own time can still be paused: a process that stops for a pause sees it first.
  while (!live_.empty() && std::chrono::steady_clock::now() < stop_at_) {
    woken_ = false;
    co_await obey_brake();
    if (woken_) continue;
    wake_.expires_at(std::min(stop_at_, std::chrono::steady_clock::now() + kLookAgain));
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

// Released runs stay open: they are claimed again when the pause ends.
Task<> Runner::obey_brake() {
  const Result<store::BrakeRow> now = co_await dependencies_.store.brake();
  if (!now) {
    log::warning("the brake could not be read; it stays as it was", {{"why", now.error().message}});
    co_return;
  }
  *dependencies_.brake = *now;
  if (now->brake == store::Pause::off) co_return;
  // Each time: a call that was ruled on just before may have begun since.
  const auto live = live_;
  for (const auto& [id, run] : live) run->brake(now->brake);
}

Task<> Runner::claim_once() {
  co_await obey_brake();
  const bool paused = dependencies_.brake->brake == store::Pause::all;
  const LimitSettings limits = dependencies_.rules()->limits;
  store::ClaimFilter filter = claim_filter();
  const bool begins_none = paused || works_on_a_suspect();
  const auto room = begins_none ? 0 : limits.live_runs - static_cast<int>(live_.size());
  const Result<store::Claimed> claimed = co_await dependencies_.store.claim(std::max(room, 0), std::move(filter));
  if (!claimed) {
    log::warning("runs could not be claimed", {{"why", claimed.error().message}});
    co_return;
  }
  for (const RunId& run : claimed->has_mail) {
    if (const auto live = live_.find(run); live != live_.end()) live->second->wake();
  }
  for (const store::Lease& lease : claimed->leases) begin(lease);
}

store::ClaimFilter Runner::claim_filter() {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(after_crash_, [&](const auto& one) {
    const auto live = live_.find(one.first);
    return live == live_.end() || live->second->has_got_further() || now - one.second > kMaxAlone;
  });
  return {except(), dependencies_.rules()->limits.runs_a_person, dependencies_.slots->at_work(),
          store::kMaxAfterCrash - static_cast<int>(after_crash_.size())};
}

bool Runner::works_on_a_suspect() const {
  return suspect_ && after_crash_.contains(*suspect_) && std::chrono::steady_clock::now() - suspect_since_ < kMaxAlone;
}

void Runner::begin(const store::Lease& lease) {
  if (lease.after == store::Lease::After::crash) after_crash_[lease.run] = std::chrono::steady_clock::now();
  if (lease.crashes >= store::kSuspectAfterCrashes) {
    suspect_ = lease.run;
    suspect_since_ = std::chrono::steady_clock::now();
    log::warning("a run that was at work in several crashes is taken up alone",
                 {{"run", lease.run.text()}, {"crashes", lease.crashes}});
  }
  // From here on, not when it has been read: who is claimed next counts it.
  PersonSlots::Slot slot;
  if (lease.in_turn && !lease.person.empty())
    slot = dependencies_.slots->try_enter(lease.person, dependencies_.rules()->limits.runs_a_person);
  const auto run = std::make_shared<LiveRun>(dependencies_, lease, std::move(slot), executor_);
  live_.insert_or_assign(lease.run, run);
  if (stopping_) run->stop();
  spawn(executor_, "run", drive(run, lease));
}

Task<> Runner::drive(std::shared_ptr<LiveRun> run, store::Lease lease) {
  Result<ReleaseReason> released = fail(ErrorKind::internal, "it threw");
  std::exception_ptr thrown;
  try {
    released = co_await run->drive();
  } catch (...) {
    thrown = std::current_exception();
  }
  if (thrown) {
    released = fail(ErrorKind::internal, what_of(thrown));
    co_await run->end_tasks();
  }
  if (!released) {
    log::error("a run could not go on", {{"run", lease.run.text()}, {"why", released.error().message}});
    if (!released.error().retryable) co_await count_failure(*run, lease);
    co_await give_back(lease);
  } else {
    failures_.erase(lease.run);
    // Remembered before it is given back: else this instance claims it again.
    if (*released == ReleaseReason::not_understood) {
      not_understood_.insert(lease.run);
      co_await give_back(lease);
    }
  }
  if (const auto live = live_.find(lease.run); live != live_.end() && live->second == run) {
    live_.erase(live);
    const bool waits = released && *released == ReleaseReason::waits;
    if (dependencies_.watcher != nullptr)
      dependencies_.watcher->on_left(lease.run, waits ? Watcher::Left::waits : Watcher::Left::for_others);
  }
  wake();
}

// One that keeps failing is left, which people must hear: nobody would see it go on.
Task<> Runner::count_failure(const LiveRun& run, store::Lease lease) {
  if (++failures_[lease.run] != kFailuresUntilLeft) co_return;
  const Timestamp now = dependencies_.clock.now();
  const std::string words = fmt::format("I cannot go on with run `{}`; the log says why.", lease.run.text());
  store::Effects effects;
  effects.deliveries.push_back(owe(NoticeDelivery{words}, std::string(kAlertConversation), now, lease.run));
  if (run.state().received)
    effects.deliveries.push_back(owe(NoticeDelivery{words}, run.state().request().conversation, now, lease.run));
  const auto told = co_await dependencies_.patience->ask<store::Appended>(
      [&] { return dependencies_.store.append(lease, 0, store::If::held, {}, effects); });
  if (!told) log::error("nobody could be told", {{"run", lease.run.text()}});
}

// A lease that is kept by mistake is kept for as long as this process lives: so until it is given back.
Task<> Runner::give_back(store::Lease lease) {
  co_await sleep_for(kLookAgain);
  const Result<> released = co_await dependencies_.patience->ask<void>(
      [&] { return dependencies_.store.release(lease); }, [](const Error&) { return true; });
  if (released) co_return;
  log::error("a run could not be given back", {{"run", lease.run.text()}, {"why", released.error().message}});
}

}  // namespace deputy::run

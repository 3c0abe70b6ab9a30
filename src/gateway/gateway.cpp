#include "gateway/gateway.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <list>
#include <ranges>

#include "base/log.h"
#include "base/task.h"

namespace deputy::gateway {

namespace {

constexpr int kRemovedAtOnce = 200;
constexpr std::chrono::milliseconds kBetweenBatches{100};
constexpr std::chrono::milliseconds kFirstRestart{100};
constexpr std::chrono::milliseconds kSlowestRestart{30'000};
// A loop that ran for so long begins with the short pause again.
constexpr std::chrono::minutes kRanWell{1};

}  // namespace

/// The running loops; shared with their completion handlers.
struct Gateway::Loops {
  explicit Loops(const asio::any_io_executor& loop) : ended(loop) {}

  /// An error means that it should not have ended.
  using Body = std::function<Task<Result<>>()>;

  void start(const asio::any_io_executor& loop, const std::shared_ptr<Loops>& self, std::string name, Body body) {
    ++running;
    Cancel& cancel = cancels.emplace_back(loop);
    auto on_end = [self](const std::exception_ptr&) {
      --self->running;
      self->ended.cancel();
    };
    asio::co_spawn(loop, keep_going(self, std::move(name), std::move(body)),
                   asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
  }

  /// Runs the loop until it ends by itself or is cancelled. One that throws, which is a bug, or ends with an error is
  /// counted and begins again after a pause: nobody else would do its work.
  static Task<> keep_going(std::shared_ptr<Loops> self, std::string name, Body body) {
    for (std::chrono::milliseconds pause = kFirstRestart; !self->stopped;) {
      const auto begun = std::chrono::steady_clock::now();
      std::exception_ptr thrown;
      Result<> ended;
      try {
        ended = co_await body();
      } catch (...) {
        thrown = std::current_exception();
      }
      if (thrown ? is_cancellation(thrown) : ended.has_value()) co_return;
      if (std::chrono::steady_clock::now() - begun > kRanWell) pause = kFirstRestart;
      self->count(name, thrown ? what_of(thrown) : describe(ended.error()));
      co_await sleep_for(pause);
      pause = std::min(pause * 2, kSlowestRestart);
    }
  }
  void count(const std::string& name, std::string why) {
    LoopFailures& failed = failures[name];
    ++failed.times;
    failed.last = std::chrono::steady_clock::now();
    failed.why = std::move(why);
    log::error("a loop failed; it begins again", {{"loop", name}, {"why", failed.why}, {"times", failed.times}});
    if (on_failure) on_failure(name, failed.why);
  }
  void stop_receiving() {
    for (Cancel& cancel : cancels | std::views::drop(own)) cancel.emit();
  }
  void cancel_all() {
    for (Cancel& cancel : cancels) cancel.emit();
  }

  /// Returns when one of them has ended.
  Task<> wait() {
    ended.expires_at(std::chrono::steady_clock::time_point::max());
    co_await ended.async_wait(asio::as_tuple(asio::use_awaitable));
  }

  std::size_t own = 0;  // how many of the first ones are not channels
  int running = 0;
  bool runner_running = false;  // not cancelled: it ends by itself once every run is released
  bool stopped = false;
  std::map<std::string, LoopFailures> failures;
  std::function<void(const std::string& loop, const std::string& why)> on_failure;
  std::list<Cancel> cancels;
  asio::steady_timer ended;
};

namespace {

Task<Result<>> until_it_ends(Task<> loop) {
  co_await std::move(loop);
  co_return Result<>{};
}

// A channel runs until it is cancelled; one that ends before has failed.
Task<Result<>> run_channel(std::shared_ptr<channel::Channel> channel, channel::Receiver& receiver) {
  const auto state = co_await asio::this_coro::cancellation_state;
  const Result<> ended = co_await channel->run(receiver);
  if (!ended || state.cancelled() != asio::cancellation_type::none) co_return ended;
  co_return fail(ErrorKind::internal, "the channel ended by itself");
}

Task<> see_to_retention(store::Store& store, const std::optional<store::Retention>& retention) {
  for (;; co_await sleep_for(std::chrono::hours(1))) {
    const Result<> removed = co_await remove_what_is_old(store, *retention);
    if (!removed) log::warning("old rows could not be removed", {{"why", removed.error().message}});
  }
}

WorkSignSettings signs_of(const GatewaySetup& setup) {
  WorkSignSettings settings = setup.signs;
  settings.known_hosts = setup.deliveries.known_hosts;
  return settings;
}

}  // namespace

Gateway::Gateway(GatewaySetup setup, const asio::any_io_executor& loop)
    : channels_(std::move(setup.channels)),
      surroundings_(channels_, setup.clock),
      parts_{setup.store, surroundings_, channels_, setup.registry, setup.rules, setup.redaction, setup.clock},
      signs_(setup.store, channels_, loop, signs_of(setup)),
      live_(channels_, setup.registry, loop),
      services_{setup.store,
                setup.clock,
                setup.registry,
                setup.executor,
                surroundings_,
                setup.rules,
                std::move(setup.model),
                std::move(setup.redaction),
                &live_,
                std::move(setup.fast_model)},
      cards_(parts_),
      dispatcher_(parts_),
      requests_(parts_, dispatcher_, cards_, live_),
      dues_(parts_, [this] { wake(); }),
      deliveries_(loop, setup.store, channels_, cards_, setup.clock, std::move(setup.deliveries)),
      runner_(services_, loop),
      retention_(setup.retention),
      loop_(loop),
      loops_(std::make_shared<Loops>(loop)) {
  live_.show_work(signs_);
  loops_->on_failure = std::move(setup.hooks.loop_failed);
  live_.set_observer(std::move(setup.hooks.entry));
  requests_.set_given_up([this](RunId run) { return runner_.has_given_up(run); });
  // Set before `start`: a process that does not work on runs may still watch one.
  parts_.store.on_change([this, loops = std::weak_ptr(loops_)] {
    const auto alive = loops.lock();
    if (!alive) return;
    if (!alive->stopped) wake();
    live_.tell();
  });
  deliveries_.tell(live_);
}

Gateway::~Gateway() {
  loops_->stopped = true;
  loops_->cancel_all();
}

void Gateway::wake() {
  runner_.wake();
  deliveries_.wake();
}

void Gateway::start() {
  loops_->start(loop_, loops_, "dues", [this] { return until_it_ends(dues_.run()); });
  loops_->start(loop_, loops_, "deliveries", [this] { return until_it_ends(deliveries_.run()); });
  loops_->start(loop_, loops_, "work signs", [this] { return until_it_ends(signs_.renew()); });
  if (retention_)
    loops_->start(loop_, loops_, "retention",
                  [this] { return until_it_ends(see_to_retention(parts_.store, retention_)); });
  loops_->own = loops_->cancels.size();
  for (const auto& [name, channel] : channels_.all())
    loops_->start(loop_, loops_, name, [this, channel] { return run_channel(channel, requests_); });
  loops_->runner_running = true;
  auto runner = Loops::keep_going(loops_, "runner", [this] { return until_it_ends(runner_.run()); });
  asio::co_spawn(loop_, std::move(runner), [loops = loops_](const std::exception_ptr&) {
    loops->runner_running = false;
    loops->ended.cancel();
  });
}

std::map<std::string, int> Gateway::loop_failures() const {
  std::map<std::string, int> times;
  for (const auto& [name, failed] : loops_->failures) times.emplace(name, failed.times);
  return times;
}

const std::map<std::string, LoopFailures>& Gateway::failures() const { return loops_->failures; }

Task<> Gateway::stop(std::chrono::milliseconds grace) {
  const std::shared_ptr<Loops> loops = loops_;
  loops->stop_receiving();
  runner_.stop(grace);
  while (loops->runner_running) co_await loops->wait();
  loops->stopped = true;
  loops->cancel_all();
  while (loops->running > 0) co_await loops->wait();
  co_await signs_.stop();
}

Task<Result<>> remove_what_is_old(store::Store& store, store::Retention retention) {
  CO_TRY(const bool is_ours, co_await store.hold("retention"));
  if (!is_ours) co_return Result<>{};
  for (bool more = true; more;) {
    CO_TRY(const store::Removed removed, co_await store.remove_old(retention, kRemovedAtOnce));
    more = removed.more;
    if (more) co_await sleep_for(kBetweenBatches);
  }
  for (bool more = true; more;) {
    CO_TRY(const store::Traces traces, co_await store.wipe());
    more = traces.left == store::Traces::Left::more;
    if (more) co_await sleep_for(kBetweenBatches);
  }
  co_return Result<>{};
}

}  // namespace deputy::gateway

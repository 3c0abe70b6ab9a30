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

}  // namespace

/// The running loops; shared with their completion handlers.
struct Gateway::Loops {
  explicit Loops(const asio::any_io_executor& loop) : ended(loop) {}

  void start(const asio::any_io_executor& loop, const std::shared_ptr<Loops>& self, std::string name, Task<> task) {
    ++running;
    Cancel& cancel = cancels.emplace_back(loop);
    auto on_end = [self, name = std::move(name)](const std::exception_ptr& thrown) {
      if (thrown && !is_cancellation(thrown)) log::error("a loop failed", {{"loop", name}, {"why", what_of(thrown)}});
      --self->running;
      self->ended.cancel();
    };
    asio::co_spawn(loop, std::move(task), asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
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
  std::list<Cancel> cancels;
  asio::steady_timer ended;
};

namespace {

Task<> run_channel(std::shared_ptr<channel::Channel> channel, channel::Receiver& receiver) {
  const Result<> ended = co_await channel->run(receiver);
  if (!ended) log::error("a channel stopped", {{"channel", channel->name()}, {"why", ended.error().message}});
}

Task<> see_to_retention(store::Store& store, store::Retention retention) {
  for (;; co_await sleep_for(std::chrono::hours(1))) {
    const Result<> removed = co_await remove_what_is_old(store, retention);
    if (!removed) log::warning("old rows could not be removed", {{"why", removed.error().message}});
  }
}

}  // namespace

Gateway::Gateway(GatewaySetup setup, const asio::any_io_executor& loop)
    : channels_(std::move(setup.channels)),
      surroundings_(channels_),
      parts_{setup.store, surroundings_, channels_, setup.registry, setup.rules, setup.redaction, setup.clock},
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
  loops_->start(loop_, loops_, "dues", dues_.run());
  loops_->start(loop_, loops_, "deliveries", deliveries_.run());
  if (retention_) loops_->start(loop_, loops_, "retention", see_to_retention(parts_.store, *retention_));
  loops_->own = loops_->cancels.size();
  for (const auto& [name, channel] : channels_.all())
    loops_->start(loop_, loops_, name, run_channel(channel, requests_));
  loops_->runner_running = true;
  asio::co_spawn(loop_, runner_.run(), [loops = loops_](const std::exception_ptr& thrown) {
    if (thrown) log::error("a loop failed", {{"loop", "runner"}, {"why", what_of(thrown)}});
    loops->runner_running = false;
    loops->ended.cancel();
  });
}

Task<> Gateway::stop(std::chrono::milliseconds grace) {
  const std::shared_ptr<Loops> loops = loops_;
  loops->stop_receiving();
  runner_.stop(grace);
  while (loops->runner_running) co_await loops->wait();
  loops->stopped = true;
  loops->cancel_all();
  while (loops->running > 0) co_await loops->wait();
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

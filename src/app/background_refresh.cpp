#include "app/background_refresh.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>

namespace deputy::app {

namespace {

constexpr auto kOver = asio::steady_timer::time_point::min();

}  // namespace

struct BackgroundRefresh::State {
  explicit State(const asio::any_io_executor& loop) : first(loop, kOver) {}

  asio::steady_timer first;  // expires when the first read counts as done
  bool reading = false;
};

BackgroundRefresh::BackgroundRefresh(std::string name, Times times, const Clock& clock, asio::any_io_executor loop,
                                     Read read)
    : name_(std::move(name)),
      times_(times),
      clock_(clock),
      loop_(std::move(loop)),
      read_(std::move(read)),
      state_(std::make_shared<State>(loop_)) {}

void BackgroundRefresh::begin() {
  if (!read_ || read_at_) return;
  state_->first.expires_after(times_.max_wait);
  read();
}

Task<> BackgroundRefresh::first() {
  begin();
  return first_of(state_);
}

Task<> BackgroundRefresh::first_of(std::shared_ptr<State> state) {
  co_await state->first.async_wait(asio::as_tuple(asio::use_awaitable));
}

void BackgroundRefresh::look() {
  begin();
  if (read_at_ && clock_.now() - *read_at_ >= times_.ttl && !state_->reading) read();
}

void BackgroundRefresh::read() {
  read_at_ = clock_.now();
  state_->reading = true;
  spawn(loop_, name_, read_once(state_, read_));
}

Task<> BackgroundRefresh::read_once(std::shared_ptr<State> state, Read read) {
  struct Ended {
    State& state;
    ~Ended() { state.reading = false; }
  };
  const Ended ended{*state};
  co_await read();
  // Wakes those who wait, and lets later callers return at once; cancelling the timer would only do the first.
  state->first.expires_at(kOver);
}

}  // namespace deputy::app

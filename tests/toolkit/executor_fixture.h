// What the tests of the executor share: handlers that answer, sleep or do not listen, and an executor with short
// limits.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "toolkit/executor.h"

namespace deputy::toolkit {

using namespace std::chrono_literals;

inline Task<Step> answer(Step step) { co_return step; }

inline Task<Step> sleep_then(std::chrono::milliseconds duration, Step step) {
  co_await sleep_for(duration);
  co_return step;
}

using Doors = std::shared_ptr<std::vector<Callback<int>>>;

/// Adds a door and waits until it is called: it hears no cancellation.
inline Task<> wait_for_door(Doors doors) {
  co_await await_callback<int>([doors](Callback<int> door) mutable { doors->push_back(std::move(door)); });
}

inline Task<Step> wait_at(Doors doors, Step step) {
  co_await wait_for_door(doors);
  co_return step;
}

/// Deaf too, but waiting for the loop itself.
inline Task<Step> sleep_deaf(std::chrono::milliseconds duration) {
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await sleep_for(duration);
  co_return Continue{};
}

class ExecutorTest : public testing::Test {
 protected:
  ~ExecutorTest() override { doors->clear(); }  // a door owns the coroutine that waits at it, which owns the doors

  using Call = std::move_only_function<Task<Step>(CallContext&)>;

  static Execution once(Call call, std::chrono::milliseconds timeout = 10s) {
    return {.tool = "sample",
            .link = {{.name = "act", .call = std::move(call)}, Stage::after_gate, true},
            .context = {.call_id = "c1"},
            .timeout = timeout};
  }
  static Execution repeatable(Call call, std::chrono::milliseconds timeout = 10s) {
    Execution execution = once(std::move(call), timeout);
    execution.link.handler.repeatable = true;
    return execution;
  }
  Executed run(Execution execution) { return test::run_on(loop, executor.execute(std::move(execution))); }
  LookedUp look(Execution execution) { return test::run_on(loop, executor.look(std::move(execution))); }

  test::ManualClock clock;
  asio::io_context loop;
  Doors doors = std::make_shared<std::vector<Callback<int>>>();
  Executor executor{clock, {.grace = 5ms, .finally = 20ms}};
};

inline Failure failure_in(const Executed& executed) {
  const auto* failure = std::get_if<Failure>(&executed.outcome);
  return failure == nullptr ? Failure{Status::success, {}} : *failure;
}
inline std::string shown_in(const Executed& executed) {
  const auto* output = std::get_if<KeptOutput>(&executed.outcome);
  return output == nullptr ? "(no output)" : output->text.shown;
}

inline Task<> store_outcome(Task<Executed> task, std::optional<Executed>& into) { into = co_await std::move(task); }

}  // namespace deputy::toolkit

#include "toolkit/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/text.h"
#include "base/workers.h"
#include "toolkit/bounded.h"

namespace deputy::toolkit {

Result<> RateLimiter::take(std::string_view name, const RateLimits& limits, Timestamp now) {
  constexpr double kMillisecondsAMinute = 60'000;
  const double burst = std::max(1, limits.burst);
  const double per_millisecond = std::max(1, limits.per_minute) / kMillisecondsAMinute;
  auto found = buckets_.find(name);
  if (found == buckets_.end()) found = buckets_.emplace(std::string(name), Bucket{burst, now}).first;
  Bucket& bucket = found->second;
  // A clock that was set back adds and removes nothing.
  const auto elapsed = std::max(std::chrono::milliseconds(0), now - bucket.at);
  bucket.tokens = std::min(burst, bucket.tokens + static_cast<double>(elapsed.count()) * per_millisecond);
  bucket.at = now;
  // Sums of fractions end up slightly below a whole token.
  constexpr double kOneToken = 1 - 1e-9;
  if (bucket.tokens >= kOneToken) {
    bucket.tokens -= 1;
    return {};
  }
  const std::chrono::milliseconds wait(
      static_cast<std::int64_t>(std::ceil((kOneToken - bucket.tokens) / per_millisecond)));
  return std::unexpected(
      Error{ErrorKind::rate_limit,
            fmt::format("this tool may be called {} times a minute, {} at once", limits.per_minute, limits.burst),
            fmt::format("try again in {}", format_duration(wait)), true, wait});
}

namespace {

constexpr std::size_t kLargestData = 64 * 1024;
constexpr std::size_t kLargestPayload = 256 * 1024;
constexpr std::size_t kMaxMessage = 2000;

// Keeps what a handler's coroutine uses alive for as long as it runs.
template <class T>
struct Work : Bounded<T> {
  Work(const asio::any_io_executor& executor, Execution& execution)
      : Bounded<T>(executor, std::move(execution.redact_deltas)),
        handler(std::move(execution.link.handler)),
        context(std::move(execution.context)) {}
  Handler handler;
  CallContext context;
};

// A coroutine, so that an exception from creating the handler's coroutine is caught in the same place.
Task<Step> call(std::shared_ptr<Work<Step>> work) { co_return co_await work->handler.call(work->context); }

Task<Result<Looked>> look_with(std::shared_ptr<Work<Result<Looked>>> work) {
  co_return co_await work->handler.look(work->context);
}

template <class T>
std::shared_ptr<Work<T>> prepare(const asio::any_io_executor& executor, Execution& execution,
                                 std::chrono::steady_clock::time_point deadline) {
  auto work = std::make_shared<Work<T>>(executor, execution);
  CallContext& context = work->context;
  context.facts = bounded(std::move(context.facts));
  context.stop = work->stop.get_token();
  context.deadline = deadline;
  context.redact = execution.redact_lines ? execution.redact_lines : execution.redact;
  context.redact_picked = execution.redact_picked ? execution.redact_picked : execution.redact;
  work->on_delta = std::move(context.on_delta);
  context.on_delta = [weak = std::weak_ptr(work)](std::string_view delta) {
    if (const auto alive = weak.lock()) alive->emit(delta);
  };
  return work;
}

struct Stopped {
  Error error;
  FailedBy by = FailedBy::answer;
};

Error reason_of(WaitEnd end, std::chrono::milliseconds limit) {
  return end == WaitEnd::ran_out ? timeout_error(limit) : cancelled_error();
}

// Why the handler gave no answer of its own; empty if it did.
template <class T>
std::optional<Stopped> why_stopped(const Bounded<T>& work, WaitEnd end, std::chrono::milliseconds limit) {
  const bool told_to_stop = end != WaitEnd::by_itself;
  if (!work.ended) return Stopped{reason_of(end, limit)};
  if (!work.thrown) return std::nullopt;
  if (told_to_stop && is_cancellation(work.thrown)) return Stopped{reason_of(end, limit)};
  return Stopped{
      {ErrorKind::internal, "the tool failed with an internal error", "this is a bug in the tool; see the log"},
      FailedBy::exception};
}

template <class T>
void report(const Work<T>& work, const Stopped& why, std::string_view tool) {
  if (work.left_behind) {
    log::warning("handler left behind",
                 {{"tool", tool}, {"handler", work.handler.name}, {"left_behind", *work.left_behind}});
  } else if (why.by == FailedBy::exception) {
    log::error("handler failed", {{"tool", tool}, {"handler", work.handler.name}, {"what", what_of(work.thrown)}});
  }
}

Error tidy(Error error, const Redact& redact) {
  const auto tidied = [&](std::string text) {
    return cut_with_mark(redact_or_withhold(to_valid_utf8(std::move(text)), redact), kMaxMessage);
  };
  error.message = tidied(std::move(error.message));
  error.hint = tidied(std::move(error.hint));
  return error;
}

Result<> check_size(std::string_view what, const json::object& given, std::size_t most) {
  if (json::serialize(given).size() <= most) return {};
  return fail(ErrorKind::internal, fmt::format("the tool returned {} of more than {} bytes", what, most));
}

}  // namespace

Executor::Executor(const Clock& clock, ExecutorLimits limits)
    : clock_(clock), limits_(limits), left_behind_(std::make_shared<int>(0)) {}

Result<> Executor::refuse_when_stuck() {
  if (*left_behind_ < limits_.left_behind) return {};
  ++counts_.refused;
  return fail(ErrorKind::internal, fmt::format("{} tools did not stop when told to", *left_behind_),
              "try again later; if they never stop, restart Deputy");
}

Result<> Executor::count_call(const Execution& execution) {
  if (!execution.link.first || !execution.rate_limits) return {};
  const std::string& bucket = execution.rate_bucket.empty() ? execution.tool : execution.rate_bucket;
  Result<> taken = rates_.take(bucket, *execution.rate_limits, clock_.now());
  if (!taken) ++counts_.rate_limited;
  return taken;
}

Task<Result<KeptOutput>> Executor::keep(Output output, std::string call_id, const Execution& execution) {
  CO_TRY((check_size("data", output.data, kLargestData)));
  KeptOutput kept{{}, std::move(output.data)};
  const std::size_t size = output.text.size();
  auto cut = [text = std::move(output.text), call_id = std::move(call_id), redact = execution.redact,
              compact = execution.compact, limits = limits_.cut]() mutable -> Result<CutResult> {
    return cut_result(std::move(text), call_id, redact, compact, limits);
  };
  Result<CutResult> text = co_await off_loop_if_large<CutResult>(size, std::move(cut));
  if (!text) {
    log::error("a large result could not be kept", {{"why", text.error().message}});
    const std::string withheld = "[withheld: it could not be searched for secrets]";
    text = CutResult{withheld, withheld};
  }
  kept.text = *std::move(text);
  co_return kept;
}

Task<Executed> Executor::execute(Execution execution) {
  const Timestamp started = clock_.now();
  Result<> admitted = refuse_when_stuck();
  if (admitted) admitted = count_call(execution);
  if (!admitted) co_return Executed{Failure{Status::error, std::move(admitted).error()}, started, started};
  ++counts_.executed;
  const bool cleans_up = execution.link.stage == Stage::finally;
  const auto limit = std::min(cleans_up ? std::min(execution.timeout, limits_.finally) : execution.timeout, kMaxWait);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const auto executor = co_await asio::this_coro::executor;
  const std::string call_id = execution.context.call_id;
  const bool repeatable = execution.link.handler.repeatable;
  const auto work = prepare<Step>(executor, execution, deadline);
  const WaitEnd end = co_await run_bounded<Step>(work, call(work), deadline, limits_.grace, left_behind_);
  const auto finished = [&](auto outcome) { return Executed{std::move(outcome), started, clock_.now()}; };
  const auto failed = [&](Stopped why) {
    return finished(failure_of(tidy(std::move(why.error), execution.redact), why.by, execution.link.stage, repeatable));
  };

  if (auto why = why_stopped(*work, end, limit)) {
    report(*work, *why, execution.tool);
    counts_.threw += why->by == FailedBy::exception ? 1 : 0;
    co_return failed(*std::move(why));
  }
  Step step = std::move(work->result).value_or(Step(Continue{}));
  if (auto* error = std::get_if<Error>(&step)) {
    // A handler that turned its cancellation into an error does not know why it was stopped.
    const bool heard = end != WaitEnd::by_itself && error->kind == ErrorKind::cancelled;
    co_return failed({heard ? reason_of(end, limit) : std::move(*error)});
  }
  // An oversized result still means that the work was done: treat it like a failure inside the handler.
  if (auto* output = std::get_if<Output>(&step)) {
    // Also for a caller that was cancelled meanwhile.
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    Result<KeptOutput> kept = co_await keep(std::move(*output), call_id, execution);
    co_await asio::this_coro::throw_if_cancelled(throws);
    co_return kept ? finished(*std::move(kept)) : failed({std::move(kept).error(), FailedBy::exception});
  }
  if (auto* delegate = std::get_if<Delegate>(&step)) {
    Result<> fits = check_size("a question", delegate->payload, kLargestPayload);
    co_return fits ? finished(std::move(*delegate)) : failed({std::move(fits).error(), FailedBy::exception});
  }
  co_return finished(Continue{});
}

Task<LookedUp> Executor::look(Execution execution) {
  if (!execution.link.handler.look) co_return LookedUp{};
  if (Result<> admitted = refuse_when_stuck(); !admitted) {
    co_return LookedUp{Looked::Answer::cannot_tell, std::nullopt, std::move(admitted).error()};
  }
  const auto limit = std::min(execution.timeout, kMaxWait);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const auto executor = co_await asio::this_coro::executor;
  const std::string call_id = execution.context.call_id;
  const auto work = prepare<Result<Looked>>(executor, execution, deadline);
  const WaitEnd end =
      co_await run_bounded<Result<Looked>>(work, look_with(work), deadline, limits_.grace, left_behind_);
  const auto cannot_tell = [&](Error why) {
    return LookedUp{Looked::Answer::cannot_tell, std::nullopt, tidy(std::move(why), execution.redact)};
  };
  if (auto why = why_stopped(*work, end, limit)) {
    report(*work, *why, execution.tool);
    counts_.threw += why->by == FailedBy::exception ? 1 : 0;
    co_return cannot_tell(std::move(why->error));
  }
  Result<Looked> looked = std::move(work->result).value_or(Looked{});
  if (!looked) co_return cannot_tell(std::move(looked).error());
  LookedUp found{looked->answer, std::nullopt, std::nullopt};
  if (auto& output = looked->output; looked->answer == Looked::Answer::done && output.has_value()) {
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    Result<KeptOutput> kept = co_await keep(std::move(*output), call_id, execution);
    co_await asio::this_coro::throw_if_cancelled(throws);
    if (!kept) co_return cannot_tell(std::move(kept).error());
    found.output = *std::move(kept);
  }
  co_return found;
}

}  // namespace deputy::toolkit

// Runs one handler: bounded whatever it does, cancellable, with deltas, rate limits, compaction and cuts. The order of
// handlers, `finally`, strikes, concurrency, background and delegates belong to the run. Between calls it keeps only
// rate limit buckets and counters.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "toolkit/bounded.h"
#include "toolkit/cut.h"
#include "toolkit/pipeline.h"
#include "toolkit/settings.h"
#include "toolkit/step.h"

namespace deputy::toolkit {

// A token bucket per tool. Kept in memory only; instances that share a limit each take their part of it.

class RateLimiter {
 public:
  /// Takes one token, or fails with rate_limit and a `retry_after`. Limits may change between calls: settings are
  /// reloaded.
  Result<> take(std::string_view bucket, const RateLimits& limits, Timestamp now);

 private:
  struct Bucket {
    double tokens = 0;
    Timestamp at;
  };
  std::map<std::string, Bucket, std::less<>> buckets_;  // one per tool and environment in settings
};

/// One handler of one call, with all its limits.
struct Execution {
  std::string tool;     // the tool's name
  Link link;            // from Pipeline::take
  CallContext context;  // `on_delta` gets streamed text, on the loop; fields set by the executor may be left empty
  std::chrono::milliseconds timeout{};
  std::optional<RateLimits> rate_limits = std::nullopt;  // applied to the first handler of a call
  std::string rate_bucket = {};
  Compaction compact = {};
  Redact redact = {};         // applied to all text from the handler before it is cut
  Redact redact_lines = {};   // for the handler itself, see CallContext
  Redact redact_picked = {};  // the same
  DeltaRedact redact_deltas = {};
};

struct KeptOutput {
  CutResult text;
  json::object data;
};

struct Executed {
  std::variant<Continue, KeptOutput, Delegate, Failure> outcome;
  Timestamp started;
  Timestamp ended;
};

/// The result of a look.
struct LookedUp {
  Looked::Answer answer = Looked::Answer::cannot_tell;
  std::optional<KeptOutput> output;
  std::optional<Error> why;  // set if the look could not tell
};

struct ExecutorLimits {
  std::chrono::milliseconds grace = std::chrono::seconds(2);  // to end after being told to stop
  std::chrono::milliseconds finally = std::chrono::seconds(10);
  int left_behind = 4;
  CutLimits cut;
};

struct ExecutorCounts {
  std::int64_t executed = 0;
  std::int64_t rate_limited = 0;
  std::int64_t refused = 0;  // because too many are left behind
  std::int64_t threw = 0;
};

class Executor {
 public:
  explicit Executor(const Clock& clock, ExecutorLimits limits = {});

  /// Returns within the timeout plus the grace period, even if the handler never ends, and passes on none of its
  /// exceptions. Cancelling the caller cancels the handler; the outcome is still returned. To await after that, the
  /// caller resets its cancellation state.
  Task<Executed> execute(Execution execution);

  /// Asks the handler if its effect has happened, with the same limits. A handler without `look` cannot tell.
  Task<LookedUp> look(Execution execution);

  /// Handlers that still run although nobody waits for them. At ExecutorLimits::left_behind new ones are refused and
  /// health is degraded.
  int left_behind() const { return *left_behind_; }
  const ExecutorCounts& counts() const { return counts_; }

 private:
  Result<> refuse_when_stuck();
  Result<> count_call(const Execution& execution);
  Task<Result<KeptOutput>> keep(Output output, std::string call_id, const Execution& execution);

  const Clock& clock_;
  ExecutorLimits limits_;
  RateLimiter rates_;
  ExecutorCounts counts_;
  std::shared_ptr<int> left_behind_;  // shared with handlers left behind, which may outlive the executor
};

}  // namespace deputy::toolkit

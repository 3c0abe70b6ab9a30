// Runs one handler: bounded whatever it does, cancellable, with deltas, rate limits, compaction and cut. The order of
// handlers, `finally`, strikes, concurrency, background and delegates are rules of the run. It keeps nothing between
// calls but rate limit buckets and counters.
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

// How often a tool may be called: a token bucket for each. Kept in memory only; instances share a limit by each taking
// its part of it.

class RateLimiter {
 public:
  /// Takes one token, or says when there will be one: an error of kind rate_limit with `retry_after`. Limits may differ
  /// from one call to the next: settings are reloaded.
  Result<> take(std::string_view bucket, const RateLimits& limits, Timestamp now);

 private:
  struct Bucket {
    double tokens = 0;
    Timestamp at;
  };
  std::map<std::string, Bucket, std::less<>> buckets_;  // as many as there are tools and environments in settings
};

/// One handler of one call, and all that bounds it.
struct Execution {
  std::string tool;  // its name
  Link link;         // from Pipeline::take
  CallContext
      context;  // its `on_delta` gets what is streamed, on the loop; what is set by the executor may be left out
  std::chrono::milliseconds timeout{};
  std::optional<RateLimits> rate_limits = std::nullopt;  // taken with the first handler of a call
  std::string rate_bucket = {};
  Compaction compact = {};
  Redact redact = {};  // what leaves the handler as text passes it before it is cut
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

/// What a look found.
struct LookedUp {
  Looked::Answer answer = Looked::Answer::cannot_tell;
  std::optional<KeptOutput> output;
  std::optional<Error> why;  // it could not be told
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
  std::int64_t refused = 0;  // too many are left behind
  std::int64_t threw = 0;
};

class Executor {
 public:
  explicit Executor(const Clock& clock, ExecutorLimits limits = {});

  /// Returns within the timeout and the grace, also when the handler never ends, and throws nothing of the handler's.
  /// Cancelling the caller cancels the handler, and the outcome is still returned; to go on awaiting after that the
  /// caller resets its cancellation state.
  Task<Executed> execute(Execution execution);

  /// Asks the handler whether it has happened, with the same bounds. One that cannot look cannot tell.
  Task<LookedUp> look(Execution execution);

  /// Handlers that still run although nobody waits for them. At ExecutorLimits::left_behind further ones are refused:
  /// health is degraded.
  int left_behind() const { return *left_behind_; }
  const ExecutorCounts& counts() const { return counts_; }

 private:
  Result<> refuse_when_stuck();
  Result<> count_call(const Execution& execution);
  Result<KeptOutput> keep(Output output, const std::string& call_id, const Execution& execution) const;

  const Clock& clock_;
  ExecutorLimits limits_;
  RateLimiter rates_;
  ExecutorCounts counts_;
  std::shared_ptr<int> left_behind_;  // shared with those that are: they may outlive the executor
};

}  // namespace deputy::toolkit

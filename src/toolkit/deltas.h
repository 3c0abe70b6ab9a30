// Bounds what a handler streams: what comes too fast is joined, what is too much is counted and marked, and after the
// end nothing passes. It knows no clock and no timer: who drives it says what time it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace deputy::toolkit {

struct DeltaLimits {
  std::chrono::milliseconds apart{100};
  std::size_t at_once = 4 * 1024;   // bytes in one delta
  std::size_t in_all = 256 * 1024;  // bytes from one handler
};

/// Replaces secrets in a text that comes in parts. It stands before the bounds: a secret that these cut would not be
/// recognised any more.
struct DeltaRedact {
  std::function<std::string(std::string_view part)> feed;  // what may be let out now
  std::function<std::string()> finish;                     // what was still held back
};

class Deltas {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Deltas(DeltaLimits limits = {}, DeltaRedact redact = {}) : limits_(limits), redact_(std::move(redact)) {}

  /// Takes a delta. What may pass is then to be had from `take`.
  void offer(std::string_view delta);

  /// What may pass now: valid UTF-8, or empty.
  std::string take(Time now);

  /// When what is held may pass; nothing when nothing is held.
  std::optional<Time> due() const;

  /// What is still held, whatever the time; afterwards nothing passes any more.
  std::string close();

 private:
  void hold(std::string_view delta);
  void hold_redacted(const std::function<std::string()>& redacted);  // a redactor that fails ends the stream
  std::string release();

  DeltaLimits limits_;
  DeltaRedact redact_;
  std::string held_;
  std::size_t dropped_ = 0;  // characters
  std::size_t passed_ = 0;   // bytes
  Time next_ = Time::min();
  bool closed_ = false;
};

}  // namespace deputy::toolkit

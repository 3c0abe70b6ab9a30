// The line in the log after every tenth request: how many there were since the start, and how they went.
#pragma once

#include <chrono>
#include <cstdint>

namespace deputy::observe {

class RequestSummary {
 public:
  static constexpr std::int64_t kEvery = 10;

  void truncation() { ++truncations_; }
  void limit_hit() { ++limit_hits_; }

  enum class End { answered, failed };
  /// Logs the line with every tenth request.
  void request(End end, std::chrono::milliseconds took);

 private:
  std::int64_t requests_ = 0;
  std::int64_t truncations_ = 0;
  std::int64_t limit_hits_ = 0;
  std::int64_t errors_ = 0;
  std::chrono::milliseconds total_{};
};

}  // namespace deputy::observe

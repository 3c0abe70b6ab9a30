#include "support/growth.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace deputy::test {

namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The best of three: what disturbs only adds.
double seconds_for(const std::string& text, const std::function<void(const std::string&)>& work) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 3; ++round) {
    const double begin = processor_seconds();
    work(text);
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

}  // namespace

double growth(std::string_view piece, std::size_t size, const std::function<void(const std::string&)>& work) {
  std::string text;
  while (text.size() < size) text += piece;
  constexpr double kTooShortToTell = 0.001;
  const double some = std::max(seconds_for(text.substr(0, size / 8), work), kTooShortToTell);
  return seconds_for(text, work) / some;
}

}  // namespace deputy::test

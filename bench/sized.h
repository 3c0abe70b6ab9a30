// Benches also run as tests, in an instant each, so that none breaks unseen: DEPUTY_BENCH_QUICK=1 makes them small.
#pragma once

#include <cstdlib>

namespace deputy::bench {

/// How much is measured: all of it, or what is enough to see that the bench works.
template <class Size>
Size sized(Size full, Size quick) {
  static const bool is_quick = std::getenv("DEPUTY_BENCH_QUICK") != nullptr;
  return is_quick ? quick : full;
}

}  // namespace deputy::bench

#include "observe/summary.h"

#include "base/log.h"

namespace deputy::observe {

void RequestSummary::request(End end, std::chrono::milliseconds took) {
  ++requests_;
  if (end == End::failed) ++errors_;
  total_ += took;
  if (requests_ % kEvery != 0) return;
  log::info("requests so far", {{"requests", requests_},
                                {"truncations", truncations_},
                                {"limit_hits", limit_hits_},
                                {"errors", errors_},
                                {"average_ms", (total_ / requests_).count()}});
}

}  // namespace deputy::observe

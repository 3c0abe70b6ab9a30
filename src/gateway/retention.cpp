#include "gateway/retention.h"

namespace deputy::gateway {

namespace {

constexpr int kRemovedAtOnce = 200;
constexpr std::chrono::milliseconds kBetweenBatches{100};

}  // namespace

Task<Result<>> remove_what_is_old(store::Store& store, store::Retention retention) {
  CO_TRY(const bool is_ours, co_await store.hold("retention"));
  if (!is_ours) co_return Result<>{};
  for (bool more = true; more;) {
    CO_TRY(const store::Removed removed, co_await store.remove_old(retention, kRemovedAtOnce));
    more = removed.more;
    if (more) co_await sleep_for(kBetweenBatches);
  }
  for (bool more = true; more;) {
    CO_TRY(const store::Traces traces, co_await store.wipe());
    more = traces.left == store::Traces::Left::more;
    if (more) co_await sleep_for(kBetweenBatches);
  }
  co_return Result<>{};
}

}  // namespace deputy::gateway

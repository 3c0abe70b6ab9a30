// What the inbound half of the gateway needs. All of it outlives the objects that hold a reference to this.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "gateway/outbound/channels.h"
#include "run/drive/dependencies.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::gateway {

struct InboundDependencies {
  store::Store& store;
  run::Lookups& people;
  const Channels& channels;
  const toolkit::Registry& registry;
  run::CurrentRules rules;
  run::Redaction redaction;
  const Clock& clock;
};

/// How often a decision is repeated because its conversation has changed, before giving up. Each repetition means that
/// another write succeeded.
inline constexpr int kTries = 20;

/// The error after that: nothing was stored, and the sender may send it again.
Error too_busy();

/// Stores something whose decision does not depend on the state of its conversation, once per key.
Task<Result<store::Admitted>> take_in(InboundDependencies& parts, store::ConsumedRow what, store::Route route,
                                      store::Effects effects);

/// The interaction in any state; nothing when there is none.
Task<Result<std::optional<store::InteractionRow>>> find_interaction(InboundDependencies& parts, InteractionId id);

/// A map that keeps at most `most` keys and drops the oldest.
template <class Value>
class RecentMap {
 public:
  explicit RecentMap(std::size_t most) : most_(most) {}

  const Value* find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  void put(const std::string& key, Value value) {
    const auto [place, is_new] = values_.insert_or_assign(key, std::move(value));
    if (!is_new) return;
    order_.push_back(key);
    if (order_.size() > most_) {
      values_.erase(order_.front());
      order_.pop_front();
    }
  }

  void forget(std::string_view key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return;
    std::erase(order_, found->first);
    values_.erase(found);
  }

  std::size_t size() const { return values_.size(); }

 private:
  std::size_t most_;
  std::map<std::string, Value, std::less<>> values_;
  std::deque<std::string> order_;  // the keys of values_, the oldest first
};

}  // namespace deputy::gateway

// Everything that happened, in order and with times: each call and its answer, each envelope and its acknowledgement,
// what people did, which faults struck. Nothing is merged or left out, so a second identical post is a second entry.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <list>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"

namespace deputy::sim::slack {

class Record {
 public:
  explicit Record(const Clock& clock) : clock_(clock) {}

  /// Adds `{n, at, kind, …what}`.
  void add(std::string_view kind, json::object what);

  /// The entries after number `after` of this kind (empty: any) that have all the fields of `match` with these values.
  json::array find(std::int64_t after, std::string_view kind, const json::object& match) const;

  /// The same, once there is at least one; empty when `limit` has passed.
  Task<json::array> wait(std::int64_t after, std::string kind, json::object match, std::chrono::milliseconds limit);

  std::int64_t last() const { return count_; }
  /// Entry number `n`, until the next one is added; null if it was dropped or is not there yet.
  const json::object* entry(std::int64_t n) const;

 private:
  static constexpr std::size_t kMaxEntries = 50'000;  // older ones are dropped

  const Clock& clock_;
  std::deque<json::object> entries_;
  std::int64_t count_ = 0;
  std::list<asio::steady_timer*> waiting_;
};

/// True when `value` has every field of `match`, also inside objects.
bool has_all(const json::value& value, const json::value& match);

}  // namespace deputy::sim::slack

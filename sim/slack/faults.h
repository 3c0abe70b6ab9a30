// Faults that a test asks for: what happens to the next calls of a method, or to the next deliveries of an event.
#pragma once

#include <list>
#include <optional>
#include <string>

#include "base/json.h"

namespace deputy::sim::slack {

enum class FaultPlace { api, delivery, socket };

struct Fault {
  FaultPlace place = FaultPlace::api;
  /// api: delay, status, error, drop (the connection is cut, nothing happened), lose_response (it happened, then the
  /// connection is cut). delivery: delay, drop (it never leaves), duplicate, reorder (it leaves after the next one).
  /// socket: lose_unacknowledged (what the next socket that ends had no acknowledgement for does not come again).
  std::string kind;
  std::string name = {};  // the method, or the type of the event; empty: any
  int times = 1;
  int ms = 0;              // of a delay
  int status = 500;        // of a status
  int retry_after = 1;     // with 429, in seconds
  std::string error = {};  // of an error, and of a status whose body says why
};

class Faults {
 public:
  Result<> add(const json::object& wanted);
  void clear() { faults_.clear(); }

  /// The first fault that applies, used up by one.
  std::optional<Fault> take(FaultPlace place, std::string_view name);

  json::array show() const;

 private:
  std::list<Fault> faults_;
};

}  // namespace deputy::sim::slack

// What the rules may know of the world: which services, environments and tools there are, and what time it is for the
// requester. Nothing of it is built in; the caller fills it for each request.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"

namespace deputy::intent {

struct KnownService {
  std::string key;
  std::string full_name;
  std::vector<std::string> aliases;
};

struct Vocabulary {
  std::vector<KnownService> services;
  std::map<std::string, std::vector<std::string>> environments;  // name -> its other names, as in settings
  std::vector<std::string> tools;                                // those that exist: nothing else is suggested
  Timestamp now{};
  /// How far the requester's clock is ahead of UTC at a moment; empty: not at all. A function, because it changes with
  /// the season.
  std::function<std::chrono::seconds(Timestamp)> utc_offset;
};

}  // namespace deputy::intent

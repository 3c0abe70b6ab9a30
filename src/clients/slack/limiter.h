// The one rate limiter of a workspace. It never waits: a call that should not be made now is refused with the time to
// wait. Pure; the caller gives the time.
//
// Slack promises so many calls a minute of each method and grants more where it can. So calls that must be made are
// made until Slack refuses one (429). From then on the promise is kept to for a while. Calls that are only nice to
// have, such as progress, always leave most of the promise to the others.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "clients/slack/methods.h"

namespace deputy::clients::slack {

enum class Use {
  needed,
  nice_to_have,  // progress: at most half of what is promised
};

class Limiter {
 public:
  /// Counts a call that is made now, or returns how long to wait. `channel`: where it posts; else empty.
  std::optional<std::chrono::milliseconds> take(const Method& method, std::string_view channel, Use use, Timestamp now);

  /// Slack refused a call.
  void refused(const Method& method, std::string_view channel, std::chrono::milliseconds wait, Timestamp now);

 private:
  struct Budget {
    std::deque<Timestamp> calls;  // of the last period
    Timestamp blocked_until;
    Timestamp strict_until;
  };
  struct Limit {
    std::size_t calls;
    std::chrono::milliseconds period;
  };

  static std::optional<std::chrono::milliseconds> wait_for(Budget& budget, Limit limit, Use use, Timestamp now);
  static void count(Budget& budget, Timestamp now);
  static Limit limit_of(const Method& method);
  void forget_idle_channels(Timestamp now);

  std::map<std::string, Budget, std::less<>> methods_;
  std::map<std::string, Budget, std::less<>> channels_;  // of posts
};

}  // namespace deputy::clients::slack

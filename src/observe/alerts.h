// Alerts to operators, grouped by cause and bounded by time. The first alert of a cause is sent at once; what follows
// within the window is counted and told in one line when the window ends. The log has all of them. On the loop only.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/task.h"

namespace deputy::observe {

/// The text without what differs from case to case: what stands in backticks, and numbers.
std::string cause_of(std::string_view text);

struct AlertLimits {
  std::chrono::milliseconds window = std::chrono::minutes(10);
  int most_an_hour = 20;
  std::size_t causes = 100;  // known at once; further ones are one cause
};

/// Decides which alerts are sent. Pure.
class AlertGroups {
 public:
  explicit AlertGroups(AlertLimits limits = {}) : limits_(limits) {}

  /// True: send it now. False: it is counted, and `due` tells of it.
  bool take(const std::string& cause, const std::string& text, Timestamp now);

  /// What to send now about alerts that were counted.
  std::vector<std::string> due(Timestamp now);

 private:
  struct Group {
    Timestamp since;
    std::string text;  // the last one
    int more = 0;      // after the one that was sent
  };

  bool has_room(Timestamp now);
  std::string say(const Group& group) const;

  AlertLimits limits_;
  std::map<std::string, Group> groups_;
  std::vector<Timestamp> sent_;  // within the last hour, oldest first
};

struct AlertCounts {
  std::int64_t sent = 0;
  std::int64_t grouped = 0;  // not sent on their own
};

class Alerts {
 public:
  /// Sends one text to operators; must not throw and must not wait.
  using Send = std::function<void(std::string text)>;

  /// `clock` outlives it.
  explicit Alerts(const Clock& clock, AlertLimits limits = {}) : clock_(clock), groups_(limits) {}

  /// Until it is called, alerts are only logged.
  void send_with(Send send) { send_ = std::move(send); }

  /// Logs it as an error and sends it, unless its cause was told lately. Never throws.
  void raise(std::string_view cause, std::string text) noexcept;

  /// For an alert that is on its way already: true if it should go on, false if its cause was told lately.
  bool admit(const std::string& text);

  /// Tells of what was grouped, until it is cancelled.
  Task<> run(std::chrono::milliseconds interval = std::chrono::seconds(5));
  void tell_what_is_due();

  const AlertCounts& counts() const { return counts_; }

 private:
  const Clock& clock_;
  AlertGroups groups_;
  Send send_;
  AlertCounts counts_;
};

}  // namespace deputy::observe

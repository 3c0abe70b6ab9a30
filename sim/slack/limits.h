// Slack's rate limits: so many calls a minute of each method, and about one post a second in each channel. They are
// data with Slack's values by default; whoever raises them is told to say so.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"

namespace deputy::sim::slack {

enum class Tier { one, two, three, four, special };

class Limits {
 public:
  /// Counts a call. Seconds to wait when it is one too many in this minute.
  std::optional<int> call(std::string_view method, Tier tier, Timestamp now);

  /// Counts a post to a channel. Seconds to wait when it comes too soon.
  std::optional<int> post(std::string_view channel, Timestamp now);

  /// Refuses posts to a channel for so long, as after many at once.
  void flood(std::string_view channel, std::chrono::seconds time, Timestamp now);

  /// Takes `{tiers: {"2": 20}, methods: {"auth.test": 600}, posts: {per_second: 1, burst: 4}}`, any part of it.
  Result<> set(const json::object& changes);
  json::object show() const;
  bool raised() const { return raised_; }

 private:
  struct Minute {
    Timestamp began;
    int calls = 0;
  };
  struct Posts {
    Timestamp last;
    double left = 0;
  };

  int per_minute(std::string_view method, Tier tier) const;

  std::map<std::string, int, std::less<>> tiers_ = {{"1", 1}, {"2", 20}, {"3", 50}, {"4", 100}};
  std::map<std::string, int, std::less<>> methods_ = {{"auth.test", 600},
                                                      {"chat.getPermalink", 600},
                                                      {"chat.postMessage", 300},
                                                      {"assistant.threads.setStatus", 600},
                                                      {"assistant.search.context", 20}};
  double posts_per_second_ = 1;
  double post_burst_ = 4;
  bool raised_ = false;
  std::map<std::string, Minute, std::less<>> minutes_;
  std::map<std::string, Posts, std::less<>> posts_;
};

}  // namespace deputy::sim::slack

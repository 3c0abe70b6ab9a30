// Collects the entries that match: counts them, also over time, groups them by shape and keeps the newest, in bounded
// memory. Each thread has its own collector; they are merged at the end, and the result does not depend on which thread
// read what.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tools/logs/entry.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::logs {

inline constexpr std::size_t kMaxShapes = 2000;
inline constexpr std::size_t kMaxGroupsReported = 100;

/// The position of an entry among all that are read. It orders entries with the same time.
struct EntryPosition {
  std::size_t unit = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const EntryPosition&) const = default;
};

class Collector {
 public:
  /// Takes entries of `span`, or without a time.
  Collector(std::size_t newest, TimeSpan span) : max_newest_(newest), span_(span), course_(LogCourse::over(span)) {}

  /// `text` has all lines of the entry; `service` is an index into the names given to `report`.
  void add(const Entry& entry, std::string_view text, std::size_t service, EntryPosition place);
  void merge(Collector other);

  /// `services` are the names of the services by their index.
  void report(const std::vector<std::string>& services, LogFindings& into) const;

 private:
  struct Group {
    std::size_t service = 0;
    LogLevel level = LogLevel::none;
    std::int64_t count = 0;
    std::optional<Timestamp> first, last;
    EntryPosition example_place;
    std::string message;
    std::string example;
  };
  struct Kept {
    std::optional<Timestamp> at;
    EntryPosition place;
    std::size_t service = 0;
    std::string text;

    auto rank() const { return std::tie(at, place); }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  using Groups = std::unordered_map<std::string, Group, Hash, std::equal_to<>>;  // by service, level and shape

  void keep(Kept kept);
  static void widen(Group& group, std::optional<Timestamp> first, std::optional<Timestamp> last);

  std::size_t max_newest_;
  TimeSpan span_;
  LogCourse course_;
  std::int64_t matched_ = 0;
  std::int64_t ungrouped_ = 0;
  std::int64_t without_time_ = 0;
  Groups groups_;
  std::vector<Kept> newest_;  // a heap, the oldest on top
  std::string key_;
};

}  // namespace deputy::tools::logs

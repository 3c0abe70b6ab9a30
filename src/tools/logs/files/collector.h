// Takes in entries that match: counts them, groups them by shape, keeps the newest. Its memory is bounded whatever
// comes. One belongs to one thread; what several have taken in is merged at the end, and the same whichever thread took
// what.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tools/logs/files/entry.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::files {

inline constexpr std::size_t kMostShapes = 2000;
inline constexpr std::size_t kMostGroupsReported = 100;

/// Where an entry stands among all that are read: the order of those with the same time.
struct Place {
  std::size_t unit = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const Place&) const = default;
};

class Collector {
 public:
  explicit Collector(std::size_t newest) : most_newest_(newest) {}

  /// `text` are all lines of the entry; `service` is a number that the caller knows.
  void add(const Entry& entry, std::string_view text, std::size_t service, Place place);
  void merge(Collector other);

  /// `services` are the names behind the numbers.
  void report(const std::vector<std::string>& services, LogFindings& into) const;

 private:
  struct Group {
    std::size_t service = 0;
    LogLevel level = LogLevel::none;
    std::int64_t count = 0;
    std::optional<Timestamp> first, last;
    Place example_place;
    std::string message;
    std::string example;
  };
  struct Kept {
    std::optional<Timestamp> at;
    Place place;
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

  std::size_t most_newest_;
  std::int64_t matched_ = 0;
  std::int64_t ungrouped_ = 0;
  std::int64_t without_time_ = 0;
  Groups groups_;
  std::vector<Kept> newest_;  // a heap, the oldest on top
  std::string key_;
};

}  // namespace deputy::tools::files

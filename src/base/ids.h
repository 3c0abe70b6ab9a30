// Identifiers. A Ulid is 128 bits, 48 of time and 80 random, written as 26 characters that sort by time: SQLite
// appends time-ordered keys nine times faster than random ones.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace deputy {

class Ulid {
 public:
  static constexpr std::size_t kLength = 26;

  Ulid() = default;  // the nil id: all zeros

  /// A new id, greater than every earlier one of this process even within one millisecond. Safe on any thread.
  static Ulid make(Timestamp at);

  /// Always the same id for the same `seed` and `at`: for things that must get the same id when they are started again
  /// after a crash.
  static Ulid derive(Timestamp at, std::string_view seed);

  static Result<Ulid> parse(std::string_view text);

  std::string text() const;
  Timestamp time() const;

  /// Good enough for a hash table: most of an id is random.
  std::size_t hash() const;

  auto operator<=>(const Ulid&) const = default;

 private:
  std::array<std::uint8_t, 16> bytes_{};
};

/// A Ulid that cannot be mistaken for one of another kind: `struct RunId : Id<RunId> { using Id::Id; };`
template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(Ulid ulid) : ulid_(ulid) {}

  static Tag make(Timestamp at) { return Tag(Ulid::make(at)); }
  static Tag derive(Timestamp at, std::string_view seed) { return Tag(Ulid::derive(at, seed)); }
  static Result<Tag> parse(std::string_view text) {
    TRY(const Ulid ulid, Ulid::parse(text));
    return Tag(ulid);
  }

  std::string text() const { return ulid_.text(); }
  const Ulid& ulid() const { return ulid_; }

  friend auto operator<=>(const Id& a, const Id& b) = default;

 private:
  Ulid ulid_;
};

struct RunId : Id<RunId> {
  using Id::Id;
};
struct InteractionId : Id<InteractionId> {
  using Id::Id;
};
struct DeliveryId : Id<DeliveryId> {
  using Id::Id;
};
struct GrantId : Id<GrantId> {
  using Id::Id;
};
struct InstanceId : Id<InstanceId> {
  using Id::Id;
};

}  // namespace deputy

template <class Tag>
  requires std::derived_from<Tag, deputy::Id<Tag>>
struct std::hash<Tag> {
  std::size_t operator()(const Tag& id) const noexcept { return id.ulid().hash(); }
};

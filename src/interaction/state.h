// How an interaction stands. The words are those of the journal and the store.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace deputy::interaction {

enum class State { pending, approved, denied, answered, expired, cancelled };

constexpr auto choices_of(State) {
  return std::to_array<std::pair<State, std::string_view>>({
      {State::pending, "pending"},
      {State::approved, "approved"},
      {State::denied, "denied"},
      {State::answered, "answered"},
      {State::expired, "expired"},
      {State::cancelled, "cancelled"},
  });
}

constexpr std::string_view name(State state) {
  for (const auto& [value, word] : choices_of(State{})) {
    if (value == state) return word;
  }
  return "";
}

/// Where a person's clock stands, for the times they read and write.
struct Zone {
  std::string name = "UTC";
  /// How far it is ahead of UTC at a moment; empty: not at all. A function, because it changes with the season.
  std::function<std::chrono::seconds(Timestamp)> utc_offset;
};

/// "2026-11-15 04:10 UTC"
std::string time_in(const Zone& zone, Timestamp at);

}  // namespace deputy::interaction

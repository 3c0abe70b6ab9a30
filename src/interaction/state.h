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

/// Where a reader's clock stands, for times on a card.
struct Zone {
  std::string name = "UTC";
  std::chrono::minutes offset{0};
};

/// "2026-11-15 04:10 UTC"
std::string time_in(const Zone& zone, Timestamp at);

}  // namespace deputy::interaction

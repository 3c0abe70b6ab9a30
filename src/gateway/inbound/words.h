// The words that people write to Deputy in place of a request: a whole message such as "status" or "mute 2h". Pure;
// commands.h carries them out. "stop" is not among them: it also counts without a mention (routing.h).
//
// To add a word: its kind, a line in words.cpp, what it does in commands.cpp, and the help text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace deputy::gateway {

struct Command {
  enum class Kind {
    help,
    status,
    approvals,
    remove,  // "delete": the answer just given
    mute,
    unmute,
    pause,
    pause_writes,
    resume,
    helpful,
    wrong,
    run_now,
  };

  Kind kind = Kind::help;
  std::chrono::milliseconds time{};  // of a mute
  std::string why = {};              // of feedback

  bool operator==(const Command&) const = default;
};

inline constexpr std::chrono::hours kMuteByDefault{1};
inline constexpr std::chrono::hours kLongestMute{7 * 24};

/// Nothing if the message is not one of the words: then it is a request, even if it begins with one.
std::optional<Command> read_command(std::string_view text);

}  // namespace deputy::gateway

// The words that people write to Deputy in place of a request: a whole message such as "status" or "mute 2h". Pure;
// commands.h carries them out. "stop" is not among them: it also counts without a mention (routing.h).
//
// To add a word: its kind, a line in words.cpp, what it does in commands.cpp, and the help text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"
#include "run/journal/delivery.h"
#include "store/rows.h"

namespace deputy::gateway {

struct Command {
  enum class Kind {
    help,
    status,
    show,  // one run
    cost,
    approvals,
    grants,
    tasks,
    remove,  // "delete": the answer just given
    mute,
    unmute,
    pause,
    pause_writes,
    resume,
    helpful,
    wrong,
    run_now,
    stop_listening,  // to everyone in the thread of an alert
  };

  Kind kind = Kind::help;
  std::chrono::milliseconds time{};  // of a mute
  std::string why = {};              // of feedback
  std::string run = {};              // to show

  bool operator==(const Command&) const = default;
};

inline constexpr std::chrono::hours kMuteByDefault{1};
inline constexpr std::chrono::hours kLongestMute{7 * 24};

/// Nothing if the message is not one of the words: then it is a request, even if it begins with one.
std::optional<Command> read_command(std::string_view text);

inline constexpr std::string_view kRunNow = "run it now";
inline constexpr std::string_view kStopListening = "stop listening";

/// A button under a notice stands for one of the words. It is kept as a mark under the button's token.
inline constexpr std::string_view kControlMark = "control";

struct ButtonWords {
  std::string words;
  std::string about = {};  // the key of a missed request

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ButtonWords::words, "words", "What a click says");
    f.optional(&ButtonWords::about, "about", "The request it is about");
  }
};

struct Button {
  run::NoticeControl control;
  store::MarkRow mark;
};

/// `like` says whose the mark is and when it ends.
Button make_button(std::string label, const ButtonWords& words, store::MarkRow like);
Result<ButtonWords> read_button(const store::MarkRow& mark);

}  // namespace deputy::gateway

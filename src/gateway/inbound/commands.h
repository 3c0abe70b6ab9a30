// Carries out the words of words.h: reads what they ask about, checks the right, and says what to store and reply. It
// stores nothing itself: the dispatcher does, together with the message.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/routing.h"

namespace deputy::gateway {

struct CommandReply {
  enum class To { everyone, sender };

  std::string words;
  To to = To::everyone;
  store::Effects effects = {};
  std::optional<store::BrakeRow> pause = std::nullopt;  // to be set
  std::vector<channel::MessageRef> remove = {};         // messages of Deputy's …
  std::string remove_in = {};                           // … in this conversation
};

/// Any command but `help` and `run_now`, by a sender with access.
Task<Result<CommandReply>> carry_out(InboundDependencies& parts, Command command, channel::InboundMessage message,
                                     policy::Identity sender, Facts facts);

/// What somebody says of the answer of a run.
struct Feedback {
  RunId run;
  Command::Kind kind = Command::Kind::helpful;  // or `wrong`
  std::string why = {};
  std::string conversation;  // of the run
  std::string account;
  std::string person;
  std::string name;  // as people call them
};
/// Keeps it with the run; of a wrong answer the operators hear.
Task<Result<CommandReply>> take_feedback(InboundDependencies& parts, Feedback feedback);

inline constexpr std::string_view kMuteMark = "mute";
inline constexpr std::string_view kFeedbackMark = "feedback";

/// The keys under which a mute of the thread and of the whole place is kept.
std::string mute_key(const channel::InboundMessage& message);
std::string mute_key(const policy::Place& place);

/// The reply to a mention where Deputy is muted.
std::string muted_words(Timestamp until, const interaction::Zone& zone);

}  // namespace deputy::gateway

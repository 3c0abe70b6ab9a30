// Decides where a message goes, from facts alone: no clock, no store, no channel. The dispatcher gathers the facts, and
// stores the decision only if the conversation still has the version they were read from.
//
// A message that is not an answer never cancels or answers anything; only "stop" stops, and only a code answers an
// approval.
//
// To add a decision: a struct, its place in Decision, a step of route() in its order, rows in routing_test.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "channel/message.h"
#include "gateway/inbound/words.h"
#include "interaction/codes.h"
#include "interaction/lifecycle.h"
#include "interaction/typed.h"
#include "policy/policy.h"
#include "store/rows.h"

namespace deputy::gateway {

/// How long the last requester may continue without a mention.
inline constexpr std::chrono::minutes kFollowTime{15};

/// An interaction that waits for people in the conversation.
struct PendingFact {
  InteractionId id;
  RunId run;
  interaction::Kind kind = interaction::Kind::approval;
  std::string description;  // one line
};

/// The one form that people see here.
struct OpenForm {
  InteractionId id;
  interaction::Form form;
  interaction::Draft draft;
  std::string typed;  // the message, redacted for the form's run
  bool sender_may_answer = false;
  bool is_replied_to = false;  // the message is a reply to its card
};

/// A run that people started here.
struct RunFact {
  RunId run;
  std::string requester;  // the person
  std::string account;    // key of the account they asked with
  std::string request;    // ref of the message that started it
  std::string text;       // of the request, as stored
  std::string edited;     // the message, if it edits the request: redacted for the run
  Timestamp last_asked;   // last message of the requester
};

struct Facts {
  store::ConversationRow conversation;
  std::vector<PendingFact> pending;  // oldest first
  std::vector<std::string> codes;    // of approvals shown here, also settled ones, that match the typed code
  std::optional<OpenForm> form;
  std::vector<RunFact> runs;  // unfinished ones and the newest, newest first; read where `wants_runs` says so
  /// The sender's unfinished runs elsewhere at this place, newest first; read where `wants_own_runs` says so.
  std::vector<RunFact> own_runs;
  std::optional<Timestamp> muted_until;

  // The message.
  std::string text;
  channel::InboundKind kind = channel::InboundKind::posted;
  channel::AddressedTo spoken = channel::AddressedTo::to_deputy;
  bool only_writer = false;
  std::string ref;
  Timestamp at;
  Timestamp now;
  std::optional<channel::Absence> missed;  // it was read back
  bool has_files = false;
  bool follows_something = false;  // of a message without words: what others said stands right before it

  // Its sender.
  std::string person;
  std::string name;     // as people call them
  std::string account;  // key
  std::optional<std::string> why_no_access;

  policy::Follow follow = policy::Follow::requester;
  bool listens_to_all = false;  // an alert began the thread, and nobody has said "stop listening"
  /// What stands before the first request follows nothing: it may come late, or be read back.
  std::optional<Timestamp> first_asked;  // when that was written
  bool begins_thread = false;
};

/// True if `route` needs the runs. Reading them means reading journals.
bool wants_runs(const Facts& facts);
bool wants_own_runs(const Facts& facts);

/// Nothing is stored: the message is not for Deputy, or changes nothing.
struct Ignore {
  bool operator==(const Ignore&) const = default;
};
struct Refuse {  // the sender has no access
  std::string why;
  bool operator==(const Refuse&) const = default;
};
struct Help {
  bool operator==(const Help&) const = default;
};
struct NothingToStop {
  bool operator==(const NothingToStop&) const = default;
};
struct Stop {  // the dispatcher checks whether the sender may stop it
  RunId run;
  std::string account;  // of its requester
  bool spoken_to_us = true;
  bool operator==(const Stop&) const = default;
};
struct Decide {  // answers an approval by code
  std::string code;
  std::optional<std::string> denied_because;  // absent: approve; may be empty
  bool operator==(const Decide&) const = default;
};
/// The message was for Deputy but is not accepted; `words` says why. Nothing changes.
struct Say {
  std::string words;
  bool operator==(const Say&) const = default;
};
struct GoOn {  // continues the form with its next question
  InteractionId form;
  interaction::Draft draft;
  bool operator==(const GoOn&) const = default;
};
struct Complete {  // ends the form
  InteractionId form;
  interaction::FormResult result;
  bool operator==(const Complete&) const = default;
};
struct Note {
  RunId run;
  bool edits_request = false;
  bool operator==(const Note&) const = default;
};
/// Deputy is muted here, and was mentioned.
struct Muted {
  Timestamp until;
  bool operator==(const Muted&) const = default;
};
/// A request that was read back, and is too old to run by itself.
struct AskWhetherToRun {
  bool operator==(const AskWhetherToRun&) const = default;
};
struct StartRun {
  std::vector<std::string> pending;  // descriptions of pending interactions, for the model
  bool operator==(const StartRun&) const = default;
};
using Decision = std::variant<Ignore, Refuse, Help, NothingToStop, Stop, Decide, Say, GoOn, Complete, Note, StartRun,
                              Command, Muted, AskWhetherToRun>;

Decision route(const Facts& facts);

}  // namespace deputy::gateway

// An approval: what it shows and binds, and how events settle it. Pure: the caller looks up the person's right and the
// time, journals the event and acts on the outcome. The chat message is only a view (text_form.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"

namespace deputy::interaction {

// The state of an interaction. The names are stored in the journal and the database.

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

/// A person's time zone, for the times they read and write.
struct Zone {
  std::string name = "UTC";
  /// The offset from UTC at a moment; empty: UTC. A function, because it changes with the season.
  std::function<std::chrono::seconds(Timestamp)> utc_offset;
};

/// "2026-11-15 04:10 UTC"
std::string time_in(const Zone& zone, Timestamp at);

inline constexpr int kMaxApproversMentioned = 5;

/// The body of an approval. Digest and expiry are in the row: the digest is compared there, and the expiry moves if no
/// instance was running.
struct Approval {
  std::string run;
  std::string requester;  // as people call them
  std::string tool;
  std::string target;       // chosen by settings: backend, repository, account
  std::string environment;  // empty: none named
  json::object arguments;   // with defaults
  json::value preview;      // what it will change; null if the tool cannot tell
  std::string change;       // the preview in one word for a notification, such as the commit; may be empty
  std::string chain;        // digest of the tool's handlers and settings
  bool background = false;
  std::vector<std::string> why;        // the rule that asks, what is suspicious, that it may have happened before
  std::vector<std::string> approvers;  // to mention
  bool may_grant = false;              // "Approve for this thread" is offered

  bool operator==(const Approval&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using A = Approval;
    f.required(&A::run, "run", "The run that asks");
    f.required(&A::requester, "requester", "Who asked for it");
    f.required(&A::tool, "tool", "The tool it would use");
    f.optional(&A::target, "target", "What it works on, as settings decide");
    f.optional(&A::environment, "environment", "The environment it works in");
    f.required(&A::arguments, "arguments", "What the tool is given, with defaults");
    f.optional(&A::preview, "preview", "What it will change");
    f.optional(&A::change, "change", "The change in a word");
    f.required(&A::chain, "chain", "Digest of the tool's handlers and settings");
    f.optional(&A::background, "background", "It goes on while the run does other things");
    f.optional(&A::why, "why", "Why it asks");
    f.optional(&A::approvers, "approvers", "Who is asked");
    f.optional(&A::may_grant, "may_grant", "A grant for the thread may be offered");
  }
};

/// The digest of exactly this call (toolkit/digest.h).
std::string digest_of(const Approval& approval);

/// An unanswered approval.
struct Pending {
  std::string digest;
  Timestamp expires_at;
  bool may_grant = false;

  bool operator==(const Pending&) const = default;
};

enum class Scope { once, for_thread };

/// A settled approval; it is final.
struct Settled {
  State state = State::cancelled;
  std::string by;  // empty if it expired
  Timestamp at;
  Scope scope = Scope::once;  // if approved
  std::string reason;         // if denied; may be empty

  bool operator==(const Settled&) const = default;
};

using ApprovalState = std::variant<Pending, Settled>;

struct Approve {
  std::string by;
  bool may_approve = false;  // at this moment, as checked by policy
  std::string digest;        // of what this person was shown
  Timestamp at;
  Scope scope = Scope::once;
};
struct Deny {
  std::string by;
  bool may_approve = false;
  Timestamp at;
  std::string reason;
};
struct Expire {
  Timestamp at;
};
/// The run was stopped, or the call has ended. The right to stop a run was checked there.
struct Cancel {
  std::string by;
  Timestamp at;
};
using ApprovalEvent = std::variant<Approve, Deny, Expire, Cancel>;

enum class Refusal {
  already_settled,
  not_an_approver,
  expired,            // the time has passed, though nobody has processed the expiry yet
  arguments_changed,  // the person was shown a different call
  no_grant_offered,
  not_yet,  // the expiry was moved
};

struct Decision {
  ApprovalState standing;
  std::optional<Refusal> refusal = std::nullopt;

  bool operator==(const Decision&) const = default;
};

/// The first valid answer wins; a refused event changes nothing.
Decision decide(const ApprovalState& standing, const ApprovalEvent& event);

/// One sentence for the person whose answer was refused; `standing` is what `decide` returned.
std::string words(Refusal refusal, const ApprovalState& standing, const Zone& zone);

/// The request that *Ask again* on an expired card repeats: the same call, judged and shown again.
struct AskAgain {
  std::string interaction;
  std::string run;
  std::string tool;
  json::object arguments;
  bool background = false;

  bool operator==(const AskAgain&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using A = AskAgain;
    f.required(&A::interaction, "interaction", "The one that expired");
    f.required(&A::run, "run", "The run that asked");
    f.required(&A::tool, "tool", "The tool it would have used");
    f.required(&A::arguments, "arguments", "What the tool would have been given");
    f.optional(&A::background, "background", "It would have gone on in the background");
  }
};

AskAgain ask_again(std::string interaction, const Approval& approval);

}  // namespace deputy::interaction

// An approval: what it shows and binds, and how events settle it. Pure: whoever calls has looked up the person's right
// and the time, journals the event and does what the outcome says. The chat message is only a view (text_form.h).
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

// How an interaction stands. The words are those of the journal and the store.

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

inline constexpr int kMostApproversMentioned = 5;

/// The body of an interaction of kind approval. Its digest and expiry stand in the row: the first is compared there,
/// the second moves when no instance was up.
struct Approval {
  std::string run;
  std::string requester;  // as people call them
  std::string tool;
  std::string target;       // what settings decide: backend, repository, account
  std::string environment;  // empty: none is named
  json::object arguments;   // with defaults
  json::value preview;      // what it will change; null when the tool cannot tell
  std::string change;       // the preview in a word for a notification, such as the commit; may be empty
  std::string chain;        // digest of the tool's handlers and settings
  bool background = false;
  std::vector<std::string> why;        // it asks: the rule, what is suspicious, that it may have happened before
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

/// What an approval is for, exactly: the digest of the call (toolkit/digest.h).
std::string digest_of(const Approval& approval);

/// An approval that nobody has answered.
struct Pending {
  std::string digest;
  Timestamp expires_at;
  bool may_grant = false;

  bool operator==(const Pending&) const = default;
};

enum class Scope { once, for_thread };

/// How it was settled; nothing changes it any more.
struct Settled {
  State state = State::cancelled;
  std::string by;  // empty when time did it
  Timestamp at;
  Scope scope = Scope::once;  // of an approval
  std::string reason;         // of a denial; may be empty

  bool operator==(const Settled&) const = default;
};

using Standing = std::variant<Pending, Settled>;

struct Approve {
  std::string by;
  bool may_approve = false;  // at this moment, by the function that gives access
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
/// The run was stopped, or the call is over. Who may stop a run was decided where it was stopped.
struct Cancel {
  std::string by;
  Timestamp at;
};
using Event = std::variant<Approve, Deny, Expire, Cancel>;

enum class Refusal {
  already_settled,
  not_an_approver,
  expired,            // nobody took the due yet, but the time is over
  arguments_changed,  // what was shown is not what would run
  no_grant_offered,
  not_yet,  // an expiry that was moved
};

struct Decision {
  Standing standing;
  std::optional<Refusal> refusal = std::nullopt;

  bool operator==(const Decision&) const = default;
};

/// The first valid answer wins; whatever is refused leaves things as they stand.
Decision decide(const Standing& standing, const Event& event);

/// One sentence for the person whose answer was refused; `standing` is what `decide` returned.
std::string words(Refusal refusal, const Standing& standing, const Zone& zone);

/// What the *Ask again* of an expired card brings back: the same wish, judged and shown anew.
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

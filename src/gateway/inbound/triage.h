// Alerts that bots post where `channels.<id>.triage` is on: which one is investigated, which is a note to the
// investigation under way, and which is only counted. Pure; the dispatcher reads the state of a service and stores it
// with the decision.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/result.h"
#include "intent/vocabulary.h"
#include "policy/identity.h"
#include "store/rows.h"

namespace deputy::gateway {

inline constexpr std::chrono::seconds kOneRequest{15};    // alerts of one service that are one request
inline constexpr std::chrono::minutes kOneThread{30};     // one fingerprint is one thread
inline constexpr std::size_t kInvestigationsAnHour = 10;  // of one service

/// A post of a bot, as far as rules read it.
struct Alert {
  std::string service;      // its key; empty if none is named
  std::string fingerprint;  // the first line without its state and numbers
  bool is_resolved = false;

  bool operator==(const Alert&) const = default;
};

Alert read_alert(std::string_view text, const intent::Vocabulary& vocabulary);

/// A fingerprint and the thread in which it was first seen.
struct SeenAlert {
  std::string fingerprint;
  std::string conversation;
  std::int64_t at = 0;  // milliseconds

  bool operator==(const SeenAlert&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&SeenAlert::fingerprint, "fingerprint", "What is the same each time");
    f.required(&SeenAlert::conversation, "conversation", "Its thread");
    f.required(&SeenAlert::at, "at", "When it was first seen");
  }
};

/// The alerts of one service in one place: the body of its mark.
struct TriageState {
  std::int64_t changes = 0;  // of this state, so that of two changes at once one is made again
  std::vector<std::int64_t> begun;
  std::vector<SeenAlert> seen;
  std::string run;  // the newest investigation
  std::string conversation;
  std::int64_t begun_at = 0;
  std::int64_t not_investigated = 0;  // since it began

  bool operator==(const TriageState&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using T = TriageState;
    f.required(&T::changes, "changes", "How often it changed");
    f.optional(&T::begun, "begun", "Investigations of the last hour");
    f.optional(&T::seen, "seen", "Alerts of the last half hour");
    f.optional(&T::run, "run", "The newest investigation");
    f.optional(&T::conversation, "conversation", "Where it is");
    f.optional(&T::begun_at, "begun_at", "When it began");
    f.optional(&T::not_investigated, "not_investigated", "Alerts since it began");
  }
};

inline constexpr std::string_view kTriageMark = "triage";
inline constexpr std::string_view kListenMark = "listening";   // by conversation: everyone is heard without a mention
inline constexpr std::string_view kResolvedMark = "resolved";  // by conversation: its alert is over, since `at`

/// The first line in the thread of an investigated alert.
inline constexpr std::string_view kListening =
    "I am looking into this alert. In this thread I listen to everyone, also without a mention; *stop listening* ends "
    "that.";

std::string triage_key(const policy::Place& place, const Alert& alert);
store::MarkRow write_triage(std::string key, const TriageState& state, Timestamp now);
Result<TriageState> read_triage(const store::MarkRow& mark);

/// The thread in which this alert was seen or is being looked into; empty if there is none.
std::string thread_of(const Alert& alert, const TriageState& state, bool is_active);

struct Investigate {
  bool operator==(const Investigate&) const = default;
};
/// Tells the investigation under way.
struct TellRun {
  bool operator==(const TellRun&) const = default;
};
/// Only counts it. The line is empty where nobody need be told this time.
struct CountAlert {
  std::string conversation;
  std::string line;
  bool operator==(const CountAlert&) const = default;
};
using TriageDecision = std::variant<Investigate, TellRun, CountAlert>;

/// Decides, and brings the state up to date; the caller sets its run. `is_active`: the newest investigation goes on.
TriageDecision triage(const Alert& alert, const std::string& conversation, TriageState& state, bool is_active,
                      Timestamp now);

}  // namespace deputy::gateway

// The consequences of an interaction's end: the mail to the run, the message to the model, and the scheduled events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interaction/approval.h"
#include "interaction/questions.h"

namespace deputy::interaction {

enum class Kind { approval, questions };

constexpr auto choices_of(Kind) {
  return std::to_array<std::pair<Kind, std::string_view>>(
      {{Kind::approval, "approval"}, {Kind::questions, "questions"}});
}

constexpr std::string_view name(Kind kind) { return kind == Kind::approval ? "approval" : "questions"; }

/// The body of the journal's `answered`: settled by a person, by time, or by the end of its run.
struct Answered {
  static constexpr std::string_view kKind = "answered";
  static constexpr int kVersion = 1;

  std::string interaction;
  std::string call;
  State state = State::cancelled;
  std::string by;                    // empty if it expired
  json::object response;             // for questions the call's result; for an approval {scope?, reason?}
  std::optional<std::string> grant;  // created by the approval

  bool operator==(const Answered&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using A = Answered;
    f.required(&A::interaction, "interaction", "Which one");
    f.required(&A::call, "call", "The call that waited for it");
    f.required(&A::state, "state", "What it came to");
    f.optional(&A::by, "by", "Who answered");
    f.optional(&A::response, "response", "What they answered");
    f.optional(&A::grant, "grant", "The grant born from it");
  }
};

Answered answered(std::string interaction, std::string call, const Settled& settled, std::optional<std::string> grant);
Answered answered(std::string interaction, std::string call, const FormResult& result, std::string by);

/// Tells the model how an approval ended: a person denied it, or nobody answered in time.
std::string told_to_model(const Settled& settled);

/// The same for a rule that denied before anyone was asked; `rule` is a sentence.
std::string told_of_rule(std::string_view rule);

struct Due {
  enum class Kind { expiry, reminder };
  Kind kind = Kind::expiry;
  Timestamp at;

  bool operator==(const Due&) const = default;
};

/// The dues to write in the transaction that shows an interaction. Approvals have a reminder at half time; forms do
/// not.
std::vector<Due> dues(Kind kind, Timestamp shown_at, Timestamp expires_at);

}  // namespace deputy::interaction

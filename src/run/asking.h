// What is stored of an interaction beside its row: enough to show it, to say who may answer, and to settle it, in
// whatever process the answer arrives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "interaction/approval.h"
#include "interaction/questions.h"
#include "policy/approvers.h"
#include "run/call_requested.h"
#include "store/rows.h"

namespace deputy::run {

/// The body of an interaction row.
struct Asking {
  std::string card;                 // the interaction whose views show this one: itself, or the first of its turn
  std::string requester;            // the person
  std::vector<std::string> askers;  // keys of accounts: the requester, then whoever wrote notes before the call
  bool suspicious = false;          // the run
  json::object place;               // of the conversation (place.h)
  std::optional<interaction::Approval> approval;
  std::optional<interaction::Form> questions;
  json::object tokens;  // by the name of the control (tokens_of.h)

  template <class Fields>
  static void fields(Fields& f) {
    using A = Asking;
    f.required(&A::card, "card", "The interaction whose views show this one");
    f.required(&A::requester, "requester", "The person it is asked for");
    f.required(&A::askers, "askers", "Accounts whose words led to the call");
    f.optional(&A::suspicious, "suspicious", "Whether the run is");
    f.required(&A::place, "place", "Where it is asked");
    f.optional(&A::approval, "approval", "What an approval shows and binds");
    f.optional(&A::questions, "questions", "The form");
    f.optional(&A::tokens, "tokens", "What each control of its views carries");
  }
};

Result<Asking> read_asking(const store::InteractionRow& row);
std::string write_asking(const Asking& asking);

/// The call an approval is about, as the model asked for it: what `prepare` takes.
CallRequested wish_of(const std::string& call, const interaction::Approval& approval);

/// Kinds of dues that are acted on by whoever takes them; their id is the interaction's.
inline constexpr std::string_view kExpiryDue = "expiry";
inline constexpr std::string_view kReminderDue = "reminder";
inline constexpr std::string_view kShowFormDue = "show_form";  // another form of the conversation was open

/// The dues that end with an interaction.
std::vector<store::DueKey> dues_of(const std::string& interaction);

}  // namespace deputy::run

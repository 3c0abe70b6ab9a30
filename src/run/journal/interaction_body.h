// The stored body of an interaction: enough to show it, to say who may answer, and to settle it, in whatever process
// the answer arrives. Its controls have tokens, which are made once, when it is asked: rows for looking up what a click
// means, and the same by name in InteractionBody::tokens for drawing the controls.
//
// To add a control: a row of interaction::Control, and its line in `actions_of`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "interaction/approval.h"
#include "interaction/codes.h"
#include "interaction/questions.h"
#include "policy/approvers.h"
#include "run/journal/entry_mail.h"
#include "store/rows.h"

namespace deputy::run {

/// The body of an interaction row.
struct InteractionBody {
  std::string card;                 // the interaction whose views show this one: itself, or the first of its turn
  std::string requester;            // the person
  std::vector<std::string> askers;  // keys of accounts: the requester, then whoever wrote notes before the call
  bool suspicious = false;          // the run
  json::object place;               // of the conversation (stored_rows.h)
  std::optional<interaction::Approval> approval;
  std::optional<interaction::Form> questions;
  json::object tokens;                        // by the name of the control
  std::optional<std::string> time_zone = {};  // of the requester, an IANA name

  template <class Fields>
  static void fields(Fields& f) {
    using A = InteractionBody;
    f.required(&A::card, "card", "The interaction whose views show this one");
    f.required(&A::requester, "requester", "The person it is asked for");
    f.required(&A::askers, "askers", "Accounts whose words led to the call");
    f.optional(&A::suspicious, "suspicious", "Whether the run is");
    f.required(&A::place, "place", "Where it is asked");
    f.optional(&A::approval, "approval", "What an approval shows and binds");
    f.optional(&A::questions, "questions", "The form");
    f.optional(&A::tokens, "tokens", "What each control of its views carries");
    f.optional(&A::time_zone, "time_zone", "The requester's time zone");
  }
};

Result<InteractionBody> read_interaction_body(const store::InteractionRow& row);
std::string write_interaction_body(const InteractionBody& asking);

/// The call an approval is about, as the model asked for it: what `prepare` takes.
CallRequested call_of(const std::string& call, const interaction::Approval& approval);

/// Kinds of dues that are acted on by whoever takes them; their id is the interaction's.
inline constexpr std::string_view kExpiryDue = "expiry";
inline constexpr std::string_view kReminderDue = "reminder";
inline constexpr std::string_view kReachDue = "reach";         // somebody who may approve must see the card
inline constexpr std::string_view kShowFormDue = "show_form";  // another form of the conversation was open

/// The dues that end with an interaction.
std::vector<store::DueKey> dues_of(const std::string& interaction);

/// Rows for NewInteractionRow::tokens; `tokens` gets the same by name, for InteractionBody::tokens.
std::vector<store::TokenRow> make_tokens(const InteractionId& interaction, const InteractionBody& asking,
                                         const std::string& digest, json::object& tokens);

/// *Approve all* of one card: it holds for what is listed, as it was shown, and for nothing that joins the card later.
/// The row and `tokens` are those of the card's last interaction.
store::TokenRow make_approve_all(std::vector<interaction::Acted> on, json::object& tokens);

/// A token and its action, read back from InteractionBody::tokens. Without *Approve all*, whose row says what it
/// covers.
struct ControlToken {
  interaction::Action action;
  std::string token;
};
std::vector<ControlToken> controls_of(const InteractionId& interaction, const InteractionBody& asking,
                                      const std::string& digest);

/// The token of one control; empty when there is none.
std::string token_of(const InteractionBody& asking, interaction::Control control);

}  // namespace deputy::run

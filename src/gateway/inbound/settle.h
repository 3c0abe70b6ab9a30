// The only way an interaction ends from outside its run: by a person or by expiry. The compare-and-set, the mail to the
// run, the redraw of its card, the audit row and the removal of its dues are one transaction.
#pragma once

#include <string>

#include "gateway/inbound/dependencies.h"
#include "interaction/approval.h"
#include "interaction/lifecycle.h"
#include "interaction/questions.h"
#include "run/journal/interaction_body.h"
#include "store/rows.h"

namespace deputy::gateway {

struct Ending {
  interaction::Answered answered;  // the mail
  std::string name;                // of the person who answered, as people call them
  std::string account;             // key of the account they used; empty if it expired
  Timestamp at;
  store::Effects effects = {};  // in addition to the usual ones
};

/// If the result is not `settled`, nothing was stored. After a form the next one is shown.
Task<Result<store::AnswerStored>> settle(InboundDependencies& parts, store::InteractionRow row,
                                         run::InteractionBody asking, Ending ending);

/// At most one form is open in a conversation. If none is, shows the oldest that waits.
Task<Result<>> show_next_form(InboundDependencies& parts, std::string conversation);

/// Only the card deliveries.
std::vector<store::DeliveryRow> cards_among(std::vector<store::DeliveryRow> deliveries);

/// A delivery that redraws the cards of an interaction.
store::DeliveryRow redraw(const store::InteractionRow& row, const run::InteractionBody& asking, Timestamp at);

store::InteractionState to_row(interaction::State state);
interaction::State from_row(store::InteractionState state);

/// The text of AnswerRow::response: the response of interaction::Answered and a name.
std::string write_response(json::object response, const std::string& name);

/// The name of the person who answered; their id if no name is known, empty if it expired.
std::string answered_by(const store::InteractionRow& row);

/// The state of an approval.
interaction::ApprovalState standing_of(const store::InteractionRow& row, const interaction::Approval& approval);

/// The result of a form that has ended.
interaction::FormResult form_result_of(const store::InteractionRow& row);

/// The time zone of the person it is asked for: cards, reminders and questions are in it.
interaction::Zone zone_of(const run::Rules& rules, const run::InteractionBody& asking);

/// One line that says what the interaction waits for.
std::string describe_pending(const run::InteractionBody& asking);

}  // namespace deputy::gateway

// The one way an interaction ends from outside its run: by a person or by time. Compare-and-set, the mail to the run,
// the redrawing that is owed, the audit and the end of its dues are one transaction.
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
  std::string name;                // of whoever answered, as people call them
  std::string account;             // key of the account they used; empty when time did it
  Timestamp at;
  store::Effects effects = {};  // beside those that always come
};

/// Where it says anything but `settled`, nothing of it is stored. After a form the next one is shown.
Task<Result<store::Answered>> settle(InboundDependencies& parts, store::InteractionRow row, run::InteractionBody asking,
                                     Ending ending);

/// One form is open in a conversation, others wait. Where none is, the oldest that waits gets its card.
Task<Result<>> show_next_form(InboundDependencies& parts, std::string conversation);

/// The cards among what was delivered of an interaction.
std::vector<store::DeliveryRow> cards_among(std::vector<store::DeliveryRow> deliveries);

/// The redrawing of what shows an interaction.
store::DeliveryRow redraw(const store::InteractionRow& row, const run::InteractionBody& asking, Timestamp at);

store::InteractionState to_row(interaction::State state);
interaction::State from_row(store::InteractionState state);

/// What AnswerRow::response holds: the response of interaction::Answered and a name.
std::string write_response(json::object response, const std::string& name);

/// Of whoever answered, as people call them; the person where no name is known, empty when time did it.
std::string answered_by(const store::InteractionRow& row);

/// Of an approval.
interaction::Standing standing_of(const store::InteractionRow& row, const interaction::Approval& approval);

/// Of a form that is over.
interaction::FormResult form_result_of(const store::InteractionRow& row);

/// One line of what waits for people, for those who are told about it.
std::string describe_pending(const run::InteractionBody& asking);

}  // namespace deputy::gateway

// How an interaction's row stands, in the types of interaction/. What people answered is kept in the row's response,
// together with what people call whoever answered.
#pragma once

#include <string>

#include "interaction/approval.h"
#include "interaction/questions.h"
#include "run/journal/interaction_body.h"
#include "store/rows.h"

namespace deputy::gateway {

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

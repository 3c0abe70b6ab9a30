// Answering the questions of ask_user: a whole form at once, or one question at a time on a durable draft.
#pragma once

#include "gateway/inbound/approvals.h"
#include "interaction/codes.h"
#include "interaction/draft.h"

namespace deputy::gateway {

/// Whether this person may answer that form now.
Task<Result<>> may_answer(InboundDependencies& parts, run::InteractionBody asking, policy::Identity identity,
                          policy::Place place);

/// The form is over; whether `by` may end it has been looked at.
Task<Result<AnswerResult>> complete_form(InboundDependencies& parts, store::InteractionRow row,
                                         interaction::FormResult result, Answerer by);

/// A control of a form was pressed.
Task<Result<AnswerResult>> press_form(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      channel::InboundAnswer answer, Answerer by);

/// The question that is asked now, as text.
std::string ask_current(const store::InteractionRow& row, const run::InteractionBody& asking,
                        const interaction::Draft& draft, const interaction::Zone& zone);

/// Whether others can write there too.
interaction::Writers writers_at(const run::InteractionBody& asking);

}  // namespace deputy::gateway

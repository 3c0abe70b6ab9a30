// Answering the questions of ask_user: a whole form at once, or one question at a time on a durable draft.
#pragma once

#include "gateway/inbound/approvals.h"
#include "interaction/codes.h"
#include "interaction/draft.h"

namespace deputy::gateway {

/// An error if this person may not answer that form now.
Task<Result<>> may_answer(InboundDependencies& parts, run::InteractionBody asking, policy::Identity identity,
                          policy::Place place);

/// Ends the form. The caller has checked that `by` may do so.
Task<Result<AnswerResult>> complete_form(InboundDependencies& parts, store::InteractionRow row,
                                         interaction::FormResult result, Answerer by);

/// A control of a form was pressed.
Task<Result<AnswerResult>> press_form(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      channel::InboundAnswer answer, Answerer by);

/// The current question as text.
std::string ask_current(const store::InteractionRow& row, const run::InteractionBody& asking,
                        const interaction::Draft& draft, const interaction::Zone& zone);

/// How many questions are asked at once in this conversation.
std::size_t page_of(const InboundDependencies& parts, const std::string& conversation);

/// One person or several can write in the place of the form.
interaction::Writers writers_at(const run::InteractionBody& asking);

}  // namespace deputy::gateway

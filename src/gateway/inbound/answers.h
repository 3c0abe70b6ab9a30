// What becomes of a click or a submitted form: from the token that came back to a verdict. Nothing that came back is
// trusted but that its token is known; who answers is looked up at this moment. A click by someone who may not changes
// nothing, is told so and audited.
//
// Answering an approval and a form is shared with typed answers: answers_approval.h and answers_form.h.
#pragma once

#include "channel/channel.h"
#include "gateway/inbound/dependencies.h"

namespace deputy::gateway {

/// An error means that the click may come again; where it was for several, what of it was settled stays so.
/// `sender`, where it is known, is not looked up.
Task<Result<channel::Verdict>> answer_click(InboundDependencies& parts, channel::InboundAnswer answer,
                                            std::optional<policy::Identity> sender);

}  // namespace deputy::gateway

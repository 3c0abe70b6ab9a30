// Handles a click or a submitted form: from the token that came back to a verdict. Only a known token is trusted, none
// of the rest of the click; the sender is looked up now. A click by somebody who may not answer changes nothing; they
// are told so, and it is audited.
//
// Typed answers use the same code to answer approvals and forms: approvals.h and forms.h.
#pragma once

#include "channel/channel.h"
#include "gateway/inbound/dependencies.h"

namespace deputy::gateway {

/// After an error the click may be repeated; of several interactions, those that were settled stay settled.
/// `sender` is looked up if it is not given.
Task<Result<channel::Verdict>> answer_click(InboundDependencies& parts, channel::InboundAnswer answer,
                                            std::optional<policy::Identity> sender);

}  // namespace deputy::gateway

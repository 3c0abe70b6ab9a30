// Typed decisions of approvals: from a code to the interaction it answers, and what is wanted of it.
#pragma once

#include <expected>
#include <string>

#include "gateway/answers_approval.h"
#include "gateway/dispatcher_facts.h"

namespace deputy::gateway {

/// Among those that were shown here, settled ones too: then who answered is known.
std::expected<store::InteractionRow, interaction::CodeRefusal> with_code(const Gathered& gathered,
                                                                         std::string_view code, int wrong_before);

/// A code holds for what its card shows, once.
ApprovalWish wish_of(const Decide& decision, const store::InteractionRow& row);

/// What a person is told whose answer changed nothing.
std::string words_of(const channel::Verdict& verdict);

}  // namespace deputy::gateway

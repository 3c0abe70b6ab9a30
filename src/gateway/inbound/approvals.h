// Approving and denying, by click or by code. Right and call are looked up at this moment: what the approval showed is
// compared with what would run now, and whoever answers is judged by the settings of now.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/routing_facts.h"
#include "interaction/approval.h"
#include "policy/approvers.h"
#include "run/journal/interaction_body.h"

namespace deputy::gateway {

/// Who answers, and from where.
struct Answerer {
  policy::Identity identity;
  policy::Place place;
  std::string name;                           // as people call them
  std::optional<store::ConsumedRow> message;  // a typed answer: taken in together with it
};

/// What came of an answer. A refusal is for the audit; whoever asked stores it, together with what it answers.
struct AnswerResult {
  channel::Verdict verdict;
  std::vector<store::AuditRow> audit = {};
};

/// What a person wants of an approval.
struct ApprovalAnswer {
  bool approve = false;
  interaction::Scope scope = interaction::Scope::once;
  std::string digest;  // of what they were shown
  std::string reason;  // of a denial
};

Task<Result<AnswerResult>> answer_approval(InboundDependencies& parts, store::InteractionRow row, ApprovalAnswer wish,
                                           Answerer by);

/// A refusal for the person, and for the audit.
AnswerResult refuse(const store::InteractionRow& row, const Answerer& by, std::string person, std::string why,
                    Timestamp at);

/// Somebody was first.
channel::Verdict already(const store::InteractionRow& row, const interaction::Zone& zone);

/// An answer that the store did not take: somebody was first, or its message came twice. Who takes the message in to
/// say so finds that it was, and says nothing.
AnswerResult not_settled(const store::Answered& answered, const interaction::Zone& zone);

/// "message (hint)" as a sentence.
std::string sentence(const Error& error);

/// Among those that were shown here, settled ones too: then who answered is known.
std::expected<store::InteractionRow, interaction::CodeRefusal> with_code(const RoutingInput& gathered,
                                                                         std::string_view code, int wrong_before);

/// A code holds for what its card shows, once.
ApprovalAnswer wish_of(const Decide& decision, const store::InteractionRow& row);

/// What a person is told whose answer changed nothing.
std::string words_of(const channel::Verdict& verdict);

}  // namespace deputy::gateway

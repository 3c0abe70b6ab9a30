// Approving and denying, by click or by code. Both checks use the present settings: whether the person may approve, and
// whether what would run now is what the approval showed.
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

/// The person who answers, and where.
struct Answerer {
  policy::Identity identity;
  policy::Place place;
  std::string name;                           // as people call them
  std::optional<store::ConsumedRow> message;  // of a typed answer: stored together with it
};

/// The result of an answer. The caller stores the audit rows of a refusal.
struct AnswerResult {
  channel::Verdict verdict;
  std::vector<store::AuditRow> audit = {};
};

/// A person's decision about an approval.
struct ApprovalAnswer {
  bool approve = false;
  interaction::Scope scope = interaction::Scope::once;
  std::string digest;  // of what they were shown
  std::string reason;  // of a denial
};

Task<Result<AnswerResult>> answer_approval(InboundDependencies& parts, store::InteractionRow row, ApprovalAnswer wish,
                                           Answerer by);

/// Checks that this person may answer the approval here, with the present settings.
Task<Result<>> may_decide(InboundDependencies& parts, store::InteractionRow row, run::InteractionBody asking,
                          policy::Identity identity, policy::Place place);

/// Refuses an answer: the verdict for the person, and the audit row.
AnswerResult refuse(const store::InteractionRow& row, const Answerer& by, std::string person, std::string why,
                    Timestamp at);

/// The time zone of the person who answers: verdicts are in it.
interaction::Zone zone_of(const run::Rules& rules, const Answerer& by);

/// The verdict when somebody else answered first.
channel::Verdict already(const store::InteractionRow& row, const interaction::Zone& zone);

/// The result of an answer that the store did not accept: somebody else answered first, or the message came twice. For
/// a repeated message nothing is shown: storing the reply finds that the message was already processed.
AnswerResult not_settled(const store::AnswerStored& answered, const interaction::Zone& zone);

/// "message (hint)" as a sentence.
std::string sentence(const Error& error);

/// The approval with this code, among those shown in this conversation. Settled ones count too, so that the reply can
/// say who answered.
std::expected<store::InteractionRow, interaction::CodeRefusal> with_code(const RoutingInput& gathered,
                                                                         std::string_view code, int wrong_before);

/// A typed code approves once, and only what its card shows.
ApprovalAnswer wish_of(const Decide& decision, const store::InteractionRow& row);

/// The message for a person whose answer changed nothing.
std::string words_of(const channel::Verdict& verdict);

}  // namespace deputy::gateway

// Reads the facts for routing. The conversation is read first: any later change increases its version, and the write
// that follows is then refused.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "channel/message.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/routing.h"

namespace deputy::gateway {

/// A text as a run stores it.
struct CleanText {
  std::string text;
  bool held_secret = false;
};

inline constexpr std::size_t kMaxRequest = 40'000;  // characters

/// Redacts first, so that no part of a secret survives the cut; then cuts to kMaxRequest, with a mark.
/// Large text is redacted on a worker.
Task<Result<CleanText>> keep(std::string text, redact::Redactor redactor);

/// The same without the cut.
Task<Result<std::string>> redact_inbound(std::string text, redact::Redactor redactor);

struct RoutingInput {
  Facts facts;
  std::map<std::string, store::InteractionRow> interactions;  // those of the facts, by id
  std::vector<store::InteractionRow> with_code;               // approvals that a typed code could mean
};

/// True if it was asked anywhere at this place.
bool was_asked_at(const run::Received& request, const policy::Place& place);

/// A person's unfinished runs at a place, newest first, without child runs.
Task<Result<std::vector<store::RunRow>>> own_runs_at(InboundDependencies& parts, policy::Place place,
                                                     std::string person);

/// An error if the sender, or who reads the place, could not be looked up just now, and that decides about access.
Task<Result<RoutingInput>> gather(InboundDependencies& parts, channel::InboundMessage message,
                                  store::ConversationRow conversation, policy::Identity sender);

}  // namespace deputy::gateway

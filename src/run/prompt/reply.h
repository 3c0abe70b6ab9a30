// Turns a reply of a model into the entry that the journal keeps. Pure: whatever a model says, an entry comes out that
// folds.
#pragma once

#include <algorithm>

#include "model/model.h"
#include "redact/redact.h"
#include "run/journal/entry_run.h"

namespace deputy::run {

inline constexpr std::size_t kMaxCallsATurn = 50;

/// Calls get ids of the run's own, because a provider's repeat. Texts are redacted, and so are arguments: a call with a
/// mark in its arguments is then refused, never run with something else than was asked.
ModelReplied replied(const model::Reply& reply, std::size_t calls_before, const redact::Redactor& redactor,
                     std::optional<std::int64_t> cost);

/// How much there is to redact in a reply.
std::size_t bytes_of(const model::Reply& reply);

ModelReplied failed(std::string why);

/// Adds what a question to a model took to whatever tells of it. `cost` is nothing when no price is known: a stand-in
/// may have none where the model that was asked has one.
template <class Body>
void add_usage(Body& body, std::optional<std::int64_t> cost, const model::Usage& usage) {
  const std::int64_t tokens = std::max<std::int64_t>(usage.tokens(), 0);
  body.cost += std::max<std::int64_t>(cost.value_or(0), 0);
  body.tokens += tokens;
  if (!cost) body.unpriced_tokens = body.unpriced_tokens.value_or(0) + tokens;
}

/// `value` with every text in it, keys too, redacted, and what is secret by the name it stands beside. What is nested
/// too deep to be read back from a journal becomes a mark.
json::value redact_json(const json::value& value, const redact::Redactor& redactor);

}  // namespace deputy::run

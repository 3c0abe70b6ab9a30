// What a request is about, asked of a fast model as structured output, with the rules as fallback: whatever the model
// does, an intent comes out within the limit.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "intent/intent.h"
#include "model/model.h"
#include "redact/redact.h"
#include "run/rules.h"

namespace deputy::run {

/// An intent, and how it came about.
struct FoundIntent {
  intent::Intent intent;
  std::string by = "rules";          // or the name of a model
  std::vector<std::string> dropped;  // what a model found and did not hold, or why nothing of it counts
  std::int64_t cost = 0;             // millionths of a dollar
  std::int64_t tokens = 0;
  std::optional<std::int64_t> unpriced_tokens = {};  // those of them that no price is known for
};

/// What the rules know of the world.
intent::Vocabulary vocabulary_of(const Rules& rules, std::vector<intent::KnownTool> tools, Timestamp now);

/// The request as data, the names there are and the time, to be answered with an intent as JSON. Bounded.
model::Request intent_request(std::string_view text, const Rules& rules,
                              const std::vector<model::ToolDescription>& offered, Timestamp now);

/// What the reply reports, redacted; an error says why it does not count.
Result<intent::Intent> read_reported(const model::Reply& reply, const redact::Redactor& redactor);

/// What is asked of the fast model, with all that is needed to check its answer.
struct IntentQuestion {
  std::shared_ptr<model::Model> model;
  model::Request request;
  std::vector<model::ToolDescription> offered;
  std::chrono::milliseconds limit{};
};

/// Asks once. `by_rules` is what is returned when the model gives no intent in time, with what that cost; when it does,
/// the questions of the rules about the environment, and why they read no time, are kept as long as there is none.
Task<FoundIntent> ask_for_intent(IntentQuestion question, std::string text, intent::Vocabulary vocabulary,
                                 FoundIntent by_rules, redact::Redactor redactor);

}  // namespace deputy::run

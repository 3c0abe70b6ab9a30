// Enrichment: the model is told the time, the place, the thread and the intent beside the request. A fast model finds
// the intent as structured output, with the rules as fallback: whatever the model does, an intent comes out within the
// limit. Pure but for asking that model.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "intent/intent.h"
#include "model/model.h"
#include "redact/redact.h"
#include "run/journal/entry_mail.h"
#include "run/journal/entry_run.h"
#include "run/plan/rules.h"
#include "run/prompt/memory.h"

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

/// The vocabulary of the rules.
intent::Vocabulary vocabulary_of(const Rules& rules, std::vector<intent::KnownTool> tools, Timestamp now);

/// The request as data, the names there are and the time, to be answered with an intent as JSON. Bounded.
model::Request intent_request(std::string_view text, const Rules& rules, const model::ToolList& offered, Timestamp now,
                              const interaction::Zone& zone);

/// The intent that a reply reports, redacted; an error says why it does not count.
Result<intent::Intent> read_reported(const model::Reply& reply, const redact::Redactor& redactor);

/// A question to the fast model, with all that is needed to check its answer.
struct IntentQuestion {
  std::shared_ptr<model::Model> model;
  model::Request request;
  model::ToolList offered;
  std::chrono::milliseconds limit{};
};

/// Asks once. Returns `by_rules`, with the cost, when the model gives no intent in time. When it does, the rules'
/// question about the environment and their reason for reading no time are kept until there is one.
Task<FoundIntent> ask_for_intent(IntentQuestion question, std::string text, intent::Vocabulary vocabulary,
                                 FoundIntent by_rules, redact::Redactor redactor);

inline constexpr int kThreadMessages = 200;  // that are read at most; limits.thread_tokens says how many are shown

/// The thread before a request, as its channel has it.
struct ThreadContext {
  std::string channel_name;
  std::vector<ThreadLine> lines;  // the root first, then the newest
  std::size_t left_out = 0;
};

/// The thread before the request, redacted and cut, with cuts marked: what memory does not have, the root always, then
/// the newest messages within `limits.thread_tokens`. Then the time and the channel in square brackets, and the intent
/// under its heading. `images` are those files of the request that the model is shown.
Enriched enrich(const Received& received, const ThreadContext& thread, const std::vector<EarlierRun>& earlier,
                FoundIntent found, const Rules& rules, Timestamp now, const redact::Redactor& redactor,
                std::vector<ShownImage> images = {});

inline constexpr std::size_t kMaxAttachment = std::size_t{1} << 20;  // bytes of a file that is read

/// True for a text file that is not too large to read. One of unknown kind is tried.
bool is_readable(const AttachedFile& file);

/// devops, infra, platform, sre, ops, deploy, ci-cd: people are in the right place.
bool is_ops_channel(std::string_view channel_name);

}  // namespace deputy::run

// Enrichment: what the model is told beside the request. Pure.
#pragma once

#include "redact/redact.h"
#include "run/entry_mail.h"
#include "run/entry_model.h"
#include "run/intent_by_model.h"
#include "run/memory.h"
#include "run/rules.h"
#include "run/surroundings.h"

namespace deputy::run {

inline constexpr int kThreadMessages = 200;  // that are read at most; limits.thread_tokens says how many are shown

/// The thread before the request, redacted and cut, with cuts marked: what memory does not have, the root always, then
/// the newest messages within `limits.thread_tokens`. Then the time and the channel in square brackets, and the intent
/// under its heading.
Enriched enrich(const Received& received, const ThreadContext& thread, const std::vector<EarlierRun>& earlier,
                FoundIntent found, const Rules& rules, Timestamp now, const redact::Redactor& redactor);

/// devops, infra, platform, sre, ops, deploy, ci-cd: people are in the right place.
bool is_ops_channel(std::string_view channel_name);

}  // namespace deputy::run

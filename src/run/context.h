// Enrichment: what the model is told beside the request. Pure.
#pragma once

#include "redact/redact.h"
#include "run/entry_mail.h"
#include "run/entry_model.h"
#include "run/intent_by_model.h"
#include "run/rules.h"
#include "run/surroundings.h"

namespace deputy::run {

inline constexpr int kThreadMessages = 11;  // the root and the last ten

/// The thread cut as a reader needs it (the root to 3,000 characters, others to 500, cuts marked) and redacted, the
/// time and the channel in square brackets, and the intent under its heading.
Enriched enrich(const Received& received, const ThreadContext& thread, FoundIntent found, const Rules& rules,
                Timestamp now, const redact::Redactor& redactor);

/// devops, infra, platform, sre, ops, deploy, ci-cd: people are in the right place.
bool is_ops_channel(std::string_view channel_name);

}  // namespace deputy::run

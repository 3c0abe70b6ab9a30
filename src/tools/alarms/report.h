// Writes found alarms and metrics as text: the verdict first, then one line each, with links to the vendor's pages.
// Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/alarms/alarm_backend.h"

namespace deputy::tools {

inline constexpr std::size_t kMaxAlarmsTold = 30;
inline constexpr std::size_t kMaxSeriesTold = 12;

/// Texts that are cut are redacted first: of half a secret nobody can tell that it is one.
toolkit::Output report(const AlarmQuery& query, const FoundAlarms& found, Timestamp now, const toolkit::Redact& redact);
toolkit::Output report(const MetricQuery& query, const FoundMetrics& found, const toolkit::Redact& redact);

}  // namespace deputy::tools

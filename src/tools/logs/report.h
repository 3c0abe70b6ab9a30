// Writes the result of a log search as text: a summary in the first line, then groups of similar messages with counts,
// the newest entries, and at the end what was searched and what was left out. Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/scope.h"

namespace deputy::tools {

inline constexpr std::size_t kMaxGroupsTold = 20;

/// The data has `matched`, `from`, `to`, `lines` and the groups that are shown, and if there are enough of them a plot
/// of their counts over time. Logged text is redacted before it is cut or reduced to its shape.
toolkit::Output report(const LogQuery& query, const LogFindings& findings, Telling telling,
                       const toolkit::Redact& redact);

/// "1,234,567"
std::string with_commas(std::int64_t number);

}  // namespace deputy::tools

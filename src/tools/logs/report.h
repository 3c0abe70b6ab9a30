// What was found, in words: a verdict in the first line, what says the same counted together, the newest entries, and
// then what was looked through and what was left out. Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/scope.h"

namespace deputy::tools {

inline constexpr std::size_t kMostGroupsTold = 20;

/// The text, and as data `matched`, `from`, `to`, `lines` and the groups that are told. What was logged passes `redact`
/// before it is cut or given a shape.
toolkit::Output report(const LogQuery& query, const LogFindings& findings, Telling telling,
                       const toolkit::Redact& redact);

/// "1,234,567"
std::string with_commas(std::int64_t number);

}  // namespace deputy::tools

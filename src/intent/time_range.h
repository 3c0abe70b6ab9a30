// Reads the time a request is about: "last 2 hours", "since yesterday 14:00", "between 14:00 and 15:30", "on Nov 3",
// "from 2026-11-17T08:00Z to 09:00Z". One time range per request: the first.
#pragma once

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Claims the tokens of the time. A clock time later than now means yesterday's. A time that cannot be used
/// (2026-02-30, tomorrow, 10:00 to 09:00) is reported as a problem and never replaced by another one. A future time is
/// a problem only in the first sentence and when no other time is named: "any errors? We go live tomorrow" is fine.
TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent

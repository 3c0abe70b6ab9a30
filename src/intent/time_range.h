// Reads the time a request is about: "last 2 hours", "since yesterday 14:00", "between 14:00 and 15:30", "on Nov 3",
// "from 2026-11-17T08:00Z to 09:00Z". One span a request, the first.
#pragma once

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Claims the tokens of the time. A clock time that is still to come today was yesterday's. What has the form of a time
/// and cannot be looked at (2026-02-30, tomorrow, 10:00 to 09:00) is a problem, never another time. What is to come
/// counts in the first sentence and beside no other time: in "any errors? We go live tomorrow" it is an aside.
TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent

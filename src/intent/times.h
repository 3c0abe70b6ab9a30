// The span of the past that a request speaks of, in words of many forms.
#pragma once

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// The first time the request names; the requester's own clock unless it names a zone. A clock time that is still to
/// come today was yesterday's. "at 3pm" is a quarter of an hour to each side, "around 3pm" half an hour. What is named
/// and cannot be looked at (no such day, only to come, ending before it begins, too long ago) is a problem, never
/// another time. What is to come counts where it is asked about: "errors tomorrow", not "errors? We go live tomorrow".
/// What is found is claimed.
TimeRange find_time_range(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent

// Finds what a request names exactly: tickets, pull requests, incidents, URLs, how many of something.
#pragma once

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Fills those fields of `parameters`, each list without duplicates and at most kMaxKind long, and claims the tokens.
/// UTF-8, SHA-256 or CVE-2024-1234 are not tickets; "incident 2 hours ago" does not name an incident.
void find_ids(const Tokens& tokens, Parameters& parameters, Claims& claims);

}  // namespace deputy::intent

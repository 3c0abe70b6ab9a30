// What a request names exactly: tickets, pull requests, incidents, addresses, how many of something.
#pragma once

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Fills the fields of `parameters` that are about these, each without doubles and at most kMostOfAKind long, and
/// claims the tokens. UTF-8, SHA-256 or CVE-2024-1234 are no tickets; "incident 2 hours ago" names no incident.
void find_ids(const Tokens& tokens, Parameters& parameters, Claims& claims);

}  // namespace deputy::intent

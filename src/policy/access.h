// Access: decides if a sender may speak to Deputy here. The same functions authorise a click. An error says why not,
// worded for the sender, and what to set. One that is
// `retryable` decides nothing: a lookup failed, and the next one may give access.
#pragma once

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// Checks both the sender and the place. The local user always has access in the terminal and on Deputy's own surfaces:
/// settings and database are theirs.
Result<> may_speak(const Identity& identity, const Place& place, const Settings& settings);

/// Checks the sender only. `open_to` is the channel's default if settings name nobody.
Result<> who_may_speak(const Identity& identity, OpenTo open_to, const Settings& settings);

/// Checks the place only.
Result<> may_speak_in(const Place& place, const Settings& settings);

}  // namespace deputy::policy

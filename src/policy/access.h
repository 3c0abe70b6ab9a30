// Access: whether a sender may speak to Deputy here. The same functions authorise a click. An error says why not, in
// words for the sender, and what to set.
#pragma once

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// Who and where, both. The local user always may in the terminal and on Deputy's own surfaces: settings and database
/// are theirs.
Result<> may_speak(const Identity& identity, const Place& place, const Settings& settings);

/// Who alone, wherever it is. `open_to` is what the channel opens to where settings name nobody.
Result<> who_may_speak(const Identity& identity, OpenTo open_to, const Settings& settings);

/// Where alone, whoever it is.
Result<> may_speak_in(const Place& place, const Settings& settings);

}  // namespace deputy::policy

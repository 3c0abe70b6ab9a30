// The hosts that links of an answer may lead to: those that people or the outside named. A model makes no host known.
// Pure: a function of a run's state.
//
// Tools repeat what they were asked for, in their results and in their errors. So a host that stood in what a model
// asked for is learned from no result after that; one that was known before, or that people name later, is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/addresses.h"
#include "run/journal/state.h"

namespace deputy::run {

/// The hosts that a run knows: from its request, its thread, notes and results, from its parent run, and from the
/// earlier runs of the conversation that its model was shown.
Hosts known_hosts(const RunState& state);

/// Those of them that `text` leads to, as they are stored with what is owed.
std::vector<std::string> known_hosts_in(std::string_view text, const RunState& state);

/// As they are stored for runs that go on from here. At most 1,000: a link to any other host is shown as code.
std::vector<std::string> stored_hosts(const Hosts& hosts);

}  // namespace deputy::run

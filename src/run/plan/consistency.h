// Whether a journal could have been written by a runner that keeps its rules: what stands against each entry, given the
// state before it. It shares nothing with plan but the state, so that a fault of plan shows in journals it led to.
//
// To add a rule: a line in the operator of the kind of entry it is about, a row in tests/run/plan/consistency_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "run/journal/state.h"

namespace deputy::run {

/// What is wrong with `entry` where it stands, a sentence each. Mail is never wrong: whoever sent it may have been
/// late.
std::vector<std::string> problems_of(const RunState& before, const Entry& entry);

/// What is missing at the end of a journal. A run that has not finished misses nothing.
std::vector<std::string> problems_at_end(const RunState& state);

}  // namespace deputy::run

// Checks that a journal could have been written by a runner that keeps its rules: the problems of each entry, given the
// state before it. It shares only the state with plan, so that a fault of plan shows in the journals it led to.
//
// To add a rule: a line in the operator of the kind of entry it is about, a row in tests/run/plan/consistency_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "run/journal/state.h"

namespace deputy::run {

/// The problems of `entry` where it stands, a sentence each. Mail has none: its sender may have been late.
std::vector<std::string> problems_of(const RunState& before, const Entry& entry);

/// The problems at the end of a journal. A run that has not finished has none.
std::vector<std::string> problems_at_end(const RunState& state);

}  // namespace deputy::run

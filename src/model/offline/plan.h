// What the offline planner does next, as a pure function of the request: calls to make, or the answer.
//
//   choose tools -> fill their parameters -> ask people for what is missing -> call -> once more with what was
//   missing, or one other tool after an error -> say what came of it
//
// It keeps nothing: what was done already stands in the turns. Every way ends: a tool is called in at most two turns, a
// question is asked once, one other tool is tried, and after kMostTurns it answers whatever has happened.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMostTurns = 6;

struct Plan {
  std::vector<Call> calls;
  std::string text;  // the answer, when there are no calls
};

/// `room` is how many characters an answer may have.
Plan plan(const Request& request, std::size_t room);

}  // namespace deputy::model::offline

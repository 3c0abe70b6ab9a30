// What the offline planner does next, as a pure function of the request and the tools: calls to make, or the answer.
//
//   match tools -> fill their parameters by kind -> ask people for what is missing -> call -> say what came of it
//
// It keeps nothing: what was done already stands in the turns. Every way ends: a question is asked once, nothing is
// called twice, and after kMostTurns it answers whatever has happened.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMostTurns = 6;
inline constexpr std::size_t kMostCallsATurn = 3;

struct Plan {
  std::vector<Call> calls;
  std::string text;  // the answer, when there are no calls
};

/// `room` is how many characters an answer may have.
Plan plan(const Request& request, const toolkit::Registry& registry, std::size_t room);

}  // namespace deputy::model::offline

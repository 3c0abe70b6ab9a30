// Decides the offline planner's next step, as a pure function of the request and the tools: calls to make, or the
// answer.
//
//   match tools -> fill their parameters by kind -> ask people for what is missing -> call -> report the results
//
// It keeps no state: earlier calls are in the turns. It always ends: each question is asked once, no call is made
// twice, and after kMaxTurns it answers with what it has.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMaxTurns = 6;
inline constexpr std::size_t kMaxCallsATurn = 3;

struct Plan {
  std::vector<Call> calls;
  std::string text;  // the answer, when there are no calls
};

/// `room` is the maximum length of an answer in characters.
Plan plan(const Request& request, const toolkit::Registry& registry, std::size_t room);

}  // namespace deputy::model::offline

// The arguments of a call, from what the intent names, what people answered and the request's own words. What it cannot
// find it leaves out and says so; it never makes up an environment or a service.
#pragma once

#include <vector>

#include "model/model.h"
#include "model/offline/conversation.h"
#include "model/offline/roles.h"

namespace deputy::model::offline {

struct Missing {
  Parameter parameter;
  ParameterRole role = ParameterRole::other;
};

struct Filled {
  json::object arguments;
  std::vector<Missing> missing;  // required, and nowhere to be found

  bool complete() const { return missing.empty(); }
};

/// `which` picks one of several services or ids that the request names, counted from 0.
Filled fill(const ToolDescription& tool, const Conversation& conversation, std::size_t which = 0);

/// How many calls it takes to ask the tool about everything the request names: for two services, two.
std::size_t calls_needed(const ToolDescription& tool, const Conversation& conversation);

}  // namespace deputy::model::offline

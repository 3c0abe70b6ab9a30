// What a parameter is for, told by its name, its type and, where those say little, by its tool: `service_name`,
// `hours_back` and a ticket tool's `key` mean the same whoever wrote the tool.
//
// To add a role: a line here, a row in roles.cpp, and what it is filled with in fill.cpp.
#pragma once

#include "model/model.h"
#include "model/offline/schema.h"

namespace deputy::model::offline {

enum class ParameterRole {
  service,
  environment,
  minutes,
  hours,
  days,
  from,
  to,
  query,
  limit,
  repository,
  ticket,
  pull_request,
  incident,
  url,
  channel,
  path,
  branch,
  command,
  body,  // what to write, in the person's own words
  title,
  description,  // what the request is about
  other,
};

ParameterRole role_of(const ToolDescription& tool, const Parameter& parameter);

/// What its form calls it, and an answer: one word for all environments, one for all services, else its name.
std::string label_of(ParameterRole role, const Parameter& parameter);

}  // namespace deputy::model::offline

// What tools share that investigate: a child run that may only read begins with calls that gather evidence, in
// parallel, and its model concludes from them. The report names for each claim the call it rests on; whatever the model
// says, the calls are listed by rule: what they gave, what failed, what is not set up.
//
// To add a source of evidence: its call in first_calls(). A tool that is not there is left out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"
#include "tools/services_registry.h"

namespace deputy::tools {

struct Subject {
  std::string service;      // its key, or as people call it; empty: not known
  std::string environment;  // empty: not known
  std::string repository = {};
  std::string incident = {};                     // its id; empty: there is none
  std::optional<Timestamp> from = std::nullopt;  // of errors; none: the tool's usual range
  std::optional<Timestamp> to = std::nullopt;
  std::string description = {};  // what is known already
};

/// The calls that gather evidence: [{tool, arguments}]. Pure.
json::array first_calls(const Subject& subject);

/// The repository of a service; its own name where the registry, which may be null, knows none.
Task<std::string> repository_of(std::shared_ptr<ServicesRegistry> registry, std::string service);

/// The payload of a delegate of the kind `child_run`.
json::object investigation(const Subject& subject);

/// The report of a child run that `investigation` began, from its answer as the delegate gives it.
std::string report_of_investigation(std::string_view answer);

}  // namespace deputy::tools

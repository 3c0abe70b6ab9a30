// What an approval holds for, as digests: the chain a call runs through, and the call itself. A digest changes when any
// of its ingredients does, and only then.
#pragma once

#include <string>

#include "base/json.h"
#include "toolkit/background.h"
#include "toolkit/pipeline.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

/// Of the handlers' names in order, their gate and `repeatable`, those of `finally`, the tool's version and its target.
/// Who goes on with a parked call composes again and compares: another digest ends the call with a conflict.
std::string chain_digest(const ToolSpec& spec, const Pipeline& pipeline);

/// What a person said yes to.
struct ApprovedCall {
  std::string tool;        // its name, not an alias
  json::object arguments;  // complete: Tool::complete_arguments
  Mode mode = Mode::foreground;
  std::string chain;    // chain_digest
  json::value preview;  // what the handlers before the gate put out; null: none
};

/// SHA-256, in hexadecimal, of the canonical JSON of all of it.
std::string call_digest(const ApprovedCall& call);

}  // namespace deputy::toolkit

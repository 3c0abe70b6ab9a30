// Digests that an approval is bound to: one of the chain a call runs through, one of the call itself. A digest changes
// if and only if one of its ingredients does.
#pragma once

#include <string>

#include "base/json.h"
#include "toolkit/pipeline.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

/// Covers the names of the handlers in order, their gate and `repeatable`, those of `finally`, the tool's version and
/// its target. Whoever resumes a parked call composes it again and compares: a different digest ends the call with a
/// conflict.
std::string chain_digest(const ToolSpec& spec, const Pipeline& pipeline);

/// The call that a person approved.
struct ApprovedCall {
  std::string tool;        // its name, not an alias
  json::object arguments;  // complete: Tool::complete_arguments
  CallMode mode = CallMode::foreground;
  std::string chain;    // chain_digest
  json::value preview;  // output of the handlers before the gate; null: none
};

/// SHA-256, in hexadecimal, of the canonical JSON of all fields.
std::string call_digest(const ApprovedCall& call);

}  // namespace deputy::toolkit

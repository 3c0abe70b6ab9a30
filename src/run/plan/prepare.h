// Prepares a call of the model so that it can be judged and run: the tool, complete arguments, the chain, and the call
// as policy sees it. Pure; the same call under the same settings gives the same.
#pragma once

#include <memory>
#include <string>

#include "policy/identity.h"
#include "run/journal/entry_mail.h"
#include "run/plan/rules.h"
#include "toolkit/pipeline.h"
#include "toolkit/registry.h"
#include "toolkit/spec.h"

namespace deputy::run {

inline constexpr std::string_view kChangedWhileItWaited =
    "the tool or its settings changed while this waited; nothing was done";

struct PreparedCall {
  std::shared_ptr<const toolkit::Tool> tool;
  json::object
      arguments;  // complete, with the defaults of settings and of the tool, and settled: in their one spelling
  toolkit::CallMode mode = toolkit::CallMode::foreground;
  toolkit::Pipeline pipeline;
  std::string chain;  // digest
  toolkit::CallSettings settings;
  policy::Call call;

  const toolkit::ToolSpec& spec() const { return tool->spec(); }
};

/// The part of a call that policy sees of any call of a tool, whatever its arguments.
policy::Call any_call_of(const toolkit::ToolSpec& spec);

/// invalid_input when they hold a secret, or the marker of one: in the text of a value or split over several.
Result<> refuse_secrets(const json::object& arguments);

/// An error says, for the model, what is wrong: no such tool, arguments that break its schema or hold a secret, a tool
/// that is off or not configured.
Result<PreparedCall> prepare(const CallRequested& wish, const toolkit::Registry& registry, const Rules& rules,
                             const policy::Place& place);

}  // namespace deputy::run

// The requests that the model is sent. Pure: rebuilt from the state and the first prompt and tool list of the run, so
// that a replay gives the very same requests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/journal/state.h"
#include "run/plan/rules.h"
#include "toolkit/registry.h"

namespace deputy::run {

/// The system prompt and the tools, which a run keeps from its first request to its end, by digest.
struct Prompt {
  std::string system;
  model::ToolList tools;

  bool operator==(const Prompt&) const = default;
};

/// The first prompts of runs. Runs that were begun alike share one: it is most of what a waiting run holds.
class Prompts {
 public:
  /// The system prompt is the rules' own or the built-in one, followed by what is data and what stays secret. The tools
  /// are those that are on and configured, may be used at this place, and, for a child run, that it may use at all.
  Prompt make(const Received& received, const toolkit::Registry& registry, const Rules& rules);
  std::shared_ptr<const Prompt> share(Prompt prompt);

 private:
  using Tools = std::vector<std::shared_ptr<const toolkit::Tool>>;

  std::map<std::string, std::weak_ptr<const Prompt>> kept_;  // by digest
  std::map<Tools, model::ToolList> described_;
};

/// The memory of the conversation (memory.h), then the run's own request and work. The tools are those of the prompt
/// whether or not calls are possible; with none, the last words say so.
model::Request request_of(const RunState& state, std::vector<model::Turn> memory, const Prompt& prompt, int max_tokens,
                          model::Calls calls);

}  // namespace deputy::run

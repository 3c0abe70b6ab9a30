// What a handler may answer, and what a look may find. A step is the only thing that leaves a handler: between handlers
// nothing travels but the arguments and journalled outputs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/json.h"
#include "base/result.h"

namespace deputy::toolkit {

/// Go on with the next handler.
struct Continue {
  bool operator==(const Continue&) const = default;
};

/// Set the result of the call and go on.
struct Output {
  std::string text;   // for the model and for people
  json::object data;  // for later handlers and other layers: what a preview saw, an id that was made; at most 64 KB

  bool operator==(const Output&) const = default;
};

/// Whom a handler asks. Each kind is answered by the layer above; to add one, add it here and answer it in run.
enum class DelegateKind {
  child_run,  // a run of its own
  model,      // a question to the model {system, prompt, data}; what others wrote goes into data
  result,     // a page of a kept result
  history,    // past runs
  tasks,      // background tasks and sub-runs
};

constexpr auto choices_of(DelegateKind) {
  using K = DelegateKind;
  return std::to_array<std::pair<K, std::string_view>>({{K::child_run, "child_run"},
                                                        {K::model, "model"},
                                                        {K::result, "result"},
                                                        {K::history, "history"},
                                                        {K::tasks, "tasks"}});
}

/// Ends the handler. When the answer has come the same handler is called again, in whatever process, with it in
/// `CallContext::answer`.
struct Delegate {
  DelegateKind kind = DelegateKind::model;
  json::object payload;  // at most 256 KB

  bool operator==(const Delegate&) const = default;
};

using Step = std::variant<Continue, Output, Delegate, Error>;

/// Did it happen? Asked of a handler that is not repeatable and whose outcome is not known.
struct Looked {
  enum class Answer { done, not_done, cannot_tell };

  Answer answer = Answer::cannot_tell;
  std::optional<Output> output = std::nullopt;  // when done: what the handler would have said
};

}  // namespace deputy::toolkit

// What a handler may answer, and what a look may find. A step is the only thing that leaves a handler: between handlers
// nothing travels but the arguments and journalled outputs.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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

// What a handler is given: plain data about the call, a way to say how it is going, and word of when to stop. It holds
// no token, no settings and no channel: a tool never prompts and never knows whom it serves through.

/// Who asked.
struct Requester {
  std::string person;
  std::string account;  // on the channel the request came by
  std::string timezone;
};

struct HistoryTurn {
  std::string writer;
  std::string text;
};

/// The run around a call.
struct CallFacts {
  std::string request;  // the person's words
  Requester requester;
  std::string channel;
  std::string conversation;          // the thread, by its key
  std::string environment;           // empty: the call names none
  std::vector<HistoryTurn> history;  // oldest first
};

inline constexpr std::size_t kMostOfARequest = 2000;  // characters
inline constexpr std::size_t kMostHistory = 100;      // turns

/// The same facts with the request cut (and marked so) and only the newest of the history. The executor does this
/// before every handler.
CallFacts bounded(CallFacts facts);

/// Lives until the handler's coroutine has ended, also when that is left behind.
struct CallContext {
  std::string call_id;
  json::object arguments;                              // with defaults filled in
  std::optional<json::value> answer;                   // of the delegate this handler asked before
  std::map<std::string, Output, std::less<>> outputs;  // journalled, by the name of the earlier handler
  CallFacts facts;

  // Set by the executor. Cancellation also reaches the coroutine itself, through Asio; the token is for worker threads
  // and loops.
  std::stop_token stop;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(std::string_view)> on_delta;
  /// Takes secrets out of what the handler is about to cut or reshape: afterwards nobody could know them. What it
  /// returns passes this anyway. Use it through `redact_or_withhold`.
  std::function<std::string(std::string_view text)> redact;

  /// Streams a word on how it is going. Deltas are not journalled and may be joined or dropped. On the loop only.
  void emit(std::string_view delta) const {
    if (on_delta) on_delta(delta);
  }
  /// What the handler of this name said, or null.
  const Output* output_of(std::string_view handler) const;
  std::chrono::milliseconds time_left() const;
};

}  // namespace deputy::toolkit

// The input and output of a handler. A handler gets a CallContext: plain data about the call, a way to report progress,
// and a signal to stop. It gets no token, no settings and no channel: a tool never prompts people and never knows which
// channel it serves. It returns a step; nothing else travels between handlers but the arguments and journalled outputs.
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

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"

namespace deputy::toolkit {

/// Continue with the next handler.
struct Continue {
  bool operator==(const Continue&) const = default;
};

/// In the data of an Output: that of a command. People are told when it is not 0.
inline constexpr std::string_view kExitCode = "exit_code";

/// Set the result of the call and continue.
struct Output {
  std::string text;  // for the model and for people
  json::object
      data;  // for later handlers and other layers, such as what a preview saw or an id that was created; at most 64 KB

  bool operator==(const Output&) const = default;
};

/// The layers a handler can ask. To add one, add it here and answer it in run.
enum class DelegateKind {
  child_run,   // a run started by this one
  model,       // a question to the model {system, prompt, data}; text written by others goes into data
  result,      // a page of a kept result
  history,     // past runs
  tasks,       // background tasks and child runs
  visibility,  // {channel, places: [{id, public}]}: those that the requester and the readers of the answer may see
  attachment,  // a page of a file that came with the request
  background,  // {tool, arguments}: starts a background call of a tool that reads; the answer is its task id, empty
               // in a background call, which starts no other
};

constexpr auto choices_of(DelegateKind) {
  using K = DelegateKind;
  return std::to_array<std::pair<K, std::string_view>>({{K::child_run, "child_run"},
                                                        {K::model, "model"},
                                                        {K::result, "result"},
                                                        {K::history, "history"},
                                                        {K::tasks, "tasks"},
                                                        {K::attachment, "attachment"},
                                                        {K::background, "background"},
                                                        {K::visibility, "visibility"}});
}

/// Ends the handler. When the answer arrives, the same handler is called again, possibly in another process, with the
/// answer in `CallContext::answer`.
struct Delegate {
  DelegateKind kind = DelegateKind::model;
  json::object payload;  // at most 256 KB

  bool operator==(const Delegate&) const = default;
};

using Step = std::variant<Continue, Output, Delegate, Error>;

/// Answers "did it happen?" for a handler that is not repeatable and whose outcome is unknown.
struct Looked {
  enum class Answer { done, not_done, cannot_tell };

  Answer answer = Answer::cannot_tell;
  std::optional<Output> output = std::nullopt;  // if done: what the handler would have returned
};

/// The person who asked.
struct Requester {
  std::string person;
  std::string account;  // on the channel of the request
  std::string timezone;
  std::string email = {};  // people.<name>.email; empty: settings do not say it
};

struct HistoryTurn {
  std::string writer;
  std::string text;
};

/// The run around a call.
struct CallFacts {
  std::string request;  // the person's text
  Requester requester;
  std::string channel;
  std::string conversation;          // the thread's key
  std::string environment;           // empty: the call names none
  std::string run;                   // its id
  std::string approved_by;           // a person, or the grant of one; empty: nobody was asked
  std::vector<HistoryTurn> history;  // oldest first
};

inline constexpr std::size_t kMaxRequest = 2000;  // characters
inline constexpr std::size_t kMaxHistory = 100;   // turns

/// Cuts the request (with a mark) and keeps only the newest history. The executor does this before every handler.
CallFacts bounded(CallFacts facts);

/// Lives until the handler's coroutine ends, even if it is left behind.
struct CallContext {
  std::string call_id;
  json::object arguments;                              // with defaults filled in
  std::optional<json::value> answer;                   // of the delegate that this handler asked before
  std::map<std::string, Output, std::less<>> outputs;  // journalled, by handler name
  CallFacts facts;
  /// When this handler was first begun, for a look at what it has done: not before it. The platform's clock may differ.
  Timestamp begun_at = {};
  /// Where the links of path arguments led when the call was judged, by parameter; absent: nowhere.
  std::map<std::string, std::string, std::less<>> led_to;
  /// False for a file that the rules of ToolSpec::path_rules_of forbid, or may forbid if it has several names. May be
  /// called on any thread; empty: there are no rules.
  std::function<bool(std::string_view path, bool several_names)> may_read;
  /// True if this call would run without asking anybody (again) with another value of this argument. On the loop only;
  /// empty: there are no rules.
  std::function<bool(std::string_view parameter, std::string_view value)> allows;

  // Set by the executor. Cancellation also reaches the coroutine itself, through Asio; the token is for worker threads
  // and loops.
  std::stop_token stop;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(std::string_view)> on_delta;
  /// Redacts text that the handler is about to cut or reshape, because a cut secret is no longer recognised: a whole
  /// file before some of its lines are taken, line numbers hold. Returned text is redacted anyway. Use it through
  /// `redact_or_withhold`, off the loop when the text is long.
  std::function<std::string(std::string_view text)> redact;
  /// The same for lines that were picked from a larger text, such as entries of a log: the lines around them are
  /// missing, so less is enough to make one a secret.
  std::function<std::string(std::string_view text)> redact_picked;

  /// Streams a progress message. Deltas are not journalled and may be joined or dropped. On the loop only.
  void emit(std::string_view delta) const {
    if (on_delta) on_delta(delta);
  }
  /// The path to open for a path argument: the one that was judged. No link in it is followed.
  std::string path_of(std::string_view parameter) const;
  /// The output of the handler with this name, or null.
  const Output* output_of(std::string_view handler) const;
  std::chrono::milliseconds time_left() const;
};

}  // namespace deputy::toolkit

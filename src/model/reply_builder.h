// A reply while it comes, whichever API it comes from: streams its text, keeps its limits, and says at the end why it
// stopped. What the API's own words are is the reader's to know.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "model/model.h"
#include "net/sse.h"

namespace deputy::model {

/// How a reply ended, before its calls are looked at.
enum class Ending { done, max_tokens, refusal, overflow, broken_call };

/// Errors are all of a malformed reply: too long, or too many calls. A call that cannot be run as it came is no error:
/// it has a fault, which the model is told as the call's result.
class ReplyBuilder {
 public:
  static constexpr std::size_t kMostBytes = 8UL * 1024 * 1024;
  static constexpr std::size_t kMostCalls = 128;

  ReplyBuilder(Calls calls, OnText on_text) : calls_(calls), on_text_(std::move(on_text)) {}

  /// Bytes that are kept for this reply somewhere else than in here.
  Result<> count(std::size_t bytes);

  /// Goes to OnText at once.
  Result<> say(std::string_view text);

  /// What was said so far was no answer. Who listens has heard it all the same.
  void unsay();

  /// A whole block of thinking, in its place; its bytes were counted as they came. `summary` is what can be read of it.
  void think(json::object part, std::string summary = {});
  /// Some of its summary while it comes; goes to OnText at once.
  void tell_thinking(std::string_view summary) const {
    if (on_text_.thinking && !summary.empty()) on_text_.thinking(summary);
  }

  /// A call with its arguments as they came: the text of an object; nothing, or null, for none. Any other text, and a
  /// call that names no tool, is a fault. An id that is missing or taken is replaced.
  Result<> call(std::string id, std::string tool, std::string_view arguments);

  /// For who adds calls after all text: text came behind the last one, so that it is whole.
  void end_calls() { ends_in_call_ = false; }

  /// Calls that are there count, whatever the API says it stopped for; not of a refusal or an overflow, and never where
  /// the request allows none. A call that the limit of tokens cut is not in the reply: one whose arguments are no
  /// object, and where the reply ends in a call that one, for servers close what the limit left open. Where the API
  /// says that it could not read a call, and not which, all have a fault; where it kept none, one that names no tool
  /// has.
  Result<Reply> finish(Ending ending, const Usage& usage) &&;

 private:
  std::string free_id(std::string id);
  Result<> break_calls();
  void drop_calls();
  bool drop_cut_calls();

  Calls calls_;
  OnText on_text_;
  Reply reply_;
  std::set<std::string> ids_;
  std::size_t bytes_ = 0;
  std::size_t count_of_calls_ = 0;
  std::set<std::string> unreadable_;  // ids of calls whose arguments are no object
  bool ends_in_call_ = false;
};

/// The object under a key; empty when there is none, or something else. It lives as long as `holder`.
const json::object& object_at(const json::object& holder, std::string_view key);

/// Which block an event is of: 0 where it does not say, -1 where that is no number.
std::int64_t index_at(const json::object& event, std::string_view key);

/// A count of tokens as an API gives it: at least nothing, at most a million millions.
std::int64_t tokens_at(const json::object& usage, std::string_view key, std::int64_t otherwise);

/// For an API that says nothing of it: a guess from the characters, never nothing.
Usage estimated_usage(const Request& request, const Reply& reply);

// What reads an API's reply out of its events, and what feeds it with the bytes of a stream. Pure: exchange.h has the
// I/O.

class EventReader {
 public:
  virtual ~EventReader() = default;

  /// One event's data. An error is final: the one that the API sent, or a malformed reply.
  virtual Result<> read(const json::object& event) = 0;

  /// A whole reply, of an API that did not stream.
  virtual Result<> read_message(const json::object& message) = 0;

  /// The stream said that it has ended.
  virtual void end() = 0;

  /// True when nothing more is to come.
  virtual bool has_ended() const = 0;

  /// True when a stream that breaks off now takes nothing of the reply with it.
  virtual bool is_whole() const = 0;
};

/// Server-sent events, cut anywhere, each of which holds a JSON object. `[DONE]` is the end; what comes after the end
/// is not read.
class EventFeed {
 public:
  explicit EventFeed(EventReader& reader) : reader_(reader) {}

  Result<> feed(std::string_view bytes);

 private:
  net::SseReader events_;
  EventReader& reader_;
};

}  // namespace deputy::model

// A reply under construction, for every API. ReplyBuilder streams text, enforces limits and decides why the reply
// stopped; EventReader reads one API's events, and EventFeed feeds it the bytes of a stream. Pure: exchange.h does the
// I/O.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "model/model.h"
#include "net/sse.h"

namespace deputy::model {

/// How a reply ended, before looking at its calls.
enum class Ending { done, max_tokens, refusal, overflow, broken_call };

/// Every error means a malformed reply: too long, or too many calls. A call that cannot run is not an error: it gets a
/// fault, which the model sees as the call's result.
class ReplyBuilder {
 public:
  static constexpr std::size_t kMaxBytes = 8UL * 1024 * 1024;
  static constexpr std::size_t kMaxCalls = 128;

  ReplyBuilder(Calls calls, OnText on_text) : calls_(calls), on_text_(std::move(on_text)) {}

  /// Counts bytes that a reader keeps for this reply outside the builder.
  Result<> count(std::size_t bytes);

  /// Passed to OnText at once.
  Result<> say(std::string_view text);

  /// Drops the text so far, which was not part of the answer. Listeners have already seen it.
  void unsay();

  /// Adds a complete block of thinking; its bytes have been counted. `summary` is the readable part.
  void think(json::object part, std::string summary = {});
  /// Passes on a part of the summary at once.
  void tell_thinking(std::string_view summary) const {
    if (on_text_.thinking && !summary.empty()) on_text_.thinking(summary);
  }

  /// Adds a call with its arguments as text: a JSON object, or empty or null for none. Other text, or a missing tool
  /// name, becomes a fault. A missing or duplicate id is replaced.
  Result<> call(std::string id, std::string tool, std::string_view arguments);

  /// For readers that add calls after all text: text followed the last call, so that call is complete.
  void end_calls() { ends_in_call_ = false; }

  /// Existing calls count, whatever stop reason the API gave, except after a refusal or an overflow, or if the request
  /// allows none. A call cut by the token limit is dropped: one whose arguments are not an object, and a call at the
  /// end of the reply, because servers close what the limit left open. If the API could not read a call and does not
  /// say which, all get a fault; if there is none, one without a tool name is added.
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
  std::set<std::string> unreadable_;  // ids of calls whose arguments are not an object
  bool ends_in_call_ = false;
};

/// The object under a key; empty if missing or of another type. It lives as long as `holder`.
const json::object& object_at(const json::object& holder, std::string_view key);

/// The block index of an event: 0 if missing, -1 if not a number.
std::int64_t index_at(const json::object& event, std::string_view key);

/// A token count from an API, limited to 0 … 10^12.
std::int64_t tokens_at(const json::object& usage, std::string_view key, std::int64_t otherwise);

/// For APIs that report no usage: a guess from the characters, never zero.
Usage estimated_usage(const Request& request, const Reply& reply);

/// Reads one API's reply from its events.
class EventReader {
 public:
  virtual ~EventReader() = default;

  /// Reads one event's data. An error is final: one the API sent, or a malformed reply.
  virtual Result<> read(const json::object& event) = 0;

  /// Reads a whole reply that was not streamed.
  virtual Result<> read_message(const json::object& message) = 0;

  /// The stream said that it ended.
  virtual void end() = 0;

  /// True when nothing more is expected.
  virtual bool has_ended() const = 0;

  /// True when the reply is complete even if the stream breaks now.
  virtual bool is_whole() const = 0;
};

/// Splits the bytes of a stream into server-sent events for a reader: add bytes, then parse and read each next event.
/// `[DONE]` ends the stream; anything after the end is ignored.
class EventFeed {
 public:
  explicit EventFeed(EventReader& reader) : reader_(reader) {}

  /// Adds the next bytes of the stream, cut anywhere.
  void add(std::string_view bytes) { events_.add(bytes); }

  /// The data of the next event, never empty; nothing until it is complete, or after the end.
  Result<std::optional<std::string>> next();

  /// Reads an event, which its data was parsed to.
  Result<> read(const Result<json::object>& event);

 private:
  net::SseReader events_;
  EventReader& reader_;
};

}  // namespace deputy::model

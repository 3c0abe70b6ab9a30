// What reads an API's reply out of its events, and what feeds it with the bytes of a stream. Pure: exchange.h has the
// I/O.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "net/sse.h"

namespace deputy::model {

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

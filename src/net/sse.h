// Parses server-sent events from bytes as they arrive: cut anywhere, with any line end, between comments and
// keep-alives. It does not connect or reconnect, so `id` and `retry` are ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::net {

struct SseEvent {
  std::string name;  // "message" when the stream gives none
  std::string data;  // valid UTF-8; several data lines are joined by line ends

  bool operator==(const SseEvent&) const = default;
};

class SseReader {
 public:
  /// An event, and each of its lines, has at most `max_event` bytes.
  explicit SseReader(std::size_t max_event = 8UL * 1024 * 1024) : max_event_(max_event) {}

  /// Adds the next bytes of the stream, cut anywhere.
  void add(std::string_view bytes);

  /// The next event; nothing until it is complete. An event that is too large is an error of kind `upstream`, and so is
  /// every later call. An unfinished event at the end of the stream is dropped, as the standard says.
  Result<std::optional<SseEvent>> next();

 private:
  enum class Start { nothing, first_byte, second_byte, past };  // how much of a byte order mark has been seen

  Result<std::optional<SseEvent>> take();
  void skip_mark();
  Result<> take_part(std::string_view part);
  Result<std::optional<SseEvent>> end_line();
  Result<> take_field(std::string_view name, std::string_view value);
  std::optional<SseEvent> end_event();

  std::size_t max_event_;
  std::string added_;
  std::size_t taken_ = 0;  // bytes of `added_` already read
  Start start_ = Start::nothing;
  bool after_return_ = false;  // a line feed that follows belongs to the previous line end
  bool too_large_ = false;
  std::string line_;  // only the beginning of a comment
  std::string name_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace deputy::net

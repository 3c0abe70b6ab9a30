// Server-sent events, read from bytes as they come: cut anywhere, with any line end, between comments and keep-alives.
// It opens no connection and comes back to none; `id` and `retry` are for those who do, and are not kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::net {

struct SseEvent {
  std::string name;  // "message" where the stream gives none
  std::string data;  // valid UTF-8; several data lines are joined by line ends

  bool operator==(const SseEvent&) const = default;
};

class SseReader {
 public:
  /// One event, and one line of it, has at most `most_event` bytes.
  explicit SseReader(std::size_t most_event = 8UL * 1024 * 1024) : most_event_(most_event) {}

  /// The next bytes of the stream, cut anywhere.
  void add(std::string_view bytes);

  /// The next event; nothing while its end has not come. An event that is too large is an error of kind `upstream`, and
  /// so is every later call. At the end of the stream an unfinished event is dropped, as the standard says.
  Result<std::optional<SseEvent>> next();

 private:
  enum class Start { nothing, first_byte, second_byte, past };  // how much of a byte order mark has been seen

  Result<std::optional<SseEvent>> take();
  void skip_mark();
  Result<> take_part(std::string_view part);
  Result<std::optional<SseEvent>> end_line();
  Result<> take_field(std::string_view name, std::string_view value);
  std::optional<SseEvent> end_event();

  std::size_t most_event_;
  std::string added_;
  std::size_t taken_ = 0;  // bytes of `added_` that were read
  Start start_ = Start::nothing;
  bool after_return_ = false;  // a line feed that follows belongs to the line end before it
  bool too_large_ = false;
  std::string line_;  // of a comment only its beginning
  std::string name_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace deputy::net

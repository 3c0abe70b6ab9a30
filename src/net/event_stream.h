// Parses AWS event-stream frames (application/vnd.amazon.eventstream) from bytes as they arrive. Both checksums are
// verified, and an impossible length is refused before anything is buffered for it. The caller interprets the frames.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace deputy::net {

struct EventBytes {
  std::string bytes;
  bool operator==(const EventBytes&) const = default;
};

struct EventUuid {
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(const EventUuid&) const = default;
};

using EventValue = std::variant<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, EventBytes, std::string,
                                Timestamp, EventUuid>;

struct EventHeader {
  std::string name;
  EventValue value;

  bool operator==(const EventHeader&) const = default;
};

struct EventFrame {
  std::vector<EventHeader> headers;  // names are unique
  std::string payload;

  /// The text of the header of this name; nothing when there is none or it is not text.
  std::optional<std::string_view> header(std::string_view name) const;

  bool operator==(const EventFrame&) const = default;
};

inline constexpr std::size_t kMaxEventHeaders = 128UL * 1024;
inline constexpr std::size_t kMaxEventPayload = 24UL * 1024 * 1024;

class EventStreamReader {
 public:
  /// Adds the next bytes of the stream, cut anywhere.
  void add(std::string_view bytes);

  /// The next frame; nothing until it is complete. A broken frame is a retryable error of kind `upstream`, and so is
  /// every later call, because the start of the next frame is unknown.
  Result<std::optional<EventFrame>> next();

  /// A retryable error of kind `network` when the stream ended inside a frame.
  Result<> finish() const;

 private:
  Result<std::optional<EventFrame>> take();

  std::string kept_;
  std::size_t taken_ = 0;  // bytes of `kept_` whose frames were returned
  std::optional<Error> broken_;
};

}  // namespace deputy::net

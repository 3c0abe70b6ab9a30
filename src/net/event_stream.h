// AWS event-stream frames (application/vnd.amazon.eventstream), read from bytes as they come. Both checksums are held,
// and a length that no frame may have is refused before anything is kept for it. What a frame means is its reader's
// matter.
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
  std::vector<EventHeader> headers;  // no name stands twice
  std::string payload;

  /// The text of the header of this name; nothing when there is none, or when it is no text.
  std::optional<std::string_view> header(std::string_view name) const;

  bool operator==(const EventFrame&) const = default;
};

inline constexpr std::size_t kMostEventHeaders = 128UL * 1024;
inline constexpr std::size_t kMostEventPayload = 24UL * 1024 * 1024;

class EventStreamReader {
 public:
  /// The next bytes of the stream, cut anywhere.
  void add(std::string_view bytes);

  /// The next frame; nothing while its end has not come. What is no frame is a retryable error of kind `upstream`, and
  /// so is every later call: nothing tells where the next frame would begin.
  Result<std::optional<EventFrame>> next();

  /// An error of kind `network`, retryable, when the stream ended inside a frame.
  Result<> finish() const;

 private:
  Result<std::optional<EventFrame>> take();

  std::string kept_;
  std::size_t taken_ = 0;  // bytes of `kept_` whose frames were handed out
  std::optional<Error> broken_;
};

}  // namespace deputy::net

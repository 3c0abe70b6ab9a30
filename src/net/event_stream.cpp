#include "net/event_stream.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace deputy::net {

namespace {

constexpr std::size_t kPrelude = 12;  // total length, length of the headers, checksum of both
constexpr std::size_t kChecksum = 4;

std::unexpected<Error> broken(std::string_view why) {
  return std::unexpected(
      Error{ErrorKind::upstream, fmt::format("a frame of the event stream is broken: {}", why), {}, true});
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Takes numbers and texts from the front; returns nothing once too little is left.
class Front {
 public:
  explicit Front(std::string_view bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }

  std::optional<std::string_view> bytes(std::size_t count) {
    if (count > left_.size()) return std::nullopt;
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }

  template <std::integral N>
  std::optional<N> number() {
    const auto taken = bytes(sizeof(N));
    if (!taken) return std::nullopt;
    std::uint64_t value = 0;
    for (const char byte : *taken) value = value << 8U | static_cast<unsigned char>(byte);
    return static_cast<N>(value);
  }

  std::optional<std::string_view> counted() {
    const auto count = number<std::uint16_t>();
    return count ? bytes(*count) : std::nullopt;
  }

 private:
  std::string_view left_;
};

template <std::integral N>
std::optional<EventValue> number_value(Front& front) {
  const auto number = front.number<N>();
  if (!number) return std::nullopt;
  return EventValue(std::in_place_type<N>, *number);
}

std::optional<EventValue> uuid_value(Front& front) {
  const auto bytes = front.bytes(16);
  if (!bytes) return std::nullopt;
  EventUuid uuid;
  std::memcpy(uuid.bytes.data(), bytes->data(), uuid.bytes.size());
  return uuid;
}

std::optional<EventValue> value_of(std::uint8_t type, Front& front) {
  switch (type) {
    case 0:
      return true;
    case 1:
      return false;
    case 2:
      return number_value<std::int8_t>(front);
    case 3:
      return number_value<std::int16_t>(front);
    case 4:
      return number_value<std::int32_t>(front);
    case 5:
      return number_value<std::int64_t>(front);
    case 6: {
      const auto bytes = front.counted();
      return bytes ? std::optional<EventValue>(EventBytes{std::string(*bytes)}) : std::nullopt;
    }
    case 7: {
      const auto text = front.counted();
      return text ? std::optional<EventValue>(std::string(*text)) : std::nullopt;
    }
    case 8: {
      const auto millis = front.number<std::int64_t>();
      return millis ? std::optional<EventValue>(from_millis(*millis)) : std::nullopt;
    }
    case 9:
      return uuid_value(front);
    default:
      return std::nullopt;
  }
}

Result<std::vector<EventHeader>> headers_of(std::string_view bytes) {
  std::vector<EventHeader> headers;
  std::vector<std::string_view> names;
  Front front(bytes);
  while (!front.empty()) {
    const auto length = front.number<std::uint8_t>();
    const auto name = length ? front.bytes(*length) : std::nullopt;
    const auto type = name ? front.number<std::uint8_t>() : std::nullopt;
    auto value = type ? value_of(*type, front) : std::nullopt;
    if (!name || name->empty() || !value) return broken("its headers cannot be read");
    names.push_back(*name);
    headers.push_back({std::string(*name), *std::move(value)});
  }
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end()) return broken("a header occurs twice");
  return headers;
}

struct Lengths {
  std::size_t total = 0;
  std::size_t headers = 0;
};

Result<Lengths> lengths_of(std::string_view prelude) {
  Front front(prelude);
  const std::size_t total = front.number<std::uint32_t>().value_or(0);
  const std::size_t headers = front.number<std::uint32_t>().value_or(0);
  if (front.number<std::uint32_t>() != checksum(prelude.substr(0, 8))) return broken("its lengths are damaged");
  constexpr std::size_t kAround = kPrelude + kChecksum;
  if (total < kAround || headers > total - kAround) return broken("its lengths contradict each other");
  if (headers > kMaxEventHeaders || total - kAround - headers > kMaxEventPayload) return broken("it is too large");
  return Lengths{total, headers};
}

Result<EventFrame> frame_of(std::string_view bytes, std::size_t headers_size) {
  Front end(bytes.substr(bytes.size() - kChecksum));
  if (end.number<std::uint32_t>() != checksum(bytes.substr(0, bytes.size() - kChecksum))) {
    return broken("its content is damaged");
  }
  TRY(auto headers, headers_of(bytes.substr(kPrelude, headers_size)));
  const std::size_t before = kPrelude + headers_size;
  return EventFrame{std::move(headers), std::string(bytes.substr(before, bytes.size() - before - kChecksum))};
}

}  // namespace

std::optional<std::string_view> EventFrame::header(std::string_view name) const {
  for (const EventHeader& header : headers) {
    if (header.name != name) continue;
    const auto* text = std::get_if<std::string>(&header.value);
    return text == nullptr ? std::nullopt : std::optional<std::string_view>(*text);
  }
  return std::nullopt;
}

void EventStreamReader::add(std::string_view bytes) {
  if (broken_) return;
  kept_.erase(0, std::exchange(taken_, 0));
  kept_ += bytes;
}

Result<std::optional<EventFrame>> EventStreamReader::take() {
  const std::string_view left = std::string_view(kept_).substr(taken_);
  if (left.size() < kPrelude) return std::nullopt;
  TRY(const Lengths lengths, lengths_of(left.substr(0, kPrelude)));
  if (left.size() < lengths.total) return std::nullopt;
  TRY(EventFrame frame, frame_of(left.substr(0, lengths.total), lengths.headers));
  taken_ += lengths.total;
  return frame;
}

Result<std::optional<EventFrame>> EventStreamReader::next() {
  if (broken_) return std::unexpected(*broken_);
  auto frame = take();
  if (!frame) broken_ = frame.error();
  return frame;
}

Result<> EventStreamReader::finish() const {
  if (broken_) return std::unexpected(*broken_);
  if (kept_.size() == taken_) return {};
  return std::unexpected(Error{ErrorKind::network, "the event stream ended inside a frame", {}, true});
}

}  // namespace deputy::net

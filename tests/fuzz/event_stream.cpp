// AWS event-stream frames: whatever comes, and however it is cut, the frames are the same. The bytes are read as they
// are, and once more as headers and payload of a frame whose lengths and checksums are right, because chance finds
// none.
#include "net/event_stream.h"

#include <zlib.h>

#include <cstdint>

#include "fuzz/complain.h"
#include "support/event_frames.h"

namespace {

using namespace deputy;
using Frames = std::vector<net::EventFrame>;

struct Heard {
  Frames frames;
  bool is_broken = false;

  bool operator==(const Heard&) const = default;
};

// False once the stream is broken.
bool take_frames(net::EventStreamReader& reader, Frames& frames) {
  for (;;) {
    const auto next = reader.next();
    if (!next) return false;
    const std::optional<net::EventFrame>& frame = *next;
    if (!frame) return true;
    frames.push_back(*frame);
  }
}

Heard read(std::string_view bytes, std::size_t step) {
  net::EventStreamReader reader;
  Heard heard;
  while (!bytes.empty() && !heard.is_broken) {
    reader.add(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    heard.is_broken = !take_frames(reader, heard.frames);
  }
  heard.is_broken = heard.is_broken || !reader.finish();
  return heard;
}

void check(std::string_view bytes) {
  const Heard whole = read(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t step : {1, 3, 13}) {
    if (read(bytes, step) != whole) complain("the cut changes the frames");
  }
}

// The first byte says how many of the others are headers.
std::string framed(std::string_view bytes) {
  const std::size_t headers =
      bytes.empty() ? 0 : std::min<std::size_t>(static_cast<unsigned char>(bytes[0]), bytes.size() - 1);
  const std::string_view rest = bytes.substr(std::min<std::size_t>(1, bytes.size()));
  std::string frame = test::event_prelude(16 + rest.size(), headers);
  frame += rest;
  const auto crc = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(frame.data()), frame.size()));
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(crc >> shift & 0xFFU);
  return frame;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  check(framed(bytes));
  return 0;
}

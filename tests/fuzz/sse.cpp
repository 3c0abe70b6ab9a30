// Server-sent events: whatever comes, and however it is cut, the events are the same, valid and bounded.
#include "net/sse.h"

#include <cstdint>
#include <vector>

#include "base/text.h"
#include "fuzz/complain.h"

namespace {

using namespace deputy;
using Events = std::vector<net::SseEvent>;

constexpr std::size_t kMax = 256;

struct Heard {
  Events events;
  bool is_refused = false;

  bool operator==(const Heard&) const = default;
};

// False once the stream is refused.
bool take_events(net::SseReader& reader, Events& events) {
  for (;;) {
    const auto next = reader.next();
    if (!next) return false;
    const std::optional<net::SseEvent>& event = *next;
    if (!event) return true;
    events.push_back(*event);
  }
}

Heard read(std::string_view bytes, std::size_t step) {
  net::SseReader reader(kMax);
  Heard heard;
  while (!bytes.empty() && !heard.is_refused) {
    reader.add(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    heard.is_refused = !take_events(reader, heard.events);
  }
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Heard whole = read(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t step : {1, 2, 7}) {
    if (read(bytes, step) != whole) complain("the cut changes the events");
  }
  for (const net::SseEvent& event : whole.events) {
    if (!is_valid_utf8(event.data) || !is_valid_utf8(event.name) || event.name.empty())
      complain("an event is not valid");
    if (event.data.size() > 3 * kMax) complain("an event is too large");
  }
  return 0;
}

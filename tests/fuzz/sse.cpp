// Server-sent events: whatever comes, and however it is cut, the events are the same, valid and bounded.
#include "net/sse.h"

#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"

namespace {

using namespace deputy;
using Events = std::vector<net::SseEvent>;

constexpr std::size_t kMost = 256;

// Nothing when it was refused.
std::optional<Events> read(std::string_view bytes, std::size_t step) {
  net::SseReader reader(kMost);
  Events events;
  while (!bytes.empty()) {
    const auto more = reader.feed(bytes.substr(0, step));
    if (!more) return std::nullopt;
    events.insert(events.end(), more->begin(), more->end());
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = read(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t step : {1, 2, 7}) {
    if (read(bytes, step) != whole) complain("the cut changes the events");
  }
  for (const net::SseEvent& event : whole.value_or(Events{})) {
    if (!is_valid_utf8(event.data) || !is_valid_utf8(event.name) || event.name.empty())
      complain("an event is not valid");
    if (event.data.size() > 3 * kMost) complain("an event is too large");
  }
  return 0;
}

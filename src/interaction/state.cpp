#include "interaction/state.h"

#include <fmt/format.h>

namespace deputy::interaction {

std::string time_in(const Zone& zone, Timestamp at) {
  const std::chrono::seconds ahead = zone.utc_offset ? zone.utc_offset(at) : std::chrono::seconds(0);
  const std::string local = format_timestamp(at + ahead);
  return fmt::format("{} {} {}", local.substr(0, 10), local.substr(11, 5), zone.name);
}

}  // namespace deputy::interaction

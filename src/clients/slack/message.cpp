#include "clients/slack/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace deputy::clients::slack {

Timestamp time_of(std::string_view ts) {
  std::int64_t seconds = 0;
  std::from_chars(ts.data(), ts.data() + std::min(ts.find('.'), ts.size()), seconds);
  return from_millis(seconds * 1000);
}

std::string ts_of(Timestamp at) {
  const std::int64_t millis = to_millis(at);
  return fmt::format("{}.{:03}000", millis / 1000, millis % 1000);
}

json::object metadata_with(std::string_view type, std::string_view key) {
  return {{"event_type", type}, {"event_payload", {{"key", key}}}};
}

std::string key_in(const json::object& message, std::string_view type) {
  const json::object* metadata = find_object(message, "metadata");
  const json::object* payload = metadata == nullptr ? nullptr : find_object(*metadata, "event_payload");
  if (payload == nullptr || text_at(*metadata, "event_type") != type) return "";
  return text_at(*payload, "key");
}

}  // namespace deputy::clients::slack

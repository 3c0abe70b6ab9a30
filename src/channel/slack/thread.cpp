#include "channel/slack/thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "channel/slack/settings.h"

namespace deputy::channel::slack {

ConversationKey Thread::key() const { return fmt::format("{}:{}:{}:{}", kSlack, team, channel, ts); }

Result<Thread> Thread::parse(std::string_view key) {
  const std::vector<std::string_view> parts = split(key, ":");
  // The team is empty in what is addressed before Slack has told it.
  if (parts.size() != 4 || parts[0] != kSlack || parts[2].empty())
    return fail(ErrorKind::invalid_input, "this is not a conversation in Slack");
  return Thread{std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
}

Timestamp time_of(std::string_view ts) {
  std::int64_t seconds = 0;
  std::from_chars(ts.data(), ts.data() + std::min(ts.find('.'), ts.size()), seconds);
  return from_millis(seconds * 1000);
}

std::string ts_of(Timestamp at) {
  const std::int64_t millis = to_millis(at);
  return fmt::format("{}.{:03}000", millis / 1000, millis % 1000);
}

}  // namespace deputy::channel::slack

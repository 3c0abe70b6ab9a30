#include "channel/slack/thread.h"

#include <fmt/format.h>

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

std::string user_of(const policy::Account& account) {
  const std::size_t slash = account.id.find('/');
  return slash == std::string::npos ? account.id : account.id.substr(slash + 1);
}

}  // namespace deputy::channel::slack

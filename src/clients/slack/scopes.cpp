#include "clients/slack/scopes.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace deputy::clients::slack {

namespace {

constexpr auto kBotScopes = std::to_array<Scope>({
    {"app_mentions:read", "requests by mention"},
    {"assistant:write", "titles and suggested questions in Slack's view for agents"},
    {"channels:history", "the thread around a request, follow-ups and alerts in public channels"},
    {"channels:read",
     "names of public channels, and who can see them: without it nobody has access in them, unless access.external "
     "names them"},
    {"chat:write", "every answer, card and question"},
    {"commands", "/deputy, and \"Ask Deputy\" on a message"},
    {"files:read", "files that come with a request"},
    {"files:write", "long answers as files, and upload_slack_file"},
    {"groups:history", "the thread around a request, follow-ups and alerts in private channels"},
    {"groups:read", "names and members of private channels: without it nobody may see what happened there"},
    {"im:history", "requests by direct message"},
    {"im:read", "telling a direct message from a channel"},
    {"im:write", "cards by direct message to approvers who are not in the channel"},
    {"mpim:history", "requests in direct messages of several people"},
    {"mpim:read", "members of direct messages of several people"},
    {"reactions:read", "feedback by reaction"},
    {"reactions:write", "the :eyes: on a request that is being worked on, and add_slack_reaction"},
    {"search:read.public", "search_slack_messages"},
    {"usergroups:read", "user groups in access, roles and approvers"},
    {"users:read", "who asks and who approves: without it everybody is refused"},
    {"users:read.email", "people who are named by e-mail address in settings"},
});
static_assert(std::ranges::is_sorted(kBotScopes, {}, &Scope::name));

}  // namespace

std::span<const Scope> bot_scopes() { return kBotScopes; }

std::vector<Scope> missing_scopes(std::string_view granted) {
  const std::vector<std::string_view> has = split(granted, ",");
  std::vector<Scope> missing;
  for (const Scope& scope : kBotScopes) {
    if (std::ranges::none_of(has, [&](std::string_view one) { return trim(one) == scope.name; }))
      missing.push_back(scope);
  }
  return missing;
}

}  // namespace deputy::clients::slack

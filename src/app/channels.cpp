#include "app/channels.h"

#include "app/connections.h"
#include "base/text.h"
#include "channel/slack/http_events.h"
#include "channel/slack/slack_channel.h"

namespace deputy::app {

namespace {

namespace slack = channel::slack;

std::string missing_of_slack(const Settings& settings) {
  const slack::Settings& own = settings.channels.slack;
  if (own.bot_token.empty()) return "set channels.slack.bot_token or SLACK_BOT_TOKEN";
  if (own.transport == slack::Transport::socket && own.app_token.empty())
    return "set channels.slack.app_token or SLACK_APP_TOKEN";
  if (own.transport == slack::Transport::http && own.signing_secret.empty())
    return "set channels.slack.signing_secret or SLACK_SIGNING_SECRET";
  return "";
}

Result<std::shared_ptr<channel::Channel>> make_slack(const ChannelParts& parts) {
  slack::SocketOptions sockets;
  sockets.ca_file = parts.settings.network.ca_file.string();
  const slack::Settings& settings = parts.settings.channels.slack;
  auto made = std::make_shared<slack::SlackChannel>(
      settings, *parts.accounts.slack, parts.clock, [groups = parts.groups] { return groups(slack::kSlack); },
      std::move(sockets));
  std::vector<std::string> sends_to;
  for (const std::string& id : {parts.settings.channels.slack.alert_channel, parts.settings.approvals.channel}) {
    if (!id.empty() && !contains(sends_to, id)) sends_to.push_back(id);
  }
  made->set_sends_to(std::move(sends_to));
  if (settings.transport == slack::Transport::http) {
    parts.routes.emplace(slack::kEventsPath, [made](net::ServerRequest request) -> Task<net::Answer> {
      return made->answer_request(std::move(request));
    });
  }
  return made;
}

}  // namespace

std::vector<ChannelKind> network_channels() {
  return {{std::string(slack::kSlack),
           missing_of_slack,
           make_slack,
           {"channels.slack.bot_token", "channels.slack.app_token", "channels.slack.user_token",
            "channels.slack.signing_secret", "channels.slack.api_url", "channels.slack.transport"}}};
}

}  // namespace deputy::app

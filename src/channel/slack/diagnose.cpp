#include <fmt/format.h>

#include "channel/slack/slack_channel.h"
#include "clients/slack/scopes.h"

namespace deputy::channel::slack {

namespace {

using Check = Diagnosis::Check;
using clients::slack::Api;
using clients::slack::Self;

Check failed(std::string name, const Error& error) { return {std::move(name), false, describe(error)}; }

Check check_bot(const Self& self, const Secret& token) {
  if (const Result<> one = clients::slack::check_workspace(self); !one) return failed("bot token", one.error());
  // Slack tells everyone who they are, also the owner of a user or app token.
  if (self.bot.empty() && !token.reveal().starts_with("xoxb-"))
    return {"bot token", false, "this is not the token of a bot; set the Bot User OAuth Token (xoxb-…)"};
  return {"bot token", true, fmt::format("{} in {}", self.user_name, self.team_name)};
}

Task<Check> check_app_token(Api& api) {
  const Result<std::string> url = co_await clients::slack::open_connection(api);
  if (url) co_return Check{"app token", true, "Socket Mode can connect"};
  Error error = url.error();
  if (error.kind == ErrorKind::authentication || error.kind == ErrorKind::permission)
    error.hint = "set SLACK_APP_TOKEN to an app-level token (xapp-…) of this app, with the scope connections:write";
  co_return failed("app token", error);
}

std::vector<Check> check_scopes(std::string_view granted) {
  if (granted.empty()) return {{"scopes", true, "Slack does not tell which are granted"}};
  const std::vector<clients::slack::Scope> missing = clients::slack::missing_scopes(granted);
  if (missing.empty()) return {{"scopes", true, fmt::format("all {} granted", clients::slack::bot_scopes().size())}};
  std::vector<Check> checks;
  for (const clients::slack::Scope& scope : missing) {
    checks.push_back(
        {std::string(scope.name), false,
         fmt::format("off without this scope: {}; add it to the app and install the app again", scope.feature)});
  }
  return checks;
}

Task<Check> check_channel(Api& api, std::string id) {
  const std::string name = "channel " + id;
  const Result<clients::slack::ChannelInfo> info = co_await clients::slack::channel_info(api, std::move(id));
  if (!info) co_return failed(name, info.error());
  if (info->is_archived)
    co_return Check{name, false, fmt::format("#{} is archived; settings send messages there", info->name)};
  if (info->app_is_outside)
    co_return Check{name, false,
                    fmt::format("settings send messages to #{}; invite the bot there with /invite", info->name)};
  co_return Check{name, true, "#" + info->name};
}

}  // namespace

Task<Result<Diagnosis>> SlackChannel::diagnose() {
  Diagnosis diagnosis;
  const Result<Self> self = co_await clients::slack::auth_test(api_);
  diagnosis.checks.push_back(self ? check_bot(*self, api_.settings().bot_token) : failed("bot token", self.error()));
  if (settings_.transport == Transport::socket) {
    diagnosis.checks.push_back(co_await check_app_token(api_));
  } else {
    const bool has_secret = !settings_.signing_secret.empty();
    diagnosis.checks.push_back({"signing secret", has_secret, has_secret ? "set" : "set SLACK_SIGNING_SECRET"});
  }
  if (!diagnosis.checks.front().ok) co_return diagnosis;  // the rest would fail for the same reason
  for (Check& check : check_scopes(api_.scopes())) diagnosis.checks.push_back(std::move(check));
  for (const std::string& id : sends_to_) diagnosis.checks.push_back(co_await check_channel(api_, id));
  co_return diagnosis;
}

}  // namespace deputy::channel::slack

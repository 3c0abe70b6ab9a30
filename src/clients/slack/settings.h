// How a Slack workspace is reached: the keys `bot_token` … of `channels.slack`.
#pragma once

#include <string>

#include "base/fields.h"
#include "base/secret.h"
#include "net/url.h"

namespace deputy::clients::slack {

struct Settings {
  Secret bot_token;
  Secret app_token;
  Secret user_token;
  Secret signing_secret;
  std::string api_url = "https://slack.com/api/";

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::bot_token, "bot_token", "The bot token of the Slack app (xoxb-…)").from_variable("SLACK_BOT_TOKEN");
    f.optional(&S::app_token, "app_token", "The app-level token for Socket Mode (xapp-…), with connections:write")
        .from_variable("SLACK_APP_TOKEN");
    f.optional(&S::user_token, "user_token", "A user token (xoxp-…), only for searching messages with it")
        .from_variable("SLACK_USER_TOKEN");
    f.optional(&S::signing_secret, "signing_secret", "The signing secret of the app, for events over HTTP")
        .from_variable("SLACK_SIGNING_SECRET");
    f.optional(&S::api_url, "api_url", "The address of Slack's Web API")
        .from_variable("SLACK_API_URL")
        .check_with(net::check_base_url);
  }
};

}  // namespace deputy::clients::slack

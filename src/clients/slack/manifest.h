// Deputy's app as Slack's manifest describes it, and creating it. The manifest is a pure function of how events arrive.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/task.h"
#include "net/http.h"

namespace deputy::clients::slack {

/// The `callback_id` of the message shortcut.
inline constexpr std::string_view kAskShortcut = "ask_deputy";

/// `request_url`: where Slack sends events over HTTP; empty: Socket Mode.
json::object app_manifest(const std::string& request_url);

/// The manifest as people paste it: indented, a line for each scope and event.
std::string manifest_text(const json::value& manifest);

/// What Slack says of a new app. Its credentials are left out: they are on the app's own page.
struct CreatedApp {
  std::string id;
  std::string install_url;  // where it is installed in the workspace
};
/// `configuration_token` (xoxe.xoxp-…) is sent to Slack and kept nowhere. `http` and `clock` outlive the call.
Task<Result<CreatedApp>> create_app(std::string api_url, Secret configuration_token, json::object manifest,
                                    net::HttpClient& http, const Clock& clock);

}  // namespace deputy::clients::slack

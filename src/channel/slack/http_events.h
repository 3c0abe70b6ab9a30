// Slack's events over HTTP: the alternative to Socket Mode. Signatures are checked on the bytes as they came, before
// anything is parsed. Pure but for the handler.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/secret.h"
#include "channel/slack/socket_mode.h"
#include "net/server.h"

namespace deputy::channel::slack {

/// Slack signs `v0:TIMESTAMP:BODY` with the app's signing secret. A timestamp more than 5 minutes away is refused: it
/// may be an old request that somebody sends again.
Result<> check_signature(const Secret& signing_secret, std::string_view timestamp, std::string_view signature,
                         std::string_view body, Timestamp now);

/// Answers one request of Slack. The handler gets the same types and payloads as from Socket Mode; if it fails, the
/// answer is 503, so that Slack sends the request again.
Task<net::Response> answer_request(net::ServerRequest request, Secret signing_secret, Timestamp now,
                                   SocketMode::Handler handler);

}  // namespace deputy::channel::slack

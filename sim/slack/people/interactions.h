// What people do with what the app shows: click, choose, submit, close, run a command or a shortcut. Each is sent to
// the app as Slack sends it, and what the app answers happens to the person's screen.
#pragma once

#include "net/server.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

// Each takes what the control API was given and returns what the person then sees; an error means that a person could
// not do that: the button is not there, the field is required, the modal is closed.

/// `{user, channel, ts | view_id, action_id, block_id?, value?, state?}`
Task<Result<json::object>> click(World& world, json::object wanted);
/// `{user, channel, ts | view_id, action_id, value}`: types into an external select; returns the options.
Task<Result<json::object>> suggest(World& world, json::object wanted);
/// `{user, view_id, values}`
Task<Result<json::object>> submit(World& world, json::object wanted);
/// `{user, view_id, all?}`
Task<Result<json::object>> close_view(World& world, json::object wanted);
/// `{user, channel, command, text}`
Task<Result<json::object>> run_command(World& world, json::object wanted);
/// `{user, callback_id, channel?, ts?}`: with a message it is a message shortcut.
Task<Result<json::object>> run_shortcut(World& world, json::object wanted);

/// Answers a post to a response URL.
net::Response answer_response_url(World& world, const net::ServerRequest& request);

}  // namespace deputy::sim::slack

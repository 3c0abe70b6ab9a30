// What Slack sends, as plain data: events, clicks, submitted forms, commands, shortcuts. The same for Socket Mode and
// HTTP. Pure; nothing is looked up and nothing decided here.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "channel/message.h"

namespace deputy::channel::slack {

/// A message that was written, edited or deleted.
struct Said {
  std::string channel;
  std::string ts;
  std::string thread = {};  // ts of its first message; empty if it is in no thread
  std::string user = {};    // empty for a bot without an account
  std::string bot = {};
  std::string team = {};  // of its writer, if Slack says so
  std::string text = {};  // mrkdwn
  InboundKind kind = InboundKind::posted;
  std::string changed_at = {};  // of an edit or a deletion
  bool is_mention = false;      // Slack says that it mentions the app
  bool is_direct = false;       // in the direct message with the app
  bool is_external = false;     // in a channel shared with another organisation
  std::string action_token = {};
  json::object message = {};  // as Slack has it
};

/// A control was used on a message or in a view.
struct Clicked {
  std::string user;
  std::string user_name;
  std::string team;
  std::string channel = {};  // empty in a view
  std::string message = {};  // ts
  std::string thread = {};   // ts
  std::string view = {};     // id
  std::string view_data = {};
  std::string action;  // action_id
  std::string value = {};
  std::string at;  // action_ts
  std::string trigger = {};
  std::string response_url = {};
  json::object state = {};  // block_id → action_id → value
};

/// A modal was submitted.
struct Submitted {
  std::string user;
  std::string user_name;
  std::string team;
  std::string view;
  std::string hash;
  std::string callback;
  std::string view_data;
  json::object state;
};

struct Command {
  std::string user;
  std::string user_name;
  std::string team;
  std::string channel;
  std::string text;
  std::string trigger;
  std::string response_url;
};

/// "Ask Deputy" on a message.
struct MessageShortcut {
  std::string callback;
  std::string user;
  std::string user_name;
  std::string team;
  std::string channel;
  std::string trigger;
  std::string response_url;
  json::object message;
};

/// The person pressed Slack's own Stop.
struct StopPressed {
  std::string user;
  std::string channel;
  std::string thread;
};

struct HomeOpened {
  std::string user;
  std::string tab;  // home or messages
  std::string channel = {};
};

/// An assistant thread was opened, in workspaces of before June 2026.
struct AssistantOpened {
  std::string user;
  std::string channel;
  std::string thread;
};

struct ReactionAdded {
  std::string user;
  std::string channel;
  std::string message;  // ts
  std::string on_user;  // who wrote that message
  std::string emoji;
  std::string at;  // event_ts
};

using Incoming = std::variant<Said, Clicked, Submitted, Command, MessageShortcut, StopPressed, HomeOpened,
                              AssistantOpened, ReactionAdded>;

/// The payload of an event (`event_callback`); nothing if it means nothing to Deputy.
std::optional<Incoming> read_event(const json::object& payload);
/// A message as Slack's history has it; nothing if it means nothing to Deputy.
std::optional<Said> read_stored_message(const json::object& message, const std::string& channel);
/// The payload of a click, a submitted view or a shortcut.
std::optional<Incoming> read_interaction(const json::object& payload);
/// The fields of a slash command.
std::optional<Incoming> read_command(const json::object& fields);

/// One value of a view's or message's state: the options chosen, or the text written.
struct Filled {
  std::string block;
  std::string action;
  std::vector<std::string> chosen = {};  // values of options
  std::string written = {};
};
std::vector<Filled> read_state(const json::object& state);

}  // namespace deputy::channel::slack

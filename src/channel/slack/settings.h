// Settings of the Slack channel: the workspace, and how its events arrive.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "base/fields.h"
#include "clients/slack/settings.h"

namespace deputy::channel::slack {

/// The kind: the key in settings, and the first word of conversation keys.
inline constexpr std::string_view kSlack = "slack";

/// Where `serve.listen` takes events over HTTP.
inline constexpr std::string_view kEventsPath = "/slack/events";

enum class Transport { socket, http };

constexpr auto choices_of(Transport) {
  return std::to_array<std::pair<Transport, std::string_view>>(
      {{Transport::socket, "socket"}, {Transport::http, "http"}});
}

struct Settings : clients::slack::Settings {
  Transport transport = Transport::socket;

  /// Whether anything of it is set: without it there is no Slack.
  bool is_set() const { return !bot_token.empty(); }

  template <class Fields>
  static void fields(Fields& f) {
    clients::slack::Settings::fields(f);
    f.optional(&Settings::transport, "transport",
               "How Slack's events arrive: over sockets that Deputy opens, or over HTTP to serve.listen");
  }
};

}  // namespace deputy::channel::slack

// The list of channels. To add one: implement Channel in channel/<name>/, name its kind here, and for a network channel
// add its line in channels.cpp: `deputy serve` then runs it where it is set up. The terminal is created by the commands
// that talk there (foreground.cpp, chat/chat.cpp).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "net/server.h"

namespace deputy {
class Clock;
}
namespace deputy::channel {
class Channel;
}

namespace deputy::app {

struct Accounts;
struct Settings;

/// Valid keys of a person's accounts and of `channels`.
inline constexpr std::array<std::string_view, 2> kChannelKinds{"terminal", "slack"};

/// Planned kinds. `channels` accepts them as keys, so that rules can be written ahead; they have no effect yet.
inline constexpr std::array<std::string_view, 4> kLaterKinds{"telegram", "discord", "webhook", "web"};

/// What a channel is made with. All of it outlives the channel.
struct ChannelParts {
  const Settings& settings;  // of the start; only valid during the call
  Accounts& accounts;
  const Clock& clock;
  asio::any_io_executor loop;
  /// Ids that settings name now and that may be groups of this kind of channel.
  std::function<std::set<std::string>(std::string_view kind)> groups;
  /// By path: what a channel answers on `serve.listen`. Only valid during the call.
  std::map<std::string, net::RequestHandler, std::less<>>& routes;
};

/// One kind of network channel.
struct ChannelKind {
  std::string kind;
  /// The settings to set before it can run: "set channels.slack.bot_token"; empty: it is set up.
  std::function<std::string(const Settings&)> missing;
  std::function<Result<std::shared_ptr<channel::Channel>>(const ChannelParts&)> make;
  /// Settings that it reads at the start only, as dotted paths.
  std::vector<std::string> fixed = {};
};

/// All kinds that `deputy serve` runs.
std::vector<ChannelKind> network_channels();

}  // namespace deputy::app

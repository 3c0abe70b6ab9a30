// The list of channels. To add one: implement Channel in channel/<name>/ and name its kind here. The code that opens a
// process creates the channel and passes it to Process::compose, as foreground.cpp and chat/chat.cpp do.
#pragma once

#include <array>
#include <string_view>

namespace deputy::app {

/// Valid keys of a person's accounts and of `channels`.
inline constexpr std::array<std::string_view, 1> kChannelKinds{"terminal"};

/// Planned kinds. `channels` accepts them as keys, so that rules can be written ahead; they have no effect yet.
inline constexpr std::array<std::string_view, 5> kLaterKinds{"slack", "telegram", "discord", "webhook", "web"};

}  // namespace deputy::app

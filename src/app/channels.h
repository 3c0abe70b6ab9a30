// The channels there are. To add one: implement Channel in channel/<name>/ and name its kind here; who opens a process
// makes it and hands it to Process::compose, as foreground.cpp and chat/chat.cpp do the terminal's.
#pragma once

#include <array>
#include <string_view>

namespace deputy::app {

/// What a key of a person's accounts may be, and one of `channels`.
inline constexpr std::array<std::string_view, 1> kChannelKinds{"terminal"};

/// Kinds that are still to come. A key of `channels` may be one already: rules that are written ahead hold nowhere
/// else.
inline constexpr std::array<std::string_view, 5> kLaterKinds{"slack", "telegram", "discord", "webhook", "web"};

}  // namespace deputy::app

// The channels there are. To add one: implement Channel in channel/<name>/ and name its kind here; who opens a process
// makes it and hands it to Process::compose, as foreground.cpp and chat/chat.cpp do the terminal's.
#pragma once

#include <array>
#include <string_view>

namespace deputy::app {

/// What a key of a person's accounts may be.
inline constexpr std::array<std::string_view, 1> kChannelKinds{"terminal"};

}  // namespace deputy::app

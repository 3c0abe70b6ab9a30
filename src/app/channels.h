// The channels there are. To add one: implement Channel in channel/<name>/ and name its kind here.
#pragma once

#include <array>
#include <string_view>

namespace deputy::app {

/// What a key of a person's accounts may be.
inline constexpr std::array<std::string_view, 1> kChannelKinds{"terminal"};

}  // namespace deputy::app

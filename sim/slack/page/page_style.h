// The look of pages: close to Slack's light and dark themes, with the fonts that a system has.
#pragma once

#include <string_view>

namespace deputy::sim::slack {

/// The style sheet. Colours are variables, set by the class `light` or `dark` of the body.
extern const std::string_view kPageStyle;

/// How many colours of avatars it has: the classes avatar0, avatar1 …
constexpr unsigned kAvatarColors = 6;

}  // namespace deputy::sim::slack

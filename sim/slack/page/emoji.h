// Names of emoji, as Slack writes them between colons.
#pragma once

#include <string>
#include <string_view>

namespace deputy::sim::slack {

/// The characters of an emoji, named without colons; empty when it is not among those that operations teams use.
std::string_view emoji(std::string_view name);

/// The characters of code points in hexadecimal, "1f44d-1f3fb"; empty when it is not that.
std::string emoji_of_code_points(std::string_view hexadecimal);

}  // namespace deputy::sim::slack

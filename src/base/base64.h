// Bytes as base64, in the alphabet of RFC 4648 section 4, with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy {

std::string to_base64(std::string_view bytes);

/// Nothing when it is not base64. White space at the ends and between lines is skipped.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace deputy

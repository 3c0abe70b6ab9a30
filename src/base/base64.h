// Bytes as base64, in the alphabet of RFC 4648 section 4, with padding.
#pragma once

#include <string>
#include <string_view>

namespace deputy {

std::string to_base64(std::string_view bytes);

}  // namespace deputy

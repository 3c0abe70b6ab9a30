// Images that people send with a request: which files are images that models take, and what stands in a request for an
// image that is not sent. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "model/model.h"

namespace deputy::model {

inline constexpr std::size_t kMaxImages = 4;                    // of a request
inline constexpr std::size_t kMaxImage = std::size_t{5} << 20;  // bytes

/// True for the kinds that all APIs take.
bool is_image_type(std::string_view media_type);

/// An image as it is sent, its kind told by its first bytes. An error if it is none that models take.
Result<Image> image_of(std::string_view bytes);

bool has_images(const Request& request);

/// Their data is no longer sent; sendable_turns puts a line in their place.
void drop_images(std::vector<Turn>& turns);

/// "data:image/png;base64,…"
std::string data_url(const Image& image);

}  // namespace deputy::model

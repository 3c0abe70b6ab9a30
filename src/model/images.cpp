#include "model/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/text.h"

namespace deputy::model {

namespace {

constexpr auto kTypes = std::to_array<std::string_view>({"image/png", "image/jpeg", "image/gif", "image/webp"});

// What a sender says of a file is not trusted: an API refuses a whole request for one wrong kind.
std::string_view type_by_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(std::min<std::size_t>(8, bytes.size())).starts_with("WEBP"))
    return "image/webp";
  return {};
}

bool is_sent_image(const Block& block) {
  const auto* image = std::get_if<Image>(&block);
  return image != nullptr && image->base64 != nullptr;
}

}  // namespace

bool is_image_type(std::string_view media_type) {
  return std::ranges::find(kTypes, to_lower(trim(media_type.substr(0, media_type.find(';'))))) != kTypes.end();
}

Result<Image> image_of(std::string_view bytes) {
  const std::string_view type = type_by_bytes(bytes);
  if (type.empty()) return fail(ErrorKind::invalid_input, "it is not a PNG, JPEG, GIF or WebP image");
  if (bytes.size() > kMaxImage) return fail(ErrorKind::invalid_input, "the image is larger than 5 MB");
  return Image{std::string(type), sha256_hex(bytes), std::make_shared<const std::string>(to_base64(bytes))};
}

bool has_images(const Request& request) {
  return std::ranges::any_of(request.turns,
                             [](const Turn& turn) { return std::ranges::any_of(turn.blocks, is_sent_image); });
}

void drop_images(std::vector<Turn>& turns) {
  for (Turn& turn : turns) {
    for (Block& block : turn.blocks) {
      if (auto* image = std::get_if<Image>(&block)) image->base64.reset();
    }
  }
}

std::string data_url(const Image& image) {
  return fmt::format("data:{};base64,{}", image.media_type, image.base64 == nullptr ? "" : *image.base64);
}

}  // namespace deputy::model

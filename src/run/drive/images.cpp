#include "run/drive/images.h"

#include <algorithm>

#include "base/log.h"
#include "base/workers.h"
#include "model/images.h"

namespace deputy::run {

namespace {

Task<Result<model::Image>> read_one(const RunDependencies& dependencies, std::string conversation, AttachedFile file) {
  CO_TRY(std::string bytes,
         co_await dependencies.lookups.attachment(std::move(conversation), std::move(file), model::kMaxImage));
  const std::size_t size = bytes.size();
  auto make = [bytes = std::move(bytes)]() { return model::image_of(bytes); };
  co_return co_await off_loop_if_large<model::Image>(size, std::move(make));
}

bool may_be_shown(const AttachedFile& file) {
  return model::is_image_type(file.media_type) && file.size <= static_cast<std::int64_t>(model::kMaxImage);
}

}  // namespace

Task<std::vector<ShownImage>> RequestImages::read(const RunDependencies& dependencies, Received received) {
  std::vector<ShownImage> shown;
  for (const AttachedFile& file : received.files.value_or(std::vector<AttachedFile>{})) {
    if (shown.size() == model::kMaxImages || !may_be_shown(file)) continue;
    Result<model::Image> image = co_await read_one(dependencies, received.conversation, file);
    if (image) {
      shown.push_back({file.id, image->media_type, image->digest});
      known_.insert_or_assign(shown.back().digest, *std::move(image));
      continue;
    }
    log::info("an image could not be read", {{"error", describe(image.error())}});
    // The platform is slow now: the request does not wait for the others too.
    if (image.error().kind == ErrorKind::timeout) break;
  }
  co_return shown;
}

Task<> RequestImages::show_in(const RunDependencies& dependencies, Received received, std::vector<ShownImage> shown,
                              model::Request& request) {
  const std::vector<AttachedFile> files = received.files.value_or(std::vector<AttachedFile>{});
  for (const ShownImage& one : shown) {
    if (known_.contains(one.digest)) continue;
    model::Image& kept = known_[one.digest];
    const auto file = std::ranges::find(files, one.file, &AttachedFile::id);
    if (file == files.end()) continue;
    Result<model::Image> image = co_await read_one(dependencies, received.conversation, *file);
    if (image && image->digest == one.digest) {
      kept = *std::move(image);
    } else {
      log::info("an image could not be read again", {{"error", image ? "it has changed" : describe(image.error())}});
    }
  }
  for (model::Turn& turn : request.turns) {
    for (model::Block& block : turn.blocks) {
      auto* image = std::get_if<model::Image>(&block);
      if (image == nullptr) continue;
      if (const auto found = known_.find(image->digest); found != known_.end()) image->base64 = found->second.base64;
    }
  }
}

}  // namespace deputy::run

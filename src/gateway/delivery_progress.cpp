#include "gateway/delivery_progress.h"

#include <algorithm>

namespace deputy::gateway {

DeliveryProgress read_progress(std::string_view ref) {
  if (ref.empty()) return {};
  if (ref.starts_with('{')) {
    if (const auto object = parse_json_object(ref)) {
      if (auto progress = parse_arguments<DeliveryProgress>(*object)) return *std::move(progress);
    }
  }
  DeliveryProgress progress;
  progress.sent.emplace_back(ref);
  return progress;
}

std::string write_progress(const DeliveryProgress& progress) {
  const bool one_message = progress.sent.size() == 1 && !progress.sent.front().empty() &&
                           !progress.sent.front().starts_with('{') && !progress.first_line && progress.looks == 0 &&
                           !progress.as_text && !progress.as_post;
  return one_message ? progress.sent.front() : json::serialize(to_json(progress));
}

std::vector<channel::MessageRef> refs_of(std::string_view ref) {
  std::vector<channel::MessageRef> refs = read_progress(ref).sent;
  std::erase(refs, "");
  return refs;
}

}  // namespace deputy::gateway

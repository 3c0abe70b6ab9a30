#include "gateway/live.h"

namespace deputy::gateway {

// A follower may begin or end another while it is called, so a list.
template <class Call>
void Live::each(Call call) {
  for (auto at = followers_.begin(); at != followers_.end();) {
    if (const std::shared_ptr<Follower> follower = at->lock()) {
      call(*follower);
      ++at;
    } else {
      at = followers_.erase(at);
    }
  }
}

Following Live::follow(Follower follower) {
  auto shared = std::make_shared<Follower>(std::move(follower));
  followers_.emplace_back(shared);
  return Following(std::move(shared));
}

void Live::tell() {
  each([](const Follower& follower) { follower.changed(); });
}

void Live::on_text(RunId run, std::string_view conversation, std::string_view part) {
  if (also_ != nullptr) also_->on_text(run, conversation, part);
  each([&](const Follower& follower) {
    if (follower.text) follower.text(run, part);
  });
}

void Live::on_thinking(RunId run, std::string_view conversation, std::string_view part) {
  if (also_ != nullptr) also_->on_thinking(run, conversation, part);
}

void Live::on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) {
  if (also_ != nullptr) also_->on_delta(run, conversation, call, part);
}

void Live::on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) {
  if (also_ != nullptr) also_->on_entry(run, conversation, body);
  tell();
}

}  // namespace deputy::gateway

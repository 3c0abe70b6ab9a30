#include "gateway/channels.h"

namespace deputy::gateway {

void Channels::add(std::shared_ptr<channel::Channel> channel) {
  channels_.insert_or_assign(std::string(channel->name()), std::move(channel));
}

channel::Channel* Channels::of(std::string_view conversation) const {
  const auto found = channels_.find(channel::kind_of(conversation));
  return found == channels_.end() ? nullptr : found->second.get();
}

}  // namespace deputy::gateway

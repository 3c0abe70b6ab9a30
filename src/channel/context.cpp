#include "channel/context.h"

#include <algorithm>

namespace deputy::channel {

ConversationContext root_and_newest(std::vector<Said> said, int most) {
  ConversationContext context;
  const auto kept = std::min(said.size(), static_cast<std::size_t>(std::max(most, 0)));
  context.left_out = said.size() - kept;
  const auto begin = said.begin() + (kept == 0 ? 0 : 1);
  said.erase(begin, begin + static_cast<std::ptrdiff_t>(context.left_out));
  context.said = std::move(said);
  return context;
}

}  // namespace deputy::channel

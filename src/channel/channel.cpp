#include "channel/channel.h"

namespace deputy::channel {

std::string_view kind_of(std::string_view conversation) { return conversation.substr(0, conversation.find(':')); }

}  // namespace deputy::channel

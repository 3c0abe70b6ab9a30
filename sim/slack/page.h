// What a person sees.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

namespace deputy::sim::slack {

struct SeenMessage {
  std::string ts, thread_ts, user_name, text;
  bool bot = false, ephemeral = false, edited = false;
  json::array blocks, attachments, files, reactions;
  json::array chunks;
  bool streaming = false;
};
std::string thread_text(std::span<const SeenMessage> messages);
std::string thread_page(std::string_view title, std::span<const SeenMessage> messages, bool dark);
std::string view_page(const json::value& view, bool dark);

}  // namespace deputy::sim::slack

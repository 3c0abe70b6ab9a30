// What a person sees: a thread or a view as one HTML page, or as text. A page has no script and loads nothing: an image
// is a box with its description, a PNG that was uploaded is part of the page. It is for looking at and for tests, so it
// shows what Slack would show and no ids.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

namespace deputy::sim::slack {

struct SeenMessage {
  std::string ts, thread_ts, user_name, text;
  bool bot = false, ephemeral = false, edited = false;
  json::array blocks, attachments, reactions;
  json::array files;   // with the picture in base64 as `png`, where a file is one
  json::array chunks;  // of a stream, in order: task_update, plan_update, markdown_text, blocks
  bool streaming = false;
  bool markdown = false;  // `text` came as markdown_text; that of a stream always did
};

/// The messages as lines: who, then what, buttons in brackets. As in Slack, blocks are shown in place of the text.
std::string thread_text(std::span<const SeenMessage> messages);

std::string thread_page(std::string_view title, std::span<const SeenMessage> messages, bool dark);

/// A modal or a home tab.
std::string view_page(const json::value& view, bool dark);

}  // namespace deputy::sim::slack

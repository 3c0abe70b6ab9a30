#include "sim/slack/blocks.h"

#include "sim/slack/manifest.h"
#include "sim/slack/page.h"

namespace deputy::sim::slack {

std::vector<BlockProblem> check_blocks(const json::value& blocks, Surface) {
  if (!blocks.is_array()) return {{"must be an array", "/blocks"}};
  return {};
}
std::vector<BlockProblem> check_view(const json::value&) { return {}; }
std::vector<BlockProblem> check_attachments(const json::value&) { return {}; }
std::vector<BlockProblem> check_manifest(const json::value&) { return {}; }
std::string thread_text(std::span<const SeenMessage> messages) {
  std::string text;
  for (const SeenMessage& message : messages) text += message.user_name + ": " + message.text + "\n";
  return text;
}
std::string thread_page(std::string_view, std::span<const SeenMessage>, bool) { return "<!doctype html>"; }
std::string view_page(const json::value&, bool) { return "<!doctype html>"; }

}  // namespace deputy::sim::slack

#include "sim/slack/page.h"

namespace deputy::sim::slack {

std::string thread_text(std::span<const SeenMessage> messages) {
  std::string text;
  for (const SeenMessage& message : messages) text += message.user_name + ": " + message.text + "\n";
  return text;
}
std::string thread_page(std::string_view, std::span<const SeenMessage>, bool) { return "<!doctype html>"; }
std::string view_page(const json::value&, bool) { return "<!doctype html>"; }

}  // namespace deputy::sim::slack

#include "app/chat/welcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace deputy::app {

namespace {

constexpr std::size_t kMostTried = 3;

constexpr auto kTries = std::to_array<Try>({
    {"get_recent_errors", "what is failing in prod?"},
    {"list_services", "which services are there?"},
    {"search_code", "where is \"timeout\" in the code?"},
    {"shell", "run `ls -l`"},
    {"list_files", "which files are there?"},
    {"search_history", "what was asked about timeouts before?"},
});

bool is_ready(const std::vector<toolkit::ToolListing>& tools, std::string_view name) {
  return std::ranges::any_of(
      tools, [&](const toolkit::ToolListing& tool) { return tool.name == name && tool.enabled && tool.configured; });
}

}  // namespace

std::span<const Try> tries() { return kTries; }

std::string welcome(std::string_view answering, const std::vector<toolkit::ToolListing>& tools) {
  std::vector<std::string> shown;
  for (const Try& one : kTries) {
    if (shown.size() < kMostTried && is_ready(tools, one.tool)) shown.emplace_back(one.words);
  }
  std::string text = fmt::format("Deputy. What you ask is answered by {}. /help says what may be typed.\n", answering);
  if (!shown.empty()) text += "Try: " + join(shown, " · ") + "\n";
  return text;
}

}  // namespace deputy::app

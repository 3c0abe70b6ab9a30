#include "app/chat/attachments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "config/files.h"

namespace deputy::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBreaks = " \n\t";
constexpr std::string_view kPunctuation = ".,;:!?)]}\"'";

// The path that `word` names; a full stop after it is not part of the name.
std::optional<fs::path> file_named(std::string_view word, const fs::path& folder) {
  while (!word.empty()) {
    std::error_code error;
    const fs::path path = folder / fs::path(word);
    if (fs::exists(path, error)) return path;
    if (!kPunctuation.contains(word.back())) return std::nullopt;
    word.remove_suffix(1);
  }
  return std::nullopt;
}

void attach(Attachments& attachments, const fs::path& path, const fs::path& folder) {
  const std::string name = path.lexically_relative(folder).string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    attachments.problems.push_back(fmt::format("{} is not a file", name));
    return;
  }
  const auto content = config::read_bounded(path, kMaxAttached);
  if (!content) {
    attachments.problems.push_back(fmt::format("{} cannot be sent: {}", name, content.error().message));
    return;
  }
  if (!is_valid_utf8(content->text) || content->text.contains('\0')) {
    attachments.problems.push_back(fmt::format("{} is not text", name));
    return;
  }
  attachments.text += fmt::format("File {}:\n{}\n", name, content->text);
  attachments.names.push_back(fmt::format("{} ({})", name, count_of(std::ranges::count(content->text, '\n'), "line")));
}

}  // namespace

Attachments attached_to(std::string_view message, const fs::path& folder) {
  Attachments attachments;
  std::set<fs::path> seen;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find_first_of(kBreaks, at), message.size());
    const std::string_view word = message.substr(at, end - at);
    if (word.starts_with('@')) {
      const std::optional<fs::path> path = file_named(word.substr(1), folder);
      if (path && seen.insert(*path).second) attach(attachments, *path, folder);
    }
    at = end + 1;
  }
  return attachments;
}

}  // namespace deputy::app

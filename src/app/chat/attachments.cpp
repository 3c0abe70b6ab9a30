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
    if (fs::exists(path, error)) return fs::weakly_canonical(path, error);
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
  if (attachments.text.size() + content->text.size() > kMaxAllAttached) {
    attachments.problems.push_back(fmt::format("{} is more than a message can take along", name));
    return;
  }
  if (!is_valid_utf8(content->text) || content->text.contains('\0')) {
    attachments.problems.push_back(fmt::format("{} is not text", name));
    return;
  }
  attachments.text += fmt::format("File {}:\n{}\n", name, content->text);
  attachments.names.push_back(fmt::format("{} ({})", name, count_of(std::ranges::count(content->text, '\n'), "line")));
}

// Words that begin with @, without it.
std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(kBreaks, at), text.size());
    if (text[at] == '@') names.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return names;
}

}  // namespace

Attachments attached_to(std::string_view message, const std::vector<std::string>& pasted, const fs::path& folder) {
  std::set<std::string_view> in_pastes;
  for (const std::string& text : pasted) {
    for (const std::string_view name : names_in(text)) in_pastes.insert(name);
  }
  std::error_code error;
  const fs::path from = fs::weakly_canonical(folder, error);
  Attachments attachments;
  std::set<fs::path> seen;
  for (const std::string_view name : names_in(message)) {
    if (in_pastes.contains(name)) continue;
    const std::optional<fs::path> path = file_named(name, from);
    if (path && seen.insert(*path).second) attach(attachments, *path, from);
  }
  return attachments;
}

}  // namespace deputy::app

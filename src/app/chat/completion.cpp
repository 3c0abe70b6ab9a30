#include "app/chat/completion.h"

#include <algorithm>
#include <set>

#include "app/chat/chat_commands.h"
#include "base/text.h"

namespace deputy::app {

namespace fs = std::filesystem;
using channel::Completion;

namespace {

constexpr std::size_t kMaxEntries = 2000;  // of a folder
constexpr std::size_t kMinWord = 2;        // characters of a name among other words

Completion matching(std::string_view word, const std::vector<std::string>& names, std::string_view before = {}) {
  std::set<std::string> found;
  for (const std::string& name : names) {
    if (name.starts_with(word)) found.insert(std::string(before) + name);
  }
  return {.replaces = before.size() + word.size(), .choices = {found.begin(), found.end()}};
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const SlashRow& row : kSlashCommands) names.emplace_back(row.name);
  return names;
}

// Entries of the folder that the path names so far; folders end with a slash. Hidden ones only if a dot was typed.
Completion files(std::string_view path, const fs::path& folder) {
  const std::size_t slash = path.rfind('/');
  const std::string_view parent = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
  const std::string_view begun = path.substr(parent.size());
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(folder / fs::path(parent), fs::directory_options::skip_permission_denied, error);
  for (std::size_t seen = 0; !error && entries != fs::directory_iterator() && seen < kMaxEntries; ++seen) {
    std::string name = entries->path().filename().string();
    std::error_code not_known;
    const bool is_folder = entries->is_directory(not_known);
    if (is_valid_utf8(name) && !name.contains(' ') && (!name.starts_with('.') || begun.starts_with('.')))
      names.push_back(name + (is_folder ? "/" : ""));
    entries.increment(error);
  }
  return matching(begun, names, "@" + std::string(parent));
}

Completion after_command(std::string_view command, std::string_view word, const CompletionWords& words) {
  const auto* row = std::ranges::find(kSlashCommands, to_lower(command), &SlashRow::name);
  if (row == kSlashCommands.end()) return {};
  if (row->command == Slash::call) return matching(word, words.tools);
  return row->command == Slash::model ? matching(word, words.models) : Completion{};
}

}  // namespace

Completion complete(std::string_view typed, const CompletionWords& words) {
  const std::size_t space = typed.find_last_of(" \n\t");
  const std::string_view word = typed.substr(space == std::string_view::npos ? 0 : space + 1);
  const bool is_first = word.size() == typed.size();
  if (is_first && word.starts_with('/')) return matching(word.substr(1), command_names(), "/");
  if (word.starts_with('@')) return files(word.substr(1), words.folder);
  if (typed.starts_with('/')) {
    const std::string_view command = typed.substr(1, typed.find_first_of(" \n\t") - 1);
    return after_command(command, word, words);
  }
  if (word.size() < kMinWord) return {};
  std::vector<std::string> names = words.services;
  names.insert(names.end(), words.tools.begin(), words.tools.end());
  return matching(word, names);
}

}  // namespace deputy::app

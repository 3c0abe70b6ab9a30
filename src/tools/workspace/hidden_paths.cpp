#include "tools/workspace/hidden_paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace deputy::tools {

namespace {

constexpr const char* kInstead = "use read_file, list_files and search_files";

// A rule that is found in the path of a folder with a slash is found in every path below it.
bool is_hidden_folder(const WalkEntry& entry, const MayRead& may_read) {
  const bool is_too_deep = std::ranges::count(entry.path, '/') + 1 >= kDeepest;  // what is below is not walked
  return is_too_deep || !may_read(entry.path, false) || !may_read(entry.path + "/", false);
}

// `.git`, and `x.git` as bare repositories are called.
bool keeps_history(const WalkEntry& folder) { return folder.path.ends_with(".git"); }

}  // namespace

// A file with several names is forbidden wherever there is a rule.
bool has_path_rules(const MayRead& may_read) { return may_read && !may_read(".", true); }

Result<std::vector<HiddenPath>> hidden_paths(const Root& root, const MayRead& may_read, GitFolders git, int most_walked,
                                             const std::stop_token& stop) {
  std::vector<HiddenPath> hidden;
  if (!has_path_rules(may_read)) return hidden;
  const auto visit = [&](const WalkEntry& entry) {
    const bool is_folder = entry.kind == WalkEntry::Kind::folder;
    // A link is not hidden: what it leads to is.
    const bool hides = is_folder
                           ? (git == GitFolders::left_out && keeps_history(entry)) || is_hidden_folder(entry, may_read)
                           : entry.kind != WalkEntry::Kind::link && !may_read(entry.path, entry.several_names);
    if (hides) hidden.push_back({entry.path, is_folder ? HiddenPath::Kind::folder : HiddenPath::Kind::file});
    if (hidden.size() > kMaxHidden) return Next::enough;
    return hides && is_folder ? Next::not_into : Next::go_on;
  };
  TRY(WalkEnd end, walk(root, ".", Depth::all_below, most_walked, stop, visit, GitFolders::entered));
  // What is in a folder that cannot be listed may still be opened by name.
  for (std::string& folder : end.not_entered) hidden.push_back({std::move(folder), HiddenPath::Kind::folder});
  if (hidden.size() > kMaxHidden) end.why = WalkEnd::Why::enough;
  if (end.why == WalkEnd::Why::all) return hidden;
  return fail(
      ErrorKind::permission,
      end.why == WalkEnd::Why::enough
          ? fmt::format("the rules of read_file forbid more than {} files here, too many to hide from a command",
                        kMaxHidden)
          : fmt::format("the workspace has more than {} files, too many to hide from a command those that the "
                        "rules of read_file forbid",
                        most_walked),
      kInstead);
}

}  // namespace deputy::tools

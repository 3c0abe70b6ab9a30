// The paths of the workspace that a command which runs without asking may not see: those that the rules of read_file
// forbid, and those on which rules cannot tell (files with several names). It blocks: call it on a worker.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/sandbox.h"
#include "tools/workspace/root.h"
#include "tools/workspace/walk.h"

namespace deputy::tools {

/// As toolkit::CallContext::may_read.
using MayRead = std::function<bool(std::string_view path, bool several_names)>;

constexpr std::size_t kMaxHidden = 500;

/// True if there are rules on paths at all.
bool has_path_rules(const MayRead& may_read);

/// Walks the whole workspace if there are rules. Folders called .git keep what any file held; they are hidden unless
/// `git` is `entered`. Nothing is left out silently: an error if there are
/// more than `most_walked` files and folders, or more than kMaxHidden paths to hide.
Result<std::vector<HiddenPath>> hidden_paths(const Root& root, const MayRead& may_read, GitFolders git, int most_walked,
                                             const std::stop_token& stop);

}  // namespace deputy::tools

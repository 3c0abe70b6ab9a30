// Changing one file, as write_file and edit_file do it: show a diff before the approval, with the digests of the file
// before and after the change; after the approval write the file only if it is still the same.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "base/workers.h"
#include "toolkit/pipeline.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

/// Makes the new content from the old; nothing: there is no file yet. Called on a worker.
using ChangeOf = std::function<Result<std::string>(const std::optional<std::string>& before)>;

struct FileChange {
  std::string path;
  ChangeOf change;
};

/// [ preview, AWAIT APPROVAL, write ]
toolkit::Pipeline change_pipeline(const WorkspaceSetup& setup, const FileChange& change);

constexpr std::size_t kMaxDiff = 48'000;  // bytes

/// A unified diff, for people who approve an edit; empty if nothing changes. A very large change is shown as one block
/// removed and one added. A diff of more than `most` bytes is cut, and its last line says how many lines are missing.
/// Pure.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         std::size_t most = kMaxDiff);

/// Replaces a passage that must occur exactly once.
struct Edit {
  std::string old_string;
  std::string new_string;

  bool operator==(const Edit&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Edit::old_string, "old_string",
               "The exact text to replace, line breaks and indentation included; must occur once");
    f.required(&Edit::new_string, "new_string", "The text to put in its place; empty to delete");
  }
};

/// The text after all edits, applied one after the other. The error names the first edit that cannot be made: its
/// passage is empty, does not occur, occurs several times, or equals its replacement. Pure.
Result<std::string> apply_edits(std::string text, const std::vector<Edit>& edits);

}  // namespace deputy::tools

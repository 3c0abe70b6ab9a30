// A change of one file, in the parts that write_file and edit_file share: shown as a diff before the gate with the
// digests of the file as it is and as it would be, made after it only when the file is still the same.
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

/// What the file would be, from what it is; nothing: there is no file yet. Called on a worker.
using ChangeOf = std::function<Result<std::string>(const std::optional<std::string>& before)>;

struct FileChange {
  std::string path;
  ChangeOf change;
};

/// [ preview, AWAIT APPROVAL, write ]
toolkit::Pipeline change_pipeline(const WorkspaceSetup& setup, const FileChange& change);

// What changes between two texts, as a unified diff. Small on purpose: for people who approve an edit. Pure.

constexpr std::size_t kMostDiff = 48'000;  // bytes

/// Empty when nothing changes. Large differences are shown as one block taken out and one put in, and what is longer
/// than `most` bytes is cut with a line that says how many lines are missing.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after,
                         std::size_t most = kMostDiff);

// Edits of a text: each names a passage that must stand in it exactly once. Pure.

struct Edit {
  std::string old_string;
  std::string new_string;

  bool operator==(const Edit&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Edit::old_string, "old_string", "The passage to replace, exactly as it stands in the file, once");
    f.required(&Edit::new_string, "new_string", "What to put in its place");
  }
};

/// The text after all edits, made one after the other. The error names the first edit that cannot be made: its passage
/// is empty, is not there, stands there several times, or is to be replaced by itself.
Result<std::string> apply_edits(std::string text, const std::vector<Edit>& edits);

}  // namespace deputy::tools

// A change of one file, in the parts that write_file and edit_file share: shown as a diff before the gate with the
// digests of the file as it is and as it would be, made after it only when the file is still the same.
#pragma once

#include <functional>
#include <memory>
#include <string>

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

}  // namespace deputy::tools

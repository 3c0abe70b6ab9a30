// Folders that are one user's alone: made so, and judged by owner and mode. By the bits, not by whether we may: root
// may everything.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <system_error>

#include "base/result.h"

namespace deputy {

/// Makes the folders of `path` that are missing, each for its owner alone (0700).
std::error_code make_folders(const std::filesystem::path& path);

/// What is wrong with a data folder of that owner and mode for a process of user `us`: whoever can write it can put a
/// file of theirs in place of ours. Pure.
Result<> check_ours_alone(const std::filesystem::path& folder, uid_t owner, mode_t mode, uid_t us);

/// Makes the data folder, or takes one that is there and passes check_ours_alone. One of ours that others can enter is
/// closed to them (0700), unless something in it is for them too: then it was not made for us, and stays as it is.
Result<> make_ours_alone(const std::filesystem::path& folder);

}  // namespace deputy

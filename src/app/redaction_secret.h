// The secret that markers of redacted values are made with: random, kept in the data folder, and the same for all
// processes on it, so that a run that moves to another process keeps its markers.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/secret.h"

namespace deputy::app {

/// Reads it, and makes it first where there is none. Of several processes that start at once, one makes it and all have
/// that one. Blocks: at start only. Fails on a file that others can read or write, or that holds something else; it is
/// never replaced by itself, for markers already stored would then mean nothing.
Result<Secret> redaction_secret(const std::filesystem::path& data_folder);

}  // namespace deputy::app

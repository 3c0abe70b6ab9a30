// What must hold of a store file after whatever happened to the processes that wrote it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deputy::store {

/// What store_writer said was stored.
using Confirmed = std::vector<std::string>;

/// Everything that is wrong with the file in `folder`: confirmed rows that are missing, writes that are half there,
/// gaps in journals, damage.
std::vector<std::string> broken_invariants(const std::filesystem::path& folder, const Confirmed& confirmed);

}  // namespace deputy::store

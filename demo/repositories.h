// Two small git repositories whose last commits have to do with the incidents.
#pragma once

#include <filesystem>

#include "company.h"

namespace deputy::demo {

/// False when git could not be run.
bool write_repositories(const World& world, const std::filesystem::path& folder);

}  // namespace deputy::demo

// The company's clusters, one for each environment, as kubectl prints them.
#pragma once

#include <filesystem>

#include "company.h"

namespace deputy::demo {

void write_clusters(const World& world, const std::filesystem::path& folder);

}  // namespace deputy::demo

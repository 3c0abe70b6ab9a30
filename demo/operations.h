// What the company's operations look like right now: alarms, metrics, incidents, who is on call, and the clusters, in
// the shapes of the vendors' answers.
#pragma once

#include <filesystem>

#include "company.h"

namespace deputy::demo {

void write_operations(const World& world, const std::filesystem::path& folder);

}  // namespace deputy::demo

// Two weeks of logs of every service in every environment, with the incidents in them.
#pragma once

#include <filesystem>

#include "company.h"

namespace deputy::demo {

void write_logs(const World& world, const std::filesystem::path& folder);

}  // namespace deputy::demo

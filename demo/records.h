// What the company's trackers say: tickets and pipelines, as JSON files.
#pragma once

#include <filesystem>

#include "company.h"

namespace deputy::demo {

void write_records(const World& world, const std::filesystem::path& folder);

/// The services, as the registry reads them.
void write_services(const std::filesystem::path& file);

/// What people do when things break: the demo's workspace.
void write_runbooks(const std::filesystem::path& folder);

}  // namespace deputy::demo

// What differs between two settings.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace deputy::config {

/// The dotted paths at which two settings differ, sorted: the deepest object both have, then the key. Secrets look
/// alike as JSON, so their digests are compared as well.
std::vector<std::string> changed_paths(const json::object& before, const json::object& after,
                                       const std::map<std::string, std::string>& secrets_before,
                                       const std::map<std::string, std::string>& secrets_after);

/// True when one of the paths is `part`, inside it or around it: `touches(change.paths, "channels.slack")`.
bool touches(std::span<const std::string> paths, std::string_view part);

}  // namespace deputy::config

// Reads kubeconfig files, and the certificates and tokens they name, for the cluster tools. Both block: they are called
// on workers.
#pragma once

#include <filesystem>
#include <string>

#include "base/json.h"

namespace deputy::app {

/// Refused if others can write it: they could lead Deputy to another cluster.
Result<json::object> read_kubeconfig(const std::filesystem::path& file);
Result<std::string> read_kube_text(const std::filesystem::path& file);

}  // namespace deputy::app

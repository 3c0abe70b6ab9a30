// Redacts secrets in the log, and keeps the secret that the markers of redacted values are made with.
#pragma once

#include <filesystem>

#include "app/settings.h"
#include "base/result.h"
#include "base/secret.h"

namespace deputy::app {

/// Call it before anything is logged.
void keep_secrets_out_of_the_log();

void apply(const LogSettings& settings);

/// Reads the secret, and creates it if there is none. If several processes start at once, all get the same one. Blocks:
/// call it at start only. Fails if others can read or write the file, or if it has other content; it is never replaced
/// automatically, because the markers that are already stored would no longer match.
Result<Secret> redaction_secret(const std::filesystem::path& data_folder);

}  // namespace deputy::app

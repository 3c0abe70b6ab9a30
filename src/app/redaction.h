// The log behind the redactor, and the secret that markers of redacted values are made with.
#pragma once

#include <filesystem>

#include "app/settings.h"
#include "base/result.h"
#include "base/secret.h"

namespace deputy::app {

/// To be called before anything is logged.
void keep_secrets_out_of_the_log();

void apply(const LogSettings& settings);

/// Reads it, and makes it first where there is none. Of several processes that start at once, one makes it and all have
/// that one. Blocks: at start only. Fails on a file that others can read or write, or that holds something else; it is
/// never replaced by itself, for markers already stored would then mean nothing.
Result<Secret> redaction_secret(const std::filesystem::path& data_folder);

}  // namespace deputy::app

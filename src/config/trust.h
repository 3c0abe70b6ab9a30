// Which project files count. A file that somebody else's repository brought along must not steer Deputy, so
// ./deputy.yaml is read only once a person has said so, for exactly these bytes at exactly this path.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace deputy::config {

enum class Trust { never, changed, trusted };

/// Absolute path to SHA-256 digest: `trusted.json` in the data folder.
class TrustedFiles {
 public:
  /// A file that is not there trusts nothing; one that is broken, or that others can write, is an error.
  static Result<TrustedFiles> read(const std::filesystem::path& trusted_file);

  Trust judge(const std::filesystem::path& file, std::string_view bytes) const;

  /// Remembers these bytes at this path and writes the list back. Returns the digest.
  Result<std::string> trust(const std::filesystem::path& file, std::string_view bytes);

 private:
  explicit TrustedFiles(std::filesystem::path trusted_file) : trusted_file_(std::move(trusted_file)) {}

  std::filesystem::path trusted_file_;
  std::map<std::string, std::string> digests_;
};

}  // namespace deputy::config

// Trusted project files. A file that came with somebody else's repository must not control Deputy, so ./deputy.yaml is
// read only once a person has trusted exactly these bytes at exactly this path. That covers the scripts inside the
// project that its `cmd:` secrets name.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace deputy::config {

enum class Trust { never, changed, trusted };

/// Maps absolute paths to SHA-256 digests: `trusted.json` in the data folder.
class TrustedFiles {
 public:
  /// A missing file trusts nothing; one that is broken, or that others can write, is an error.
  static Result<TrustedFiles> read(const std::filesystem::path& trusted_file);

  Trust judge(const std::filesystem::path& file, std::string_view bytes) const;

  /// Trusts these bytes at this path and saves the list. Returns the digest.
  Result<std::string> trust(const std::filesystem::path& file, std::string_view bytes);

 private:
  explicit TrustedFiles(std::filesystem::path trusted_file) : trusted_file_(std::move(trusted_file)) {}

  std::filesystem::path trusted_file_;
  std::map<std::string, std::string> digests_;
};

}  // namespace deputy::config

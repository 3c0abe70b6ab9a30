// Secrets by reference: `env:NAME`, `file:PATH`, `cmd:COMMAND`, else the text itself. Errors show the reference, never
// the value.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/secret.h"
#include "config/document.h"
#include "config/files.h"
#include "config/paths.h"

namespace deputy::config {

/// A secret that is kept outside the settings.
struct SecretReference {
  enum class Kind { file, command };
  Kind kind = Kind::file;
  std::string text;              // the path as written, or the command
  std::filesystem::path folder;  // relative paths start and commands run here
};

/// Fetches the secret of a reference. It blocks, so use a worker thread.
using SecretFetcher = std::function<Result<Secret>(const SecretReference&, const Environment&)>;

/// Reads files of at most 64 KB that others can neither read nor write, and runs commands with `sh -c` and a timeout of
/// 10 s, if nobody else can write the programs and scripts that the command names. One trailing newline is removed.
Result<Secret> fetch_secret(const SecretReference& reference, const Environment& environment);

/// The files that a command names by a path from `folder`: its scripts.
std::vector<std::filesystem::path> files_of_command(std::string_view command, const std::filesystem::path& folder);

std::filesystem::path path_of(const SecretReference& reference);

/// Resolves the secrets of one load and records what a reload needs.
class SecretResolution {
 public:
  SecretResolution(const Environment& environment, const Origins& origins, SecretFetcher fetch)
      : environment_(environment), origins_(origins), fetch_(std::move(fetch)) {}

  Result<Secret> resolve(const std::string& path, const std::string& text);

  Fingerprint seen;                            // of the referenced files, taken before they were read
  std::map<std::string, std::string> digests;  // by path: show a changed secret, which the settings' JSON does not
  std::vector<std::string> notices;
  bool missing = false;  // a file or a command gave no secret

 private:
  Result<Secret> look_up(const std::string& path, const std::string& text);
  Result<Secret> fetch(const SecretReference& reference);
  Result<Secret> literal(const std::string& path, const std::string& text, const Origin& origin);

  const Environment& environment_;
  const Origins& origins_;
  SecretFetcher fetch_;
};

}  // namespace deputy::config

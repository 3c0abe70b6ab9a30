// The settings engine: files, environment and flags to any struct with `fields()`. It knows no setting: keys come with
// the folder that owns them, in that folder's settings.h.
//
//   const Loaded<Settings> loaded = load<Settings>(sources);
//   if (!loaded.ok()) … loaded.problems: every one, with file, line and hint
//
// Precedence: flag > DEPUTY_ variable > vendor's variable > project file > user file > system file > default. Loading
// reads files and runs the commands of secrets, so it blocks: use a worker thread once there is a loop.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/fields.h"
#include "config/environment.h"
#include "config/files.h"
#include "config/paths.h"
#include "config/secrets.h"

namespace deputy::config {

struct Sources {
  Places places;
  Environment environment;
  std::vector<Flag> flags;
  SecretFetcher fetch = fetch_secret;
};

/// A settings file that was used.
struct ReadFile {
  std::filesystem::path path;
  bool blank = false;  // it contains only white space

  bool operator==(const ReadFile&) const = default;
};

/// The results of a load besides the settings.
struct LoadReport {
  std::vector<LocatedProblem> problems;
  std::vector<std::string> notices;              // one line each, for a person; nothing is wrong
  std::vector<ReadFile> files;                   // that were used, lowest precedence first
  std::vector<std::filesystem::path> untrusted;  // project files that were not used
  Fingerprint seen;  // of every path that could be used, existing or not, taken before it was read
  std::map<std::string, std::string> secret_digests;
  bool secret_missing = false;  // one could not be fetched; a later load may succeed
  Origins provenance;

  bool ok() const { return problems.empty(); }
};

/// The files, environment and flags as one document, before fields give it a meaning.
struct MergedSources {
  Document document;
  LoadReport report;
};
MergedSources gather(const Sources& sources, const std::vector<FieldDoc>& docs);

/// Adds the problems found while reading the fields, each with its place, and a hint to each problem that has none.
LoadReport finish_report(MergedSources gathered, std::vector<Problem> problems, SecretResolution& secrets,
                         const std::vector<FieldDoc>& docs);

template <class T>
struct Loaded : LoadReport {
  T settings;  // valid only when ok()
};

/// Holds settings that were read against what only the caller knows; called whatever was wrong with them.
template <class T>
using Check = std::function<void(const T& settings, const std::vector<ReadFile>& files, FieldReader& reader)>;

template <HasFields T>
Loaded<T> load(const Sources& sources, const Check<T>& check = {}) {
  const std::vector<FieldDoc> docs = describe_fields<T>();
  MergedSources gathered = gather(sources, docs);
  SecretResolution secrets(sources.environment, gathered.document.origins, sources.fetch);
  // Keep all problems: finish_report limits how many are shown.
  FieldReader reader(FieldReader::Scalars::text, "setting", std::numeric_limits<std::size_t>::max());
  reader.resolve_secrets_with(
      [&](const std::string& path, const std::string& text) { return secrets.resolve(path, text); });
  reader.resolve_paths_from([&](const std::string& path) {
    const Origin origin = gathered.document.origins.of(path);
    return origin.source == nullptr ? std::filesystem::path() : origin.source->folder;
  });
  T settings{};
  FieldCodec<T>::read_object(gathered.document.root, settings, reader);
  if (check) check(settings, gathered.report.files, reader);
  return {finish_report(std::move(gathered), reader.take_problems(), secrets, docs), std::move(settings)};
}

}  // namespace deputy::config

// The settings engine: files, environment and flags to any struct with `fields()`. It knows no setting: keys come with
// the folder that owns them, in that folder's settings.h.
//
//   const Loaded<Settings> loaded = load<Settings>(sources);
//   if (!loaded.ok()) … loaded.problems: every one, with file, line and what to do
//
// Precedence: flag > DEPUTY_ variable > vendor's variable > project file > user file > system file > default. Loading
// reads files and runs the commands of secrets, so it blocks: on a worker thread once there is a loop.
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
#include "config/places.h"
#include "config/secrets.h"

namespace deputy::config {

struct Sources {
  Places places;
  Environment environment;
  std::vector<Flag> flags;
  SecretFetcher fetch = fetch_secret;
};

/// A settings file that counted.
struct ReadFile {
  std::filesystem::path path;
  bool blank = false;  // nothing in it but space

  bool operator==(const ReadFile&) const = default;
};

/// What a load says beside the settings.
struct LoadReport {
  std::vector<LocatedProblem> problems;
  std::vector<std::string> notices;              // one line each, for a person; nothing is wrong
  std::vector<ReadFile> files;                   // that counted, lowest precedence first
  std::vector<std::filesystem::path> untrusted;  // project files that did not count
  Fingerprint seen;  // of every path that could count, there or not, taken before it was read
  std::map<std::string, std::string> secret_digests;
  bool secret_missing = false;  // one could not be fetched; another time it may be
  Origins provenance;

  bool ok() const { return problems.empty(); }
};

/// The files, environment and flags as one document, before anything gives it a meaning.
struct Gathered {
  Document document;
  LoadReport report;
};
Gathered gather(const Sources& sources, const std::vector<FieldDoc>& docs);

/// Adds what reading the fields found, each where it was written, and to each problem that has no fix what belongs
/// there.
LoadReport finish_report(Gathered gathered, std::vector<Problem> problems, SecretResolution& secrets,
                         const std::vector<FieldDoc>& docs);

template <class T>
struct Loaded : LoadReport {
  T settings;  // only good when ok()
};

/// Holds settings that were read against what only the caller knows; called whatever was wrong with them.
template <class T>
using Check = std::function<void(const T& settings, const std::vector<ReadFile>& files, FieldReader& reader)>;

template <HasFields T>
Loaded<T> load(const Sources& sources, const Check<T>& check = {}) {
  const std::vector<FieldDoc> docs = describe_fields<T>();
  Gathered gathered = gather(sources, docs);
  SecretResolution secrets(sources.environment, gathered.document.origins, sources.fetch);
  // All of them: finish_report bounds what is shown.
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

// Settings from environment variables and flags. DEPUTY_LOG__LEVEL is log.level, and the vendors' usual variables
// (SLACK_BOT_TOKEN) count where a field says `from_variable`. An object may be given as JSON text. The environment is
// passed in; nothing here reads the process's own.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "config/document.h"
#include "config/paths.h"

namespace deputy::config {

/// One layer of settings, with its problems and notices.
struct Layer {
  Document document;
  std::vector<LocatedProblem> problems;
  std::vector<std::string> notices;
};

/// The DEPUTY_ variables; an empty one counts as not set. A segment matches, ignoring case, a key of `files` or `docs`,
/// and is lower case otherwise. A nested name that is not a setting goes into the document, where reading it reports it
/// with the nearest key; a plain one (DEPUTY_HOME may belong to another program) gives at most a notice.
Layer from_environment(const Environment& environment, const Document& files, std::span<const FieldDoc> docs,
                       const std::filesystem::path& working_dir);

/// The vendors' variables: above the files, below the DEPUTY_ ones. A field inside an open key or a list takes none,
/// because it is unknown which of several accounts the variable is for.
Layer from_vendor_variables(const Environment& environment, std::span<const FieldDoc> docs,
                            const std::filesystem::path& working_dir);

/// One setting from the command line.
struct Flag {
  std::string name;  // "--set"
  std::string path;  // dotted
  std::string value;
};
Layer from_flags(std::span<const Flag> flags, const std::filesystem::path& working_dir);

/// Knows which paths of the settings are objects, from the reference.
class Shapes {
 public:
  explicit Shapes(std::span<const FieldDoc> docs);

  bool is_object(std::span<const std::string> path) const;

 private:
  enum class Shape { unknown, object, other };
  struct Key {
    bool is_free_object = false;  // its keys are not documented
    std::map<std::string, std::unique_ptr<Key>, std::less<>> keys;
    std::unique_ptr<Key> open;  // for every key without its own entry
  };

  static Shape shape_at(const Key& key, std::span<const std::string> path);

  Key root_;
};

/// Replaces objects given as JSON text (DEPUTY_LOG='{"level": "info"}') with objects, so that such a layer merges key
/// by key like any other. Scalars inside become text like all of a document, with the origin of the text they came
/// from. An object that is too large for a document stays text; the field that reads it reports the problem.
void spread_objects(Document& document, const Shapes& shapes);

}  // namespace deputy::config

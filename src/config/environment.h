// Settings from the environment: DEPUTY_LOG__LEVEL is log.level, and the vendors' usual variables (SLACK_BOT_TOKEN)
// count where a field says `from_variable`. The environment is data; nothing here reads the process's own.
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

/// One layer of settings and what was odd about it.
struct Layer {
  Document document;
  std::vector<LocatedProblem> problems;
  std::vector<std::string> notices;
};

/// The DEPUTY_ variables; one that is empty counts as not set. A segment is matched, whatever its case, to a key that
/// `files` or `docs` have, and is lower case otherwise. A nested name that no setting has goes into the document, where
/// reading it reports it with the nearest key; a plain one (DEPUTY_HOME may be anybody's) is at most a notice.
Layer from_environment(const Environment& environment, const Document& files, std::span<const FieldDoc> docs,
                       const std::filesystem::path& working_dir);

/// The vendors' variables: above the files, below the DEPUTY_ ones. A field inside an open key or a list takes none,
/// because it would not be known which of several accounts the variable is for.
Layer from_vendor_variables(const Environment& environment, std::span<const FieldDoc> docs,
                            const std::filesystem::path& working_dir);

/// One setting from the command line.
struct Flag {
  std::string name;  // "--set"
  std::string path;  // dotted
  std::string value;
};
Layer from_flags(std::span<const Flag> flags, const std::filesystem::path& working_dir);

// Objects that stand in one scalar as JSON (DEPUTY_LOG='{"level": "info"}') become objects of the document, so that a
// layer which says one is merged key by key like any other. Where an object may stand is known from the reference.

/// Which paths of the settings are objects.
class Shapes {
 public:
  explicit Shapes(std::span<const FieldDoc> docs);

  bool is_object(std::span<const std::string> path) const;

 private:
  enum class Shape { unknown, object, other };
  struct Key {
    bool is_free_object = false;  // one whose keys nobody documents
    std::map<std::string, std::unique_ptr<Key>, std::less<>> keys;
    std::unique_ptr<Key> open;  // for every key without an entry of its own
  };

  static Shape shape_at(const Key& key, std::span<const std::string> path);

  Key root_;
};

/// Scalars inside are text afterwards, as all of a document; each has the origin of the text it stood in. What says
/// more than a document may stays text, for the field that reads it to report.
void spread_objects(Document& document, const Shapes& shapes);

}  // namespace deputy::config

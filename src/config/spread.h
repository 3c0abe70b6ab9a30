// Objects that stand in one scalar as JSON (DEPUTY_LOG='{"level": "info"}') become objects of the document, so that a
// layer which says one is merged key by key like any other. Where an object may stand is known from the reference.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "config/document.h"

namespace deputy::config {

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

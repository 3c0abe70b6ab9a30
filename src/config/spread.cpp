#include "config/spread.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::config {

namespace {

// Every recursion here goes as deep as a document or a text of JSON may be: kDeepest.

json::value as_text_scalars(const json::value& value) {
  switch (value.kind()) {
    case json::kind::array: {
      json::array items;
      for (const json::value& item : value.get_array()) items.push_back(as_text_scalars(item));
      return items;
    }
    case json::kind::object: {
      json::object members;
      for (const auto& member : value.get_object()) members[member.key()] = as_text_scalars(member.value());
      return members;
    }
    case json::kind::null:
    case json::kind::string:
      return value;
    case json::kind::double_:
      return json::value(fmt::to_string(value.get_double()));  // 1.5 and not 1.5E0
    default:
      return json::value(json::serialize(value));
  }
}

// What a value adds to a document that has it at a path of that many bytes.
struct Extent {
  std::size_t values = 0;
  std::size_t path_bytes = 0;
  std::size_t levels = 0;
};

Extent extent_of(const json::value& value, std::size_t path) {
  Extent whole{1, path, 0};
  const auto add = [&](const json::value& inner, std::size_t name) {
    const Extent part = extent_of(inner, path + name);
    whole.values += part.values;
    whole.path_bytes += part.path_bytes;
    whole.levels = std::max(whole.levels, part.levels + 1);
  };
  if (const json::array* items = value.if_array()) {
    for (const json::value& item : *items) add(item, std::string_view("[00000]").size());
  } else if (const json::object* members = value.if_object()) {
    for (const auto& member : *members) add(member.value(), member.key().size() + 1);
  }
  return whole;
}

class Spreading {
 public:
  Spreading(Document& document, const Shapes& shapes) : document_(document), shapes_(shapes) {}

  void walk(json::object& object, const std::string& path) {
    for (auto& member : object) {
      keys_.emplace_back(as_view(member.key()));
      const std::string inner = join_path(path, keys_.back());
      if (member.value().is_string()) spread(member.value(), inner);
      if (json::object* deeper = member.value().if_object()) walk(*deeper, inner);
      keys_.pop_back();
    }
  }

 private:
  void spread(json::value& value, const std::string& path) {
    const std::string_view text = trim(as_view(value.get_string()));
    if (!text.starts_with('{') || !shapes_.is_object(keys_)) return;
    const Result<json::object> parsed = parse_json_object(text);
    if (!parsed) return;
    const Extent extent = extent_of(*parsed, path.size());
    if (keys_.size() + extent.levels > kDeepest || values_ + extent.values > kMostValues ||
        path_bytes_ + extent.path_bytes > kMostPathBytes)
      return;
    values_ += extent.values;
    path_bytes_ += extent.path_bytes;
    value = as_text_scalars(*parsed);
    note_origins(value, path, document_.origins.of(path));
  }

  void note_origins(const json::value& value, const std::string& path, const Origin& origin) {
    document_.origins.add(path, origin);
    if (const json::array* items = value.if_array()) {
      for (std::size_t i = 0; i < items->size(); ++i) note_origins((*items)[i], fmt::format("{}[{}]", path, i), origin);
    } else if (const json::object* members = value.if_object()) {
      for (const auto& member : *members) note_origins(member.value(), join_path(path, as_view(member.key())), origin);
    }
  }

  Document& document_;
  const Shapes& shapes_;
  std::vector<std::string> keys_;
  std::size_t values_ = 0;
  std::size_t path_bytes_ = 0;
};

}  // namespace

Shapes::Shapes(std::span<const FieldDoc> docs) {
  for (const FieldDoc& doc : docs) {
    Key* at = &root_;
    bool in_list = false;  // lists are replaced whole, so what their items are does not matter
    for (const std::string_view key : split(doc.path, ".")) {
      in_list = key.ends_with("[]");
      const std::string_view name = in_list ? key.substr(0, key.size() - 2) : key;
      std::unique_ptr<Key>& next = name.starts_with('<') ? at->open : at->keys[std::string(name)];
      if (next == nullptr) next = std::make_unique<Key>();
      at = next.get();
      if (in_list) break;
    }
    if (doc.type == "object" && !in_list) at->is_free_object = true;
  }
}

// A key without an entry of its own may be described elsewhere, under the open one.
Shapes::Shape Shapes::shape_at(const Key& key, std::span<const std::string> path) {
  if (path.empty()) return key.is_free_object || !key.keys.empty() || key.open ? Shape::object : Shape::other;
  const auto named = key.keys.find(path.front());
  const Shape shape = named == key.keys.end() ? Shape::unknown : shape_at(*named->second, path.subspan(1));
  if (shape != Shape::unknown || !key.open) return shape;
  return shape_at(*key.open, path.subspan(1));
}

bool Shapes::is_object(std::span<const std::string> path) const { return shape_at(root_, path) == Shape::object; }

void spread_objects(Document& document, const Shapes& shapes) { Spreading(document, shapes).walk(document.root, {}); }

}  // namespace deputy::config

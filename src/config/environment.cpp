#include "config/environment.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace deputy::config {

namespace {

constexpr std::string_view kPrefix = "DEPUTY_";
// Not settings: they say where settings are, or other parts read them.
constexpr std::array<std::string_view, 4> kReserved{"DEPUTY_CONFIG", "DEPUTY_DATA", "DEPUTY_AUTO_CONFIRM",
                                                    "DEPUTY_FAILPOINT"};

Origin origin_of_variable(SourceKind kind, std::string_view name, const std::filesystem::path& folder) {
  // The name is printed and may be any bytes.
  return {std::make_shared<const Source>(kind, fmt::format("environment variable {}", to_valid_utf8(std::string(name))),
                                         folder, false),
          0};
}

std::vector<std::string> keys_of(std::string_view path) {
  std::vector<std::string> keys;
  for (const std::string_view key : split(path, ".")) keys.emplace_back(key);
  return keys;
}

// The keys that the settings or the files have directly under `path`.
std::vector<std::string> known_keys(std::span<const FieldDoc> docs, const std::vector<std::string>& path,
                                    const json::object* in_files) {
  std::vector<std::string> known;
  if (in_files != nullptr) {
    for (const auto& member : *in_files) known.emplace_back(as_view(member.key()));
  }
  for (const FieldDoc& doc : docs) {
    if (doc.path.find("[]") != std::string::npos) continue;  // a variable cannot name a list item
    const std::vector<std::string> keys = keys_of(doc.path);
    if (keys.size() <= path.size() || keys[path.size()].starts_with('<')) continue;
    const auto same = [](const std::string& documented, const std::string& given) {
      return documented == given || documented.starts_with('<');
    };
    if (std::equal(path.begin(), path.end(), keys.begin(),
                   [&](const auto& given, const auto& documented) { return same(documented, given); })) {
      known.push_back(keys[path.size()]);
    }
  }
  return known;
}

// The path for the segments of a variable's name.
std::vector<std::string> resolve(const std::vector<std::string_view>& segments, const json::object& files,
                                 std::span<const FieldDoc> docs) {
  std::vector<std::string> path;
  const json::object* at = &files;
  for (const std::string_view segment : segments) {
    const std::string lower = to_lower(segment);
    const std::vector<std::string> known = known_keys(docs, path, at);
    const auto match = std::ranges::find_if(known, [&](const std::string& key) { return to_lower(key) == lower; });
    path.push_back(match == known.end() ? lower : *match);
    if (at != nullptr) at = find_object(*at, path.back());
  }
  return path;
}

// True when `words` (log_level) are these keys joined by single underscores; `keys` then has the names for open keys.
bool spells(std::string_view words, std::span<const std::string> documented, std::vector<std::string>& keys) {
  for (std::size_t end = words.find('_');; end = words.find('_', end + 1)) {
    const bool is_whole = end == std::string_view::npos;
    const std::string_view key = words.substr(0, end);
    if (!key.empty() && (key == documented.front() || documented.front().starts_with('<'))) {
      keys.emplace_back(key);
      if (documented.size() == 1 ? is_whole : !is_whole && spells(words.substr(end + 1), documented.subspan(1), keys))
        return true;
      keys.pop_back();
    }
    if (is_whole) return false;
  }
}

// The variable that was meant by one with single underscores between keys; empty when there is none.
std::string with_two_underscores(const std::string& key, std::span<const FieldDoc> docs) {
  constexpr std::size_t kMaxWorthReading = 100;  // open keys are tried at every underscore
  if (key.size() > kMaxWorthReading) return {};
  for (const bool open : {false, true}) {
    for (const FieldDoc& doc : docs) {
      std::vector<std::string> keys;
      if (doc.path.contains("[]") || doc.path.contains('<') != open || !spells(key, keys_of(doc.path), keys)) continue;
      std::string name(kPrefix);
      for (const char c : join(keys, "__")) name += is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
      return name;
    }
  }
  return {};
}

// Handles a plain DEPUTY_X that is not a setting: it may be a typo or belong to another program.
void notice_unknown(Layer& layer, std::string_view variable, const std::string& key, std::span<const FieldDoc> docs) {
  if (const std::string meant = with_two_underscores(key, docs); !meant.empty()) {
    layer.notices.push_back(fmt::format("{} is not a setting and is ignored;  did you mean {}?", variable, meant));
    return;
  }
  const std::vector<std::string> known = known_keys(docs, {}, nullptr);
  const std::string_view near = nearest(key, known);
  if (near.empty()) return;
  layer.notices.push_back(fmt::format("{} is not a setting and is ignored;  did you mean `{}`?", variable, near));
}

bool is_top_level(std::string_view key, std::span<const FieldDoc> docs) {
  return std::ranges::any_of(docs, [&](const FieldDoc& doc) { return split(doc.path, ".").front() == key; });
}

void add_variable(Layer& layer, const std::string& name, const std::string& value, const Document& files,
                  std::span<const FieldDoc> docs, const std::filesystem::path& working_dir) {
  const Origin origin = origin_of_variable(SourceKind::variable, name, working_dir);
  const auto report = [&](std::string message, std::string hint) {
    layer.problems.push_back(locate({{}, std::move(message), std::move(hint)}, origin));
  };
  if (!is_valid_utf8(name) || !is_valid_utf8(value))
    return report("this is not UTF-8 text", "set it again, or unset it");
  const std::vector<std::string_view> segments = split(std::string_view(name).substr(kPrefix.size()), "__");
  if (contains(segments, std::string_view()) || segments.size() > kDeepest) {
    return report("this does not name a setting", "write it like DEPUTY_LOG__LEVEL for `log.level`");
  }
  const std::vector<std::string> path = resolve(segments, files.root, docs);
  if (path.size() == 1 && !is_top_level(path.front(), docs)) return notice_unknown(layer, name, path.front(), docs);
  const bool is_taken = layer.document.origins.find(join(path, ".")) != nullptr;
  if (is_taken || !set_value(layer.document, path, value, origin)) {
    report("another variable sets the same setting or a parent of it", "unset one of them");
  }
}

}  // namespace

Layer from_environment(const Environment& environment, const Document& files, std::span<const FieldDoc> docs,
                       const std::filesystem::path& working_dir) {
  Layer layer;
  for (auto at = environment.lower_bound(kPrefix); at != environment.end() && at->first.starts_with(kPrefix); ++at) {
    if (at->second.empty() || contains(kReserved, at->first)) continue;
    add_variable(layer, at->first, at->second, files, docs, working_dir);
  }
  return layer;
}

Layer from_vendor_variables(const Environment& environment, std::span<const FieldDoc> docs,
                            const std::filesystem::path& working_dir) {
  Layer layer;
  for (const FieldDoc& doc : docs) {
    if (doc.variable.empty() || doc.path.find_first_of("<[") != std::string::npos) continue;
    const std::string* value = find_variable(environment, doc.variable);
    if (value == nullptr) continue;
    const Origin origin = origin_of_variable(SourceKind::vendor_variable, doc.variable, working_dir);
    if (!is_valid_utf8(*value) || !set_value(layer.document, keys_of(doc.path), *value, origin)) {
      layer.problems.push_back(
          locate({doc.path, "this variable cannot be read as text", "set it again, or unset it"}, origin));
    }
  }
  return layer;
}

Layer from_flags(std::span<const Flag> flags, const std::filesystem::path& working_dir) {
  Layer layer;
  for (const Flag& flag : flags) {
    const Origin origin{
        std::make_shared<const Source>(SourceKind::flag, fmt::format("flag {}", flag.name), working_dir, false), 0};
    const std::vector<std::string> keys = keys_of(flag.path);
    const bool is_path = !contains(keys, std::string());
    if (!is_path || !is_valid_utf8(flag.path) || !is_valid_utf8(flag.value) ||
        !set_value(layer.document, keys, flag.value, origin)) {
      layer.problems.push_back(
          locate({to_valid_utf8(flag.path), "this flag names no setting, or another flag sets a parent of it",
                  "write it like --set log.level=debug"},
                 origin));
    }
  }
  return layer;
}

// Objects given as JSON text.

namespace {

// Every recursion here is at most as deep as a document or JSON text may be: kDeepest.

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
      return json::value(fmt::to_string(value.get_double()));  // 1.5, not 1.5E0
    default:
      return json::value(json::serialize(value));
  }
}

// The size that a value adds to a document when its path has that many bytes.
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
    if (keys_.size() + extent.levels > kDeepest || values_ + extent.values > kMaxValues ||
        path_bytes_ + extent.path_bytes > kMaxPathBytes)
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
    bool in_list = false;  // lists are replaced as a whole, so the type of their items does not matter
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

// A key without its own entry may be described under the open one.
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

#include "config/document.h"

namespace deputy::config {

namespace {

// Documents are at most kDeepest deep, so this recursion is too.
void merge_objects(json::object& under, const json::object& over, const std::string& path, Document& into,
                   const Origins& origins) {
  for (const auto& member : over) {
    const std::string inner = join_path(path, as_view(member.key()));
    json::value* existing = under.if_contains(member.key());
    if (existing != nullptr && existing->is_object() && member.value().is_object()) {
      merge_objects(existing->get_object(), member.value().get_object(), inner, into, origins);
    } else {
      under[member.key()] = member.value();
      into.origins.replace(inner, origins);
    }
  }
}

}  // namespace

void merge(Document& under, const Document& over) { merge_objects(under.root, over.root, {}, under, over.origins); }

bool set_value(Document& document, std::span<const std::string> keys, std::string_view text, const Origin& origin) {
  if (keys.empty() || keys.size() > kDeepest) return false;
  json::object* at = &document.root;
  std::string path;
  for (const std::string& key : keys.first(keys.size() - 1)) {
    path = join_path(path, key);
    auto [member, added] = at->emplace(key, json::object());
    if (!member->value().is_object()) return false;
    if (added) document.origins.add(path, origin);
    at = &member->value().get_object();
  }
  json::value& place = (*at)[keys.back()];
  if (place.is_object()) return false;
  place = json::string_view(text.data(), text.size());
  document.origins.add(join_path(path, keys.back()), origin);
  return true;
}

}  // namespace deputy::config

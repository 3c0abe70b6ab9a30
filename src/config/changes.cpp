#include "config/changes.h"

#include <algorithm>
#include <set>

#include "base/fields.h"
#include "config/origin.h"

namespace deputy::config {

namespace {

// Settings are as deep as their structs, so this recursion is too.
void compare(const json::object& before, const json::object& after, const std::string& path,
             std::set<std::string>& changed) {
  for (const auto& member : before) {
    const std::string inner = join_path(path, as_view(member.key()));
    const json::value* other = after.if_contains(member.key());
    if (other != nullptr && other->is_object() && member.value().is_object()) {
      compare(member.value().get_object(), other->get_object(), inner, changed);
    } else if (other == nullptr || *other != member.value()) {
      changed.insert(inner);
    }
  }
  for (const auto& member : after) {
    if (!before.contains(member.key())) changed.insert(join_path(path, as_view(member.key())));
  }
}

}  // namespace

std::vector<std::string> changed_paths(const json::object& before, const json::object& after,
                                       const std::map<std::string, std::string>& secrets_before,
                                       const std::map<std::string, std::string>& secrets_after) {
  std::set<std::string> changed;
  compare(before, after, {}, changed);
  for (const auto& [path, digest] : secrets_before) {
    const auto other = secrets_after.find(path);
    if (other == secrets_after.end() || other->second != digest) changed.insert(path);
  }
  for (const auto& [path, digest] : secrets_after) {
    if (!secrets_before.contains(path)) changed.insert(path);
  }
  return {changed.begin(), changed.end()};
}

bool touches(std::span<const std::string> paths, std::string_view part) {
  return std::ranges::any_of(
      paths, [&](const std::string& path) { return path == part || is_inside(path, part) || is_inside(part, path); });
}

}  // namespace deputy::config

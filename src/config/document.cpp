#include "config/document.h"

#include <fmt/format.h>

namespace deputy::config {

namespace {

std::string place(const std::string& source, int line) {
  return line > 0 ? fmt::format("{}:{}", source, line) : source;
}

// Recursion is at most kDeepest deep, like documents.
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

bool is_inside(std::string_view path, std::string_view outer) {
  return path.size() > outer.size() && path.starts_with(outer) &&
         (path[outer.size()] == '.' || path[outer.size()] == '[');
}

std::string Origin::where() const { return source == nullptr ? "default" : place(source->name, line); }

Origin Origins::of(std::string_view path) const {
  for (;;) {
    if (const Origin* found = find(path)) return *found;
    const std::size_t cut = path.find_last_of(".[");
    if (cut == std::string_view::npos) return {};
    path = path.substr(0, cut);
  }
}

Origin Origins::of_value(std::string_view path) const {
  if (const Origin* exact = find(path)) return *exact;
  for (;;) {
    const auto found = origins_.find(path);
    if (found != origins_.end()) return has_inner(found->first) ? Origin{} : found->second;
    const std::size_t cut = path.find_last_of(".[");
    if (cut == std::string_view::npos) return {};
    path = path.substr(0, cut);
  }
}

bool Origins::has_inner(const std::string& path) const {
  const auto inside = [&](char opener) {
    const auto at = origins_.lower_bound(path + opener);
    return at != origins_.end() && is_inside(at->first, path);
  };
  return inside('.') || inside('[');
}

const Origin* Origins::find(std::string_view path) const {
  const auto found = origins_.find(path);
  return found == origins_.end() ? nullptr : &found->second;
}

void Origins::replace(const std::string& path, const Origins& other) {
  erase(path);
  if (const Origin* origin = other.find(path)) origins_.emplace(path, *origin);
  for (const char opener : {'.', '['}) {
    for (auto at = other.origins_.lower_bound(path + opener); at != other.origins_.end() && is_inside(at->first, path);
         ++at) {
      origins_.insert_or_assign(at->first, at->second);
    }
  }
}

void Origins::erase(const std::string& path) {
  origins_.erase(path);
  for (const char opener : {'.', '['}) {
    auto at = origins_.lower_bound(path + opener);
    while (at != origins_.end() && is_inside(at->first, path)) at = origins_.erase(at);
  }
}

LocatedProblem locate(Problem problem, const Origin& origin) {
  return {std::move(problem), origin.source == nullptr ? std::string() : origin.source->name, origin.line};
}

std::string describe(const LocatedProblem& problem) {
  std::string text;
  if (!problem.source.empty()) text += place(problem.source, problem.line) + ": ";
  if (!problem.path.empty()) text += fmt::format("`{}`: ", problem.path);
  return text + problem.message;
}

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

#include "config/live.h"

#include <algorithm>
#include <set>

#include "base/fields.h"
#include "base/text.h"
#include "config/document.h"

namespace deputy::config {

namespace {

// Recursion is as deep as the structs of the settings.
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

bool is_gone(const std::filesystem::path& file, const Fingerprint& seen) {
  const auto found = std::ranges::find(seen, file, &Fingerprint::value_type::first);
  return found != seen.end() && !found->second;
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

StableFiles::Step StableFiles::observe(const Fingerprint& now) {
  if (now == settled_) {
    previous_.reset();
    if (!readings_left_ || --*readings_left_ > 0) return Step::nothing;
    readings_left_ = kWhile;
    return Step::load;
  }
  if (previous_ != now) {
    previous_ = now;
    return Step::wait;
  }
  return Step::load;
}

void StableFiles::settle(Fingerprint judged, Again again) {
  settled_ = std::move(judged);
  previous_.reset();
  readings_left_ = again == Again::after_a_while ? std::optional(kWhile) : std::nullopt;
}

LocatedProblem still_being_written(const std::filesystem::path& file) {
  return {{{},
           "this file has been open for writing for a while, so it is not loaded yet",
           "close it in the program that writes it, or write a new file and rename it to this one"},
          file.string(),
          0};
}

std::vector<LocatedProblem> reasons_to_keep(const LoadReport& last, const LoadReport& next) {
  std::vector<LocatedProblem> reasons = next.problems;
  for (const ReadFile& file : last.files) {
    const bool emptied = !file.blank && contains(next.files, ReadFile{file.path, true});
    if (emptied) {
      reasons.push_back({{{},
                          "this file had settings and is now empty; it may be half-written",
                          "write it again, or write `{}` if it should have no settings"},
                         file.path.string(),
                         0});
    }
    if (is_gone(file.path, next.seen)) {
      reasons.push_back({{{},
                          "this file was removed; its settings stay in use",
                          "put it back, write `{}` in it if it should have no settings, or restart Deputy without it"},
                         file.path.string(),
                         0});
    }
    if (contains(next.untrusted, file.path)) {
      reasons.push_back({{{}, "this file has changed since it was trusted", "read it, then run `deputy config trust`"},
                         file.path.string(),
                         0});
    }
  }
  return reasons;
}

}  // namespace deputy::config

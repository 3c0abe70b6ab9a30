#include "tools/logs/files/find_files.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/task.h"
#include "base/text.h"

namespace deputy::tools::files {

namespace {

constexpr std::size_t kMaxPattern = 500;
constexpr std::size_t kMaxPath = 4096;

const RE2& rotation() {
  // At the end: .1  -20261101  .2026-11-01  -2026110104; before the last ending: app-20261101.log, app.1.log; never
  // app-1.log
  static const RE2 expression(
      R"re(^(.*[^/])(?:\.\d{1,4}|[.-](?:19|20)\d{2}-?\d{2}-?\d{2}(?:[T-]?\d{2,6})?)(\.[A-Za-z]{1,8})?$)re");
  return expression;
}

}  // namespace

bool is_compressed(std::string_view path) { return path.ends_with(".gz"); }

std::string unrotated(std::string_view path) {
  if (is_compressed(path)) path.remove_suffix(3);
  std::string base, ending;
  if (path.size() > kMaxPath || !RE2::FullMatch({path.data(), path.size()}, rotation(), &base, &ending)) {
    return std::string(path);
  }
  return base + ending;
}

Result<PathPattern> PathPattern::compile(std::string_view pattern) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("`{}`: {}", cut_with_mark(pattern, 100), what),
                "write it like {environment}/{service}.log");
  };
  if (trim(pattern).empty() || pattern.size() > kMaxPattern) return wrong("a pattern has 1 to 500 characters");
  if (pattern.starts_with('/')) return wrong("a pattern is a path under the root");
  for (const std::string_view part : split(pattern, "/")) {
    if (part == ".." || part == ".") return wrong("a pattern names its folders, without . and ..");
  }
  PathPattern compiled;
  std::string expression;
  int groups = 0;
  const auto place = [&](std::string_view name, int& group) {
    if (!pattern.starts_with(name) || group > 0) return false;
    pattern.remove_prefix(name.size());
    expression += "([^/]+?)";
    group = ++groups;
    return true;
  };
  while (!pattern.empty()) {
    const std::size_t literal = std::min(pattern.find_first_of("{*"), pattern.size());
    if (literal > 0) {
      expression += RE2::QuoteMeta({pattern.data(), literal});
      pattern.remove_prefix(literal);
    } else if (pattern.starts_with('*')) {
      expression += "[^/]*?";
      pattern.remove_prefix(1);
    } else if (!place(kEnvironmentPlace, compiled.environment_) && !place(kServicePlace, compiled.service_)) {
      return wrong("it may have {environment} and {service} once each, and no other braces");
    }
  }
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // paths are bytes
  compiled.expression_ = std::make_shared<const RE2>(expression, options);
  return compiled;
}

std::optional<PathOwner> PathPattern::match(std::string_view path) const {
  const std::string plain = unrotated(path);
  std::array<re2::StringPiece, 3> groups;
  if (!expression_->Match(plain, 0, plain.size(), RE2::ANCHOR_BOTH, groups.data(), static_cast<int>(groups.size()))) {
    return std::nullopt;
  }
  const auto taken = [&](int group) {
    return group > 0 ? std::string(groups[static_cast<std::size_t>(group)]) : std::string();
  };
  return PathOwner{taken(environment_), taken(service_)};
}

namespace {

namespace fs = std::filesystem;

class Finder {
 public:
  Finder(const fs::path& root, const std::vector<LogPath>& paths, const EnvironmentNames& environments)
      : root_(root), paths_(paths), environments_(environments) {}

  Result<> walk(const std::stop_token& stop) {
    std::error_code error;
    fs::recursive_directory_iterator at(root_, fs::directory_options::skip_permission_denied, error);
    if (error) {
      return fail(ErrorKind::not_configured, fmt::format("the log folder cannot be read: {}", error.message()),
                  "check tools.log_tools.files.root");
    }
    for (std::size_t seen = 0; at != fs::recursive_directory_iterator(); ++seen) {
      if (stop.stop_requested()) return std::unexpected(cancelled_error());
      if (seen == kMaxFilesSeen) {
        found_.too_many = true;
        break;
      }
      if (at.depth() >= kDeepestFolder) at.disable_recursion_pending();
      consider(*at);
      at.increment(error);
      if (error) break;
    }
    return {};
  }

  FoundFiles take() {
    std::ranges::sort(found_.files, {}, &LogFile::name);
    drop_packed_twins();
    return std::move(found_);
  }

 private:
  void consider(const fs::directory_entry& entry) {
    std::error_code error;
    const fs::file_status status = entry.symlink_status(error);
    if (error) return;
    if (fs::is_symlink(status)) ++found_.links;
    if (!fs::is_regular_file(status)) return;
    const std::string name = entry.path().lexically_relative(root_).string();
    for (const LogPath& path : paths_) {
      const auto owner = path.pattern.match(name);
      if (!owner) continue;
      const std::string environment =
          environment_meant(owner->environment.empty() ? path.environment : owner->environment, environments_);
      if (environment.empty()) continue;  // the path matches, but not with the name of an environment
      struct stat facts{};
      if (::lstat(entry.path().c_str(), &facts) != 0) return;
      const Timestamp written =
          from_millis(static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1000 + facts.st_mtim.tv_nsec / 1'000'000);
      found_.files.push_back({name, entry.path().string(), environment,
                              owner->service.empty() ? path.service : owner->service, written,
                              static_cast<std::uint64_t>(facts.st_size)});
      return;
    }
  }

  /// While a file is being compressed, both files exist and have the same entries.
  void drop_packed_twins() {
    std::set<std::string, std::less<>> plain;
    for (const LogFile& file : found_.files) {
      if (!file.is_packed()) plain.insert(file.name);
    }
    std::erase_if(found_.files, [&](const LogFile& file) {
      return file.is_packed() && plain.contains(std::string_view(file.name).substr(0, file.name.size() - 3));
    });
  }

  const fs::path& root_;
  const std::vector<LogPath>& paths_;
  const EnvironmentNames& environments_;
  FoundFiles found_;
};

}  // namespace

Result<FoundFiles> find_files(const fs::path& root, const std::vector<LogPath>& paths,
                              const EnvironmentNames& environments, const std::stop_token& stop) {
  Finder finder(root, paths, environments);
  TRY(finder.walk(stop));
  return finder.take();
}

std::string environment_meant(std::string_view word, const EnvironmentNames& environments) {
  const std::string plain = to_lower(word);
  for (const auto& [name, others] : environments) {
    if (to_lower(name) == plain) return name;
    for (const std::string& other : others) {
      if (to_lower(other) == plain) return name;
    }
  }
  return {};
}

}  // namespace deputy::tools::files

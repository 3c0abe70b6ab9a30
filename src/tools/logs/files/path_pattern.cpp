#include "tools/logs/files/path_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>

#include "base/text.h"

namespace deputy::tools::files {

namespace {

constexpr std::size_t kLongestPattern = 500;
constexpr std::size_t kLongestPath = 4096;

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
  if (path.size() > kLongestPath || !RE2::FullMatch({path.data(), path.size()}, rotation(), &base, &ending)) {
    return std::string(path);
  }
  return base + ending;
}

Result<PathPattern> PathPattern::compile(std::string_view pattern) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("`{}`: {}", cut_with_mark(pattern, 100), what),
                "write it like {environment}/{service}.log");
  };
  if (trim(pattern).empty() || pattern.size() > kLongestPattern) return wrong("a pattern has 1 to 500 characters");
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
      return wrong("it may hold {environment} and {service} once each, and no other braces");
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

}  // namespace deputy::tools::files

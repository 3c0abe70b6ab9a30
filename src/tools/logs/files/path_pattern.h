// Whose log a file is, by its path. A pattern is a path under the root in which {environment} and {service} stand for
// one piece of a name each, and * for anything but a slash:
//
//   {environment}/{service}.log      k8s/*/{service}-*.log      nginx/access.log
//
// Rotated files belong to the file they were: app.log.1, app.log.2.gz, app-20261101.log, app.log-20261101.gz.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace deputy::tools::files {

inline constexpr std::string_view kEnvironmentPlace = "{environment}";
inline constexpr std::string_view kServicePlace = "{service}";

/// The path without what rotation and compression added to it.
std::string unrotated(std::string_view path);
bool is_compressed(std::string_view path);

struct PathOwner {
  std::string environment;  // as the path says it; empty: it does not
  std::string service;

  bool operator==(const PathOwner&) const = default;
};

class PathPattern {
 public:
  /// Says what is wrong with a pattern: an unknown place, one that stands twice, a way out of the root.
  static Result<PathPattern> compile(std::string_view pattern);

  /// Whose the file is, when the pattern fits its path, rotated or not. Where two readings are possible a place takes
  /// as little as it can. Linear.
  std::optional<PathOwner> match(std::string_view path) const;
  bool names_environment() const { return environment_ > 0; }
  bool names_service() const { return service_ > 0; }

 private:
  std::shared_ptr<const re2::RE2> expression_;
  int environment_ = 0;  // which group of the expression; 0: none
  int service_ = 0;
};

}  // namespace deputy::tools::files

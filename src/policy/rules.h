// The rules of settings with their patterns compiled, once a reload, and the question whether they speak of a value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/call.h"
#include "policy/patterns.h"
#include "policy/settings.h"

namespace deputy::policy {

/// Which rule spoke, as its place in settings, and why.
struct RuleHit {
  std::string rule;  // "policy.rules[0].deny[1]"
  std::string why;

  bool operator==(const RuleHit&) const = default;
};

class Rules {
 public:
  /// `place` is where they stand in settings, such as "policy.rules".
  static Result<Rules> compile(const std::vector<Rule>& rules, std::string place);

  /// A deny pattern of this tool is found in the value. In a command line every loose reading is searched, and one too
  /// long to be searched is refused. A call without a value has an empty one.
  std::optional<RuleHit> deny(std::string_view tool, std::string_view value, ValueKind kind) const;

  /// An allow pattern of this tool matches the whole value. In a command line: it parses, and every command of it is
  /// matched whole by one and redirects nothing.
  std::optional<RuleHit> allow(std::string_view tool, std::string_view value, ValueKind kind) const;

  bool has_deny(std::string_view tool) const;

 private:
  struct Entry {
    std::string tool;
    std::string id;
    Pattern pattern;
  };
  static const Entry* whole_match(const std::vector<const Entry*>& entries, std::string_view value);
  std::vector<const Entry*> of(const std::vector<Entry>& entries, std::string_view tool) const;

  std::vector<Entry> deny_;
  std::vector<Entry> allow_;
};

}  // namespace deputy::policy

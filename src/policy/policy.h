// Settings made ready to judge by: checked (check.h) and with compiled patterns. Immutable; a reload makes a new one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace re2 {

// Patterns of rules: RE2, linear time on any text.
//
// An allow pattern matches the whole value, so that nothing can be added to what was meant. A deny pattern is searched
// for: what is refused stays refused whatever stands around it, and for that search `.` and `^`, `$` see lines as well.
class RE2;
}  // namespace re2

namespace deputy::policy {

/// Immutable and cheap to copy.
class Pattern {
 public:
  /// Says what is wrong with a pattern that RE2 refuses.
  static Result<Pattern> compile(std::string_view text);

  const std::string& text() const { return text_; }

  bool matches_whole(std::string_view value) const;
  bool is_found_in(std::string_view value) const;
  bool is_found_at_start_of(std::string_view value) const;

  /// Whether what stands before a match can matter: the pattern may hold a `^`.
  bool may_be_anchored() const { return may_be_anchored_; }

 private:
  Pattern() = default;

  std::string text_;
  std::shared_ptr<const re2::RE2> whole_;
  std::shared_ptr<const re2::RE2> search_;
  bool may_be_anchored_ = false;
};

// The rules of settings with their patterns compiled, once a reload, and the question whether they speak of a value.

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

struct Policy {
  Settings settings;
  Rules rules;
  Rules hard_deny;

  /// Fails on a pattern that RE2 refuses, which `check` would have reported.
  static Result<Policy> make(Settings settings);
};

/// What holds at a place: what its own key of `channels` says, else what that of its kind says. `mode` also looks at
/// `policy.mode`, and deny_all at any of the three holds.
struct PlaceRules {
  Mode mode = Mode::ask;
  std::optional<std::vector<std::string>> categories = std::nullopt;
  std::optional<std::vector<std::string>> environments = std::nullopt;
  std::string default_environment = {};
  Follow follow = Follow::requester;
  std::string instead = {};
};
PlaceRules rules_at(const Place& place, const Settings& settings);

}  // namespace deputy::policy

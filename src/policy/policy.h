// Settings ready to judge by: checked (check.h), with compiled rules and patterns. Immutable; a reload makes a new one.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace deputy::policy {

/// A rule's pattern: RE2, linear time on any text. An allow pattern matches the whole value, so that nothing can be
/// added to it. A deny pattern is searched for, so that surrounding text cannot hide it; in that search `.`, `^` and
/// `$` work per line too. Immutable and cheap to copy.
class Pattern {
 public:
  /// The error says why RE2 rejects the pattern.
  static Result<Pattern> compile(std::string_view text);

  const std::string& text() const { return text_; }

  bool matches_whole(std::string_view value) const;
  bool is_found_in(std::string_view value) const;
  bool is_found_at_start_of(std::string_view value) const;

  /// True if text before a match can matter: the pattern may contain a `^`.
  bool may_be_anchored() const { return may_be_anchored_; }

 private:
  Pattern() = default;

  std::string text_;
  std::shared_ptr<const re2::RE2> whole_;
  std::shared_ptr<const re2::RE2> search_;
  bool may_be_anchored_ = false;
};

/// The rule that matched, by its place in settings, and why.
struct RuleHit {
  std::string rule;  // "policy.rules[0].deny[1]"
  std::string why;

  bool operator==(const RuleHit&) const = default;
};

class RuleSet {
 public:
  /// `place` is the rules' key in settings, such as "policy.rules".
  static Result<RuleSet> compile(const std::vector<Rule>& rules, std::string place);

  /// Finds a deny pattern in an argument of the call, whatever its spelling. A command line is searched in every loose
  /// reading, and denied if it is too long to search. An absent argument is empty.
  std::optional<RuleHit> deny(const Call& call) const;

  /// Finds an allow pattern that matches a whole argument in all its spellings. Every parameter that allow patterns
  /// look at must match one; of a tool with a command line that one in any case. A command line must parse, each of its
  /// commands must match as a whole, and none may redirect or hide what it runs. A file with several names matches
  /// nothing, and so does a call that works outside the root, unless a pattern allows that folder.
  std::optional<RuleHit> allow(const Call& call) const;

  /// True if a deny pattern looks at calls like this one.
  bool has_deny(const Call& call) const;

  /// Finds a deny pattern of this tool, on its primary parameter, in a path that another tool has come upon.
  std::optional<RuleHit> deny_path(std::string_view tool, std::string_view path) const;
  bool has_deny(std::string_view tool) const;

  /// The parameters of this tool that patterns name.
  std::set<std::string> parameters_of(std::string_view tool) const;

 private:
  struct Entry {
    std::string tool;
    std::string param;  // empty: the primary one
    std::string id;
    Pattern pattern;
  };
  static const Entry* whole_match(const std::vector<const Entry*>& entries, const Value& value);
  static const Entry* whole_match(const std::vector<const Entry*>& entries, std::string_view text);
  static std::optional<RuleHit> search(const Entry& entry, std::string_view tool, const Value& value,
                                       const std::vector<std::string>& readings);

  std::vector<Entry> deny_;
  std::vector<Entry> allow_;
};

struct Policy {
  Settings settings;
  RuleSet rules;
  RuleSet hard_deny;

  /// Fails on a pattern that RE2 rejects, which `check` would have reported.
  static Result<Policy> make(Settings settings);
};

/// The rules at a place: those of its own key in `channels`, else those of its kind. `mode` also falls back to
/// `policy.mode`; deny_all in any of the three wins.
struct PlaceRules {
  Mode mode = Mode::ask;
  std::optional<std::vector<std::string>> categories = std::nullopt;
  std::optional<std::vector<std::string>> environments = std::nullopt;
  std::string default_environment = {};
  Follow follow = Follow::requester;
  std::string instead = {};
  std::string instructions = {};
  bool triage = false;
};
PlaceRules rules_at(const Place& place, const Settings& settings);

}  // namespace deputy::policy

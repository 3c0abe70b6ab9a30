#include "policy/policy.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "policy/command_line.h"

namespace deputy::policy {

namespace {

using re2::RE2;
using re2::StringPiece;

StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

std::shared_ptr<const RE2> compiled(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  return std::make_shared<const RE2>(text, options);
}

bool is_found_in_reading(const Pattern& pattern, const std::string& reading) {
  if (pattern.is_found_in(reading)) return true;
  if (!pattern.may_be_anchored()) return false;
  // `^rm` refers to a command, and `sudo rm` or `/bin/rm` runs it too.
  return std::ranges::any_of(possible_starts(reading), [&](std::size_t start) {
    return pattern.is_found_at_start_of(std::string_view(reading).substr(start));
  });
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view text) {
  Pattern pattern;
  pattern.text_ = text;
  pattern.whole_ = compiled(pattern.text_);
  if (!pattern.whole_->ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is not a valid pattern: {}", cut_with_mark(text, 80), pattern.whole_->error()),
                "patterns are RE2: no look-around, no back-references");
  }
  // Both flags only add matches, and RE2 has no negation around them.
  pattern.search_ = compiled("(?sm)" + pattern.text_);
  if (!pattern.search_->ok()) {
    return fail(ErrorKind::invalid_input, fmt::format("the pattern `{}` is too large", cut_with_mark(text, 80)));
  }
  pattern.may_be_anchored_ = text.find('^') != std::string_view::npos || text.find("\\A") != std::string_view::npos;
  return pattern;
}

bool Pattern::matches_whole(std::string_view value) const {
  return whole_->Match(piece(value), 0, value.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

bool Pattern::is_found_in(std::string_view value) const {
  return search_->Match(piece(value), 0, value.size(), RE2::UNANCHORED, nullptr, 0);
}

bool Pattern::is_found_at_start_of(std::string_view value) const {
  return search_->Match(piece(value), 0, value.size(), RE2::ANCHOR_START, nullptr, 0);
}

Result<RuleSet> RuleSet::compile(const std::vector<Rule>& rules, std::string place) {
  RuleSet compiled;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto add = [&](const std::vector<std::string>& patterns, std::string_view key,
                         std::vector<Entry>& into) -> Result<> {
      for (std::size_t j = 0; j < patterns.size(); ++j) {
        TRY(Pattern pattern, Pattern::compile(patterns[j]));
        into.push_back({rules[i].tool, fmt::format("{}[{}].{}[{}]", place, i, key, j), std::move(pattern)});
      }
      return {};
    };
    TRY(add(rules[i].deny, "deny", compiled.deny_));
    TRY(add(rules[i].allow, "allow", compiled.allow_));
  }
  return compiled;
}

std::vector<const RuleSet::Entry*> RuleSet::of(const std::vector<Entry>& entries, std::string_view tool) const {
  std::vector<const Entry*> found;
  for (const Entry& entry : entries) {
    if (entry.tool == tool) found.push_back(&entry);
  }
  return found;
}

bool RuleSet::has_deny(std::string_view tool) const {
  return std::ranges::any_of(deny_, [&](const Entry& entry) { return entry.tool == tool; });
}

std::optional<RuleHit> RuleSet::deny(std::string_view tool, std::string_view value, ValueKind kind) const {
  const std::vector<const Entry*> entries = of(deny_, tool);
  if (entries.empty()) return std::nullopt;
  if (kind == ValueKind::command_line && value.size() > kMaxCommandLine) {
    return RuleHit{entries.front()->id,
                   fmt::format("the command line is longer than {} bytes, too long to check against deny patterns; "
                               "split it",
                               kMaxCommandLine)};
  }
  std::vector<std::string> readings{to_valid_utf8(std::string(value))};
  if (kind == ValueKind::command_line) {
    for (std::string& reading : loose_readings(value)) readings.push_back(std::move(reading));
  }
  for (const Entry* entry : entries) {
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const bool is_raw = i == 0;
      if (is_raw ? entry->pattern.is_found_in(readings[i]) : is_found_in_reading(entry->pattern, readings[i])) {
        return RuleHit{entry->id,
                       fmt::format("`{}` is refused for {}", cut_with_mark(entry->pattern.text(), 80), tool)};
      }
    }
  }
  return std::nullopt;
}

const RuleSet::Entry* RuleSet::whole_match(const std::vector<const Entry*>& entries, std::string_view value) {
  const auto found =
      std::ranges::find_if(entries, [&](const Entry* entry) { return entry->pattern.matches_whole(value); });
  return found == entries.end() ? nullptr : *found;
}

std::optional<RuleHit> RuleSet::allow(std::string_view tool, std::string_view value, ValueKind kind) const {
  const std::vector<const Entry*> entries = of(allow_, tool);
  if (entries.empty()) return std::nullopt;
  const Entry* matched = nullptr;
  if (kind == ValueKind::plain) {
    matched = whole_match(entries, value);
  } else if (const auto commands = parse_command_line(value)) {
    for (const Command& command : *commands) {
      matched = command.redirects ? nullptr : whole_match(entries, command.text);
      if (matched == nullptr) break;
    }
  }
  if (matched == nullptr) return std::nullopt;
  return RuleHit{matched->id, fmt::format("`{}` is allowed for {}", cut_with_mark(matched->pattern.text(), 80), tool)};
}

Result<Policy> Policy::make(Settings settings) {
  TRY(RuleSet rules, RuleSet::compile(settings.policy.rules, "policy.rules"));
  TRY(RuleSet hard_deny, RuleSet::compile(settings.policy.hard_deny, "policy.hard_deny"));
  return Policy{std::move(settings), std::move(rules), std::move(hard_deny)};
}

PlaceRules rules_at(const Place& place, const Settings& settings) {
  PlaceRules rules;
  rules.mode = settings.policy.mode;
  bool denies_all = rules.mode == Mode::deny_all;
  const auto apply = [&](const std::string& key) {
    const auto found = settings.channels.find(key);
    if (key.empty() || found == settings.channels.end()) return;
    const ChannelRules& channel = found->second;
    rules.mode = channel.mode.value_or(rules.mode);
    denies_all = denies_all || rules.mode == Mode::deny_all;
    if (channel.categories) rules.categories = channel.categories;
    if (channel.environments) rules.environments = channel.environments;
    if (!channel.default_environment.empty()) rules.default_environment = channel.default_environment;
    rules.follow = channel.follow.value_or(rules.follow);
    if (!channel.instead.empty()) rules.instead = channel.instead;
  };
  apply(place.channel);
  apply(place.id);
  if (denies_all) rules.mode = Mode::deny_all;
  return rules;
}

}  // namespace deputy::policy

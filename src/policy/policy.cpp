#include "policy/policy.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "base/command_line.h"
#include "base/text.h"
#include "policy/loose_readings.h"

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

bool is_root(const Value& place) { return place.text == "." && place.also.empty(); }

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
        into.push_back(
            {rules[i].tool, rules[i].param, fmt::format("{}[{}].{}[{}]", place, i, key, j), std::move(pattern)});
      }
      return {};
    };
    TRY(add(rules[i].deny, "deny", compiled.deny_));
    TRY(add(rules[i].allow, "allow", compiled.allow_));
  }
  return compiled;
}

bool RuleSet::has_deny(std::string_view tool) const {
  return std::ranges::any_of(deny_, [&](const Entry& entry) { return entry.tool == tool; });
}

bool RuleSet::has_deny(const Call& call) const {
  return has_deny(call.tool) || (!call.path_rules_of.empty() && has_deny(call.path_rules_of));
}

std::set<std::string> RuleSet::parameters_of(std::string_view tool) const {
  std::set<std::string> named;
  for (const std::vector<Entry>* entries : {&deny_, &allow_}) {
    for (const Entry& entry : *entries) {
      if (entry.tool == tool && !entry.param.empty()) named.insert(entry.param);
    }
  }
  return named;
}

std::optional<RuleHit> RuleSet::search(const Entry& entry, std::string_view tool, const Value& value,
                                       const std::vector<std::string>& readings) {
  const auto refused = [&] {
    return RuleHit{entry.id, fmt::format("`{}` is refused for {}", cut_with_mark(entry.pattern.text(), 80), tool)};
  };
  if (entry.pattern.is_found_in(to_valid_utf8(value.text))) return refused();
  for (const std::string& other : value.also) {
    if (entry.pattern.is_found_in(to_valid_utf8(other))) return refused();
  }
  if (value.kind != ValueKind::command_line) return std::nullopt;
  if (value.text.size() > kMaxCommandLine) {
    return RuleHit{entry.id,
                   fmt::format("the command line is longer than {} bytes, too long to check against deny patterns; "
                               "split it",
                               kMaxCommandLine)};
  }
  for (const std::string& reading : readings) {
    if (is_found_in_reading(entry.pattern, reading)) return refused();
  }
  return std::nullopt;
}

std::optional<RuleHit> RuleSet::deny(const Call& call) const {
  std::vector<std::string> readings;  // of the one command line that a call can have
  for (const auto& [parameter, value] : call.values) {
    if (value.kind == ValueKind::command_line && value.text.size() <= kMaxCommandLine && has_deny(call.tool))
      readings = loose_readings(value.text);
  }
  for (const Entry& entry : deny_) {
    if (entry.tool == call.tool) {
      const auto value = call.values.find(entry.param.empty() ? call.primary : entry.param);
      if (auto hit = search(entry, call.tool, value == call.values.end() ? Value{} : value->second, readings))
        return hit;
    }
    if (entry.tool != call.path_rules_of || !entry.param.empty()) continue;
    for (const auto& [parameter, value] : call.values) {
      if (value.kind != ValueKind::path || value.text == ".") continue;  // the root is no file that is read
      if (auto hit = search(entry, entry.tool, value, {})) return hit;
    }
  }
  return std::nullopt;
}

std::optional<RuleHit> RuleSet::deny_path(std::string_view tool, std::string_view path) const {
  Call call;
  call.tool = tool;
  call.primary = "path";
  call.values["path"] = {std::string(path), ValueKind::path};
  return deny(call);
}

const RuleSet::Entry* RuleSet::whole_match(const std::vector<const Entry*>& entries, std::string_view text) {
  const auto found =
      std::ranges::find_if(entries, [&](const Entry* entry) { return entry->pattern.matches_whole(text); });
  return found == entries.end() ? nullptr : *found;
}

const RuleSet::Entry* RuleSet::whole_match(const std::vector<const Entry*>& entries, const Value& value) {
  if (value.kind != ValueKind::command_line) {
    const bool all_match = std::ranges::all_of(
        value.also, [&](const std::string& other) { return whole_match(entries, other) != nullptr; });
    return all_match ? whole_match(entries, value.text) : nullptr;
  }
  const auto commands = parse_command_line(value.text);
  if (!commands) return nullptr;
  const Entry* matched = nullptr;
  for (const Command& command : *commands) {
    matched = command.redirects || !command.hides.empty() ? nullptr : whole_match(entries, command.text);
    if (matched == nullptr) return nullptr;
  }
  return matched;
}

std::optional<RuleHit> RuleSet::allow(const Call& call) const {
  std::map<std::string, std::vector<const Entry*>> by_parameter;
  for (const Entry& entry : allow_) {
    if (entry.tool == call.tool) by_parameter[entry.param.empty() ? call.primary : entry.param].push_back(&entry);
  }
  const Entry* matched = nullptr;
  for (const auto& [parameter, entries] : by_parameter) {
    const auto value = call.values.find(parameter);
    if (value == call.values.end()) return std::nullopt;
    const bool at_root = parameter == call.place && is_root(value->second);
    const Entry* hit = whole_match(entries, value->second);
    if (hit == nullptr && !at_root) return std::nullopt;
    if (hit != nullptr && (matched == nullptr || parameter == call.primary)) matched = hit;
  }
  if (matched == nullptr) return std::nullopt;
  for (const auto& [parameter, value] : call.values) {
    if (value.several_names) return std::nullopt;
    const bool ruled = by_parameter.contains(parameter);
    if (value.kind == ValueKind::command_line && !ruled) return std::nullopt;
    if (parameter == call.place && !ruled && !is_root(value)) return std::nullopt;
  }
  return RuleHit{matched->id,
                 fmt::format("`{}` is allowed for {}", cut_with_mark(matched->pattern.text(), 80), call.tool)};
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
    if (!channel.instructions.empty()) rules.instructions = channel.instructions;
    rules.triage = channel.triage.value_or(rules.triage);
  };
  apply(place.channel);
  apply(place.id);
  if (denies_all) rules.mode = Mode::deny_all;
  return rules;
}

}  // namespace deputy::policy

#include "policy/check.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "policy/persons.h"
#include "policy/policy.h"

namespace deputy::policy {

namespace {

using Deeper = FieldReader::Deeper;

constexpr std::string_view kHowToName =
    "write a name from `people`, an account id such as T1/U1 or <channel>:42, an e-mail, or a group id";

std::string item(std::size_t i) { return fmt::format("[{}]", i); }

// The known names, built once: settings may refer to them thousands of times.
struct Names {
  explicit Names(std::set<std::string> all)
      : known(std::move(all)), list(known.begin(), known.end()), in_words(list_names(list)) {}

  std::set<std::string> known;
  std::vector<std::string> list;
  std::string in_words;
};

/// The kinds of channels that may have rules.
std::set<std::string> kinds_with_rules(const Known& known) {
  std::set<std::string> kinds = known.channel_kinds;
  kinds.insert(known.later_kinds.begin(), known.later_kinds.end());
  return kinds;
}

std::set<std::string> tool_names(const Known& known) {
  std::set<std::string> names;
  for (const auto& [name, kind] : known.tools) names.insert(name);
  return names;
}

std::set<std::string> categories_and_tools(const Known& known) {
  if (known.categories.empty() || known.tools.empty()) return {};
  std::set<std::string> names = tool_names(known);
  names.insert(known.categories.begin(), known.categories.end());
  return names;
}

class Checker {
 public:
  Checker(const Settings& settings, const Known& known, FieldReader& reader)
      : settings_(settings),
        known_(known),
        reader_(reader),
        environments_(known.environments),
        categories_(known.categories),
        channel_kinds_(known.channel_kinds),
        ruled_kinds_(kinds_with_rules(known)),
        tools_(tool_names(known)),
        approvable_(categories_and_tools(known)),
        people_are_read_(reader.clean_in({"people"})),
        roles_are_read_(reader.clean_in({"roles"})) {}

  void people() {
    const Deeper inside(reader_, "people");
    std::map<std::string, std::string> taken;  // account or e-mail to the name that uses it
    for (const auto& [name, person] : settings_.people) {
      const Deeper here(reader_, name);
      check_own_name(name);
      if (is_built_in_role(name) || settings_.roles.contains(name))
        reader_.problem(fmt::format("`{}` is also the name of a role", name), "give people and roles different names");
      if (!person.email.empty()) {
        const Deeper email(reader_, "email");
        if (spelling_of(person.email) != Spelling::email) reader_.problem("this is not an e-mail address");
        take(to_lower(person.email), name, taken);
      }
      for (const auto& [channel, id] : person.accounts) {
        const Deeper account(reader_, channel);
        check_known(channel, channel_kinds_, "channel");
        const std::string key = Account{channel, id}.key();
        if (spelling_of(key) != Spelling::id_with_channel)
          reader_.problem(fmt::format("`{}` is not an account id", cut_with_mark(id, 60)), "display names are not ids");
        take(key, name, taken);
      }
    }
  }

  void roles() {
    const Deeper inside(reader_, "roles");
    for (const auto& [name, role] : settings_.roles) {
      const Deeper here(reader_, name);
      check_own_name(name);
      if (is_built_in_role(name) && (!role.may.empty() || role.environments || !role.approve.empty()))
        reader_.problem(fmt::format("`{}` is built in and cannot be redefined", name),
                        "it takes people and groups only; write a role of your own for other rights");
      check_members(role.people, "people", RoleNames::refused);
      check_groups(role.groups, "groups");
      check_each(role.may, "may", categories_, "category");
      if (role.environments) check_each(*role.environments, "environments", environments_, "environment");
      check_each(role.approve, "approve", approvable_, "category or tool");
    }
  }

  void access() {
    const Deeper inside(reader_, "access");
    if (settings_.access.people) check_members(*settings_.access.people, "people", RoleNames::refused);
    if (settings_.access.groups) check_groups(*settings_.access.groups, "groups");
    check_members(settings_.access.bots, "bots", RoleNames::refused);
  }

  void policy() {
    const Deeper inside(reader_, "policy");
    {
      const Deeper here(reader_, "approvers");
      for (const auto& [key, list] : settings_.policy.approvers) {
        check_known(key, approvable_, "category or tool");
        check_members(list, key, RoleNames::count);
      }
    }
    check_each(settings_.policy.allowlist, "allowlist", tools_, "tool");
    check_rules(settings_.policy.rules, "rules");
    check_rules(settings_.policy.hard_deny, "hard_deny");
    for (std::size_t i = 0; i < settings_.policy.hard_deny.size(); ++i) {
      const Deeper list(reader_, "hard_deny");
      const Deeper here(reader_, item(i));
      if (!settings_.policy.hard_deny[i].allow.empty()) reader_.problem("a hard deny rule allows nothing");
      if (settings_.policy.hard_deny[i].deny.empty()) reader_.problem("a hard deny rule needs deny patterns");
    }
  }

  void channels() {
    const Deeper inside(reader_, "channels");
    for (const auto& [id, channel] : settings_.channels) {
      const Deeper here(reader_, id);
      check_channel_key(id);
      if (!channel.alert_channel.empty() && !channel_kinds_.known.empty() && !ruled_kinds_.known.contains(id)) {
        const Deeper field(reader_, "alert_channel");
        reader_.problem("only a channel kind has an alert channel",
                        "write it under the kind, such as `channels.slack`");
      }
      if (channel.categories) check_each(*channel.categories, "categories", categories_, "category");
      if (channel.environments) check_each(*channel.environments, "environments", environments_, "environment");
      if (channel.default_environment.empty()) continue;
      const Deeper field(reader_, "default_environment");
      check_known(channel.default_environment, environments_, "environment");
    }
  }

 private:
  enum class RoleNames { refused, count };

  void take(const std::string& what, const std::string& name, std::map<std::string, std::string>& taken) {
    const auto [at, is_new] = taken.emplace(what, name);
    if (!is_new) reader_.problem(fmt::format("`{}` already belongs to `{}`", what, at->second));
  }

  // Names are spelt differently from ids and groups, so they cannot collide.
  void check_own_name(const std::string& name) {
    if (spelling_of(name) == Spelling::name) return;
    reader_.problem(
        fmt::format("`{}` cannot be a name", cut_with_mark(name, 60)),
        "names are lower-case letters, digits, `_`, `-` and `.`, so that they never look like an id or a group");
  }

  void check_known(const std::string& word, const Names& names, std::string_view noun) {
    if (names.known.empty() || names.known.contains(word)) return;
    const std::string_view near = reader_.suggest(word, names.list);
    reader_.problem(fmt::format("there is no {} `{}`", noun, cut_with_mark(word, 60)),
                    near.empty() ? "it may be one of " + names.in_words : fmt::format("did you mean `{}`?", near));
  }

  // Rules apply to a place whose kind or id equals the key. Any other key would silently apply nowhere.
  void check_channel_key(const std::string& key) {
    const Spelling spelling = spelling_of(key);
    const bool is_id = spelling == Spelling::id || spelling == Spelling::bare_number;
    if (is_id || channel_kinds_.known.empty() || ruled_kinds_.known.contains(key)) return;
    const std::string_view near = reader_.suggest(key, ruled_kinds_.list);
    std::string message = fmt::format("there is no channel `{}`", cut_with_mark(key, 60));
    if (!near.empty()) message += fmt::format("; did you mean `{}`?", near);
    reader_.problem(std::move(message),
                    fmt::format("write a kind of channel, {}, or the platform's id of one, such as C1 or 42",
                                ruled_kinds_.in_words));
  }

  void check_each(const std::vector<std::string>& words, std::string_view key, const Names& known,
                  std::string_view noun) {
    const Deeper list(reader_, key);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Deeper here(reader_, item(i));
      check_known(words[i], known, noun);
    }
  }

  void check_members(const std::vector<std::string>& entries, std::string_view key, RoleNames roles) {
    const Deeper list(reader_, key);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Deeper here(reader_, item(i));
      check_member(entries[i], roles);
    }
  }

  void check_member(const std::string& entry, RoleNames roles) {
    const std::string shown = cut_with_mark(entry, 60);
    switch (spelling_of(entry)) {
      case Spelling::email:
      case Spelling::id:
      case Spelling::id_with_channel:
        return;
      case Spelling::bare_number:
        reader_.problem(fmt::format("`{}` might be an id of several channels", shown),
                        "write the channel kind before it, as <channel>:42");
        return;
      case Spelling::display_name:
        reader_.problem(fmt::format("`{}` is a display name, which anyone can take", shown), std::string(kHowToName));
        return;
      case Spelling::name:
        break;
    }
    if (settings_.people.contains(entry)) return;
    if (roles == RoleNames::count && (is_built_in_role(entry) || settings_.roles.contains(entry))) return;
    // The name may be in a part that could not be read; that is reported already.
    if (!people_are_read_ || (roles == RoleNames::count && !roles_are_read_)) return;
    reader_.problem(roles == RoleNames::count ? fmt::format("there is no person or role `{}`", shown)
                                              : fmt::format("there is no person `{}`", shown),
                    std::string(kHowToName));
  }

  void check_groups(const std::vector<std::string>& groups, std::string_view key) {
    const Deeper list(reader_, key);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Deeper here(reader_, item(i));
      const Spelling spelling = spelling_of(groups[i]);
      if (spelling == Spelling::id || spelling == Spelling::id_with_channel) continue;
      reader_.problem(fmt::format("`{}` is not a group id", cut_with_mark(groups[i], 60)),
                      "write the platform's id such as S1, or <channel>:123 where it is digits alone");
    }
  }

  void check_rules(const std::vector<Rule>& rules, std::string_view key) {
    const Deeper list(reader_, key);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const Deeper here(reader_, item(i));
      if (!rules[i].tool.empty()) check_known(rules[i].tool, tools_, "tool");  // else it is reported as missing
      if (!rules[i].param.empty()) check_param(rules[i]);
      const bool deny_compiles = check_patterns(rules[i].deny, "deny");
      const bool compiles = check_patterns(rules[i].allow, "allow") && deny_compiles;
      if (compiles) check_examples(rules[i]);
    }
  }

  void check_param(const Rule& rule) {
    const auto known = known_.parameters.find(rule.tool);
    if (known == known_.parameters.end()) return;
    const Deeper here(reader_, "param");
    check_known(rule.param, Names(known->second), "parameter");
  }

  bool check_patterns(const std::vector<std::string>& patterns, std::string_view key) {
    const Deeper list(reader_, key);
    bool all_compile = true;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const Deeper here(reader_, item(i));
      const Result<Pattern> pattern = Pattern::compile(patterns[i]);
      if (pattern) continue;
      reader_.problem(pattern.error().message, pattern.error().hint);
      all_compile = false;
    }
    return all_compile;
  }

  void check_examples(const Rule& rule) {
    const Result<RuleSet> compiled = RuleSet::compile({rule}, "rule");
    if (!compiled) return;
    const auto known = known_.tools.find(rule.tool);
    const bool is_primary = known != known_.tools.end() && rule.param.empty();
    const ValueKind kind = is_primary ? known->second : ValueKind::plain;
    const auto speaks = [&](const std::string& value) {
      Call call;
      call.tool = rule.tool;
      call.primary = rule.param;
      call.values[rule.param] = {value, kind};
      return compiled->deny(call) || compiled->allow(call);
    };
    const Deeper examples(reader_, "examples");
    const auto check_all = [&](const std::vector<std::string>& values, std::string_view key, bool should) {
      const Deeper list(reader_, key);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Deeper here(reader_, item(i));
        if (speaks(values[i]) == should) continue;
        reader_.problem(
            fmt::format("the rule {} `{}`", should ? "does not match" : "matches", cut_with_mark(values[i], 80)),
            "correct the patterns or the example; allow patterns match the whole value");
      }
    };
    check_all(rule.examples.match, "match", true);
    check_all(rule.examples.not_match, "not_match", false);
  }

  const Settings& settings_;
  const Known& known_;
  FieldReader& reader_;
  const Names environments_;
  const Names categories_;
  const Names channel_kinds_;
  const Names ruled_kinds_;
  const Names tools_;
  const Names approvable_;
  const bool people_are_read_;
  const bool roles_are_read_;
};

}  // namespace

void check(const Settings& settings, const Known& known, FieldReader& reader) {
  Checker checker(settings, known, reader);
  checker.people();
  checker.roles();
  checker.access();
  checker.policy();
  checker.channels();
}

}  // namespace deputy::policy

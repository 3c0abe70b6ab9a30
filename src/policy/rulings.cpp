#include "policy/rulings.h"

#include <fmt/format.h>

#include <tuple>

#include "base/command_line.h"
#include "base/text.h"
#include "policy/access.h"
#include "policy/approvers.h"
#include "policy/persons.h"

namespace deputy::policy {

namespace {

using Spoken = std::optional<Ruling>;

Ruling allow(std::string rule, std::string words) { return {RulingKind::allow, std::move(rule), std::move(words)}; }
Ruling ask(std::string rule, std::string words) { return {RulingKind::ask, std::move(rule), std::move(words)}; }
Ruling deny(std::string rule, std::string words) { return {RulingKind::deny, std::move(rule), std::move(words)}; }

/// One call, asked for by one person.
class Judgement {
 public:
  Judgement(const Policy& policy, const Call& call, const RulingContext& situation, const Identity& asker)
      : policy_(policy),
        settings_(policy.settings),
        call_(call),
        situation_(situation),
        asker_(asker),
        person_(person_of(asker, settings_)),
        here_(rules_at(situation.place, settings_)) {}

  Ruling in_order() const {
    if (Spoken hard = by_hard_deny()) return *hard;
    if (call_.talk_tool) return of_talk_tool();
    for (const auto step :
         {&Judgement::by_deny_all, &Judgement::by_channel, &Judgement::by_permission, &Judgement::by_deny_patterns,
          &Judgement::by_always_ask, &Judgement::by_service, &Judgement::by_grants, &Judgement::by_allow_patterns,
          &Judgement::by_unreadable, &Judgement::by_allowlist}) {
      if (Spoken spoken = (this->*step)()) return *spoken;
    }
    return by_mode();
  }

 private:
  Spoken by_hard_deny() const {
    if (call_.never) return deny("hard_deny", *call_.never);
    if (const auto hit = policy_.hard_deny.deny(call_)) return deny(hit->rule, hit->why);
    return std::nullopt;
  }

  Ruling of_talk_tool() const {
    if (Spoken denied = by_deny_patterns()) return *denied;
    return allow("talk_tool", "talking to people is always allowed");
  }

  Spoken by_deny_all() const {
    if (here_.mode != Mode::deny_all) return std::nullopt;
    return deny("mode.deny_all", "no tool runs here: the policy mode is deny_all");
  }

  Spoken by_channel() const {
    if (Spoken off = by_categories(call_, situation_.place, here_)) return off;
    if (!holds_environment(here_.environments, call_.environment))
      return deny("channel.environments", fmt::format("this channel may not work on {}", environment()));
    return std::nullopt;
  }

  Spoken by_permission() const {
    // A run may outlive its requester's access.
    if (const auto access = who_may_speak(asker_, situation_.place.open_to, settings_); !access)
      return deny("access", fmt::format("{} has no access: {}", person_.id, access.error().message));
    if (person_.kind == PersonKind::bot && call_.effect != Effect::read)
      return deny("access.bots", "bots may use read tools only");
    if (may_use(person_, call_.category, call_.environment, settings_)) return std::nullopt;
    return deny("roles", call_.environment
                             ? fmt::format("{} may not use {} on {}", person_.id, call_.category, environment())
                             : fmt::format("{} may not use {}", person_.id, call_.category));
  }

  Spoken by_deny_patterns() const {
    const auto hit = policy_.rules.deny(call_);
    return hit ? Spoken(deny(hit->rule, hit->why)) : std::nullopt;
  }

  Spoken by_service() const {
    if (person_.kind != PersonKind::service || call_.effect == Effect::read) return std::nullopt;
    return ask("service", "no person asked for this, so a person has to approve it");
  }

  Spoken by_always_ask() const {
    if (situation_.suspicious && call_.effect != Effect::read)
      return ask("suspicious", "the request looks suspicious, so every write needs approval");
    if (situation_.after_unknown)
      return ask("after_unknown",
                 "the same call was made here before and may have happened; check before doing it again");
    if (call_.always_ask)
      return ask("always_ask",
                 call_.why_write.empty() ? fmt::format("{} needs approval every time", call_.tool) : call_.why_write);
    return std::nullopt;
  }

  Spoken by_grants() const {
    if (person_.kind != PersonKind::human || takes_two_persons(situation_.suspicious, settings_)) return std::nullopt;
    for (const auto& [grant, giver] : situation_.grants) {
      if (!covers(grant, call_, situation_.conversation, person_.id, situation_.now)) continue;
      if (person_of(giver, settings_).id != grant.by || !has_right(giver)) continue;
      Ruling ruling = allow("grant", fmt::format("allowed by a grant from {}", grant.by));
      ruling.grant = grant.id;
      return ruling;
    }
    return std::nullopt;
  }

  Spoken by_allow_patterns() const {
    const auto hit = policy_.rules.allow(call_);
    return hit ? Spoken(allow(hit->rule, hit->why)) : std::nullopt;
  }

  /// Deny patterns cannot tell what hides in a line that does not parse, behind a command that runs others, or behind
  /// another name of a file. So only a person may allow it.
  Spoken by_unreadable() const {
    if (!policy_.rules.has_deny(call_) && !policy_.hard_deny.has_deny(call_)) return std::nullopt;
    const bool has_own = policy_.rules.has_deny(call_.tool) || policy_.hard_deny.has_deny(call_.tool);
    for (const auto& [parameter, value] : call_.values) {
      if (value.several_names)
        return ask("unreadable", fmt::format("`{}` is one of several names of a file (hard links), so rules on paths "
                                             "cannot tell which file it is",
                                             cut_with_mark(value.text, 200)));
      // Rules on paths say nothing about a command line.
      if (value.kind != ValueKind::command_line || !has_own) continue;
      const auto commands = parse_command_line(value.text);
      if (!commands) return ask("unreadable", commands.error().message);
      for (const Command& command : *commands) {
        if (!command.hides.empty()) return ask("unreadable", command.hides);
      }
    }
    return std::nullopt;
  }

  Spoken by_allowlist() const {
    if (here_.mode != Mode::allowlist || !contains(settings_.policy.allowlist, call_.tool)) return std::nullopt;
    return allow("policy.allowlist", fmt::format("{} is on the allowlist", call_.tool));
  }

  Ruling by_mode() const {
    if (here_.mode == Mode::allow_all) return allow("mode.allow_all", "the policy mode is allow_all");
    if (here_.mode == Mode::ask && call_.effect == Effect::read) return allow("mode.ask", "it only reads");
    if (situation_.auto_confirm && is_own_surface()) return allow("auto_confirm", "auto_confirm is on");
    // Turning off the questions answers them in advance, so it needs someone with the right to answer.
    if (situation_.stop_asking && situation_.place.kind == PlaceKind::terminal && has_right(asker_))
      return allow("stop_asking", "asking is switched off in this terminal");
    if (here_.mode == Mode::allowlist)
      return ask("mode.allowlist", fmt::format("{} is not on the allowlist", call_.tool));
    return ask("mode.ask", call_.why_write.empty() ? fmt::format("{} changes something", call_.tool) : call_.why_write);
  }

  bool has_right(const Identity& identity) const {
    if (!who_may_speak(identity, situation_.place.open_to, settings_)) return false;
    const ApprovalRequest approval{call_, situation_.askers, situation_.suspicious};
    return has_right_to_approve(identity, situation_.place, approval, settings_).has_value();
  }

  bool is_own_surface() const {
    return situation_.place.kind == PlaceKind::terminal || situation_.place.kind == PlaceKind::own;
  }

  std::string environment() const {
    return call_.environment.value_or("").empty() ? "an unnamed environment" : *call_.environment;
  }

  const Policy& policy_;
  const Settings& settings_;
  const Call& call_;
  const RulingContext& situation_;
  const Identity& asker_;
  Person person_;
  PlaceRules here_;
};

Ruling answerable(Ruling ruling, const Policy& policy, const Call& call, const RulingContext& situation) {
  if (ruling.say != RulingKind::ask) return ruling;
  const auto can =
      someone_may_approve(situation.place, {call, situation.askers, situation.suspicious}, policy.settings);
  if (can) return ruling;
  return deny("policy.approvers", fmt::format("{}; {}", can.error().message, can.error().hint));
}

}  // namespace

Ruling judge(const Policy& policy, const Call& call, const RulingContext& situation) {
  if (call.talk_tool && call.tool == kAskUser) return allow("talk_tool", "asking a person is always allowed");
  if (situation.askers.empty()) return deny("nobody", "it is unknown who asked for this call");
  const auto ruled_for = [&](const Identity& asker) { return Judgement(policy, call, situation, asker).in_order(); };
  Ruling strictest = ruled_for(situation.askers.front());
  for (std::size_t i = 1; i < situation.askers.size(); ++i) {
    strictest = stricter(strictest, ruled_for(situation.askers[i]));
  }
  return answerable(std::move(strictest), policy, call, situation);
}

std::optional<Ruling> by_categories(const Call& call, const Place& place, const PlaceRules& here) {
  const bool is_on_unlisted = !call.off_until_listed || place.kind == PlaceKind::terminal;
  const bool is_on = here.categories ? contains(*here.categories, call.category) : is_on_unlisted;
  if (call.talk_tool || is_on) return std::nullopt;
  return deny("channel.categories", fmt::format("`{}` may not be used in this channel until channels.{}.categories "
                                                "lists {}",
                                                call.tool, place.id.empty() ? place.channel : place.id, call.category));
}

Ruling stricter(const Ruling& a, const Ruling& b) {
  if (a.say != b.say) return a.say > b.say ? a : b;
  return std::tie(a.rule, a.words, a.grant) <= std::tie(b.rule, b.words, b.grant) ? a : b;
}

Ruling with_approval(Ruling ruling) {
  if (ruling.say != RulingKind::ask) return ruling;
  return allow("approved", "a person approved it: " + ruling.words);
}

}  // namespace deputy::policy

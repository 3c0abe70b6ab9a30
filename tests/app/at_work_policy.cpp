// Who may do what: people, roles, access, policy, channels, questions, grants.
#include "app/at_work.h"
#include "policy/access.h"
#include "policy/check.h"
#include "policy/grants.h"
#include "policy/persons.h"
#include "run/journal/stored_rows.h"
#include "run/prompt/enrich.h"
#include "run/prompt/prompt.h"

namespace deputy::app::test {

namespace {

using See = std::function<std::string(const World&)>;

const policy::Settings& settings_of(const World& world) { return world.rules->policy.settings; }

// A write asks only where somebody could answer.
const std::string kBoApproves = "approvers: {service_tools: [T1/U2], doc_tools: [T1/U2]}";

std::string who_ana_is(const World& world) { return person_of(ana(), settings_of(world)).id; }

See may_speak(const policy::Identity& identity, const policy::Place& place) {
  return [=](const World& world) { return yes_or_no(policy::may_speak(identity, place, settings_of(world))); };
}

See ruling_of(run::CallRequested wish) {
  return [wish = std::move(wish)](const World& world) { return ruling(world, wish); };
}

policy::Place direct_message() { return {"slack", "D1", policy::PlaceKind::direct, false, policy::OpenTo::members}; }

policy::Place shared_channel() {
  policy::Place place = channel();
  place.external = true;
  return place;
}

policy::Identity bot() {
  policy::Identity identity{{"slack", "T1/B1"}, policy::AccountKind::member};
  identity.bot = true;
  return identity;
}

policy::ApprovalRequest restart_of_ana(const World& world) {
  const auto prepared = run::prepare(restart(), world.registry, *world.rules, channel());
  return prepared ? policy::ApprovalRequest{prepared->call, {ana()}} : policy::ApprovalRequest{};
}

See may_approve(const policy::Identity& identity) {
  return [=](const World& world) {
    return yes_or_no(policy::may_approve(identity, channel(), restart_of_ana(world), settings_of(world)));
  };
}

// How many examples a file's own rules break.
std::string problems(const World& world) {
  FieldReader reader(FieldReader::Scalars::text, "setting");
  policy::check(world.settings.for_policy(), {}, reader);
  return std::to_string(reader.problems_found());
}

std::string environment_of_search(const World& world) {
  const auto prepared = run::prepare(search("checkout", ""), world.registry, *world.rules, channel());
  const json::value* environment = prepared ? prepared->arguments.if_contains("environment") : nullptr;
  return environment != nullptr && environment->is_string() ? std::string(as_view(environment->get_string())) : "none";
}

std::string follow(const World& world) {
  const policy::Follow follow = rules_at(channel(), settings_of(world)).follow;
  for (const auto& [choice, word] : choices_of(policy::Follow{})) {
    if (choice == follow) return std::string(word);
  }
  return "";
}

std::string context_here(const World& world) {
  run::Received received;
  received.text = "hello";
  received.place = run::write_place(channel());
  const auto enriched = run::enrich(received, {}, {}, {}, *world.rules, kNow, redact::Redactor("salt"));
  return enriched.context.contains("[Requests belong in C2: say so]") ? "sent to C2" : "answered here";
}

std::string prompt_here(const World& world) {
  run::Received received;
  received.place = run::write_place(channel());
  const run::Prompt prompt = run::Prompts().make(received, toolkit::Registry(), *world.rules);
  return prompt.system.contains("Name the runbook.") ? "told" : "not told";
}

std::string triage(const World& world) { return rules_at(channel(), settings_of(world)).triage ? "yes" : "no"; }

std::string may_bo_answer(const World& world) {
  return yes_or_no(policy::may_answer_question(bo(), channel(), ana(), settings_of(world)));
}

See grant_of_bo(std::function<std::string(const policy::Grant&)> see) {
  return [see = std::move(see)](const World& world) -> std::string {
    const auto grant = grant_from(restart_of_ana(world), {GrantId{}, "slack:T1:C1:1", bo(), kNow}, settings_of(world));
    return grant ? see(*grant) : describe(grant.error());
  };
}

std::string uses(const policy::Grant& grant) { return std::to_string(grant.max_uses.value_or(0)); }
std::string lasts(const policy::Grant& grant) { return format_duration(grant.ends_at - kNow); }

std::string policy_of(std::string_view rest) { return "policy: {" + kBoApproves + ", " + std::string(rest) + "}"; }

// The same for `rules` and `hard_deny`, which are both lists of rules.
std::vector<AtWork> rule_rows(const std::string& list) {
  const std::string path = "policy." + list;
  const See search_now = ruling_of(search("all passwords"));
  const auto rule = [&](std::string_view text) { return policy_of(list + ": [{" + std::string(text) + "}]"); };
  const std::string examples = "tool: search_notes, deny: [passwords], examples: ";
  return {
      {path, "policy: {}", rule("tool: search_notes, deny: [passwords]"), search_now, "allow", "deny"},
      {path + "[].tool", rule("tool: other, deny: [passwords]"), rule("tool: search_notes, deny: [passwords]"),
       search_now, "allow", "deny"},
      {path + "[].deny", rule("tool: search_notes, deny: [keys]"), rule("tool: search_notes, deny: [keys, passwords]"),
       search_now, "allow", "deny"},
      {path + "[].param", rule("tool: search_notes, param: environment, deny: [passwords]"),
       rule("tool: search_notes, param: query, deny: [passwords]"), search_now, "allow", "deny"},
      {path + "[].examples.match", rule(examples + "{match: [passwords]}"), rule(examples + "{match: [keys]}"),
       problems, "0", "1"},
      {path + "[].examples.not_match", rule(examples + "{not_match: [keys]}"),
       rule(examples + "{not_match: [passwords]}"), problems, "0", "1"},
  };
}

}  // namespace

std::vector<AtWork> policy_at_work() {
  const See search_now = ruling_of(search());
  const See restart_now = ruling_of(restart());
  std::vector<AtWork> rows{
      {"people.<name>.email", "people: {ana: {}}", "people: {ana: {email: ana@example.com}}", who_ana_is, "slack:T1/U1",
       "ana"},
      {"people.<name>.<channel>", "people: {ana: {}}", "people: {ana: {slack: T1/U1}}", who_ana_is, "slack:T1/U1",
       "ana"},

      {"roles.<name>.people", "roles: {oncall: {may: [log_tools]}}",
       "roles: {oncall: {may: [log_tools], people: [T1/U1]}}", search_now, "allow", "deny"},
      {"roles.<name>.groups", "roles: {oncall: {may: [log_tools]}}",
       "roles: {oncall: {may: [log_tools], groups: [S1]}}", search_now, "allow", "deny"},
      {"roles.<name>.may", "roles: {oncall: {people: [T1/U1]}}", "roles: {oncall: {people: [T1/U1], may: [doc_tools]}}",
       search_now, "deny", "allow"},
      {"roles.<name>.environments", "roles: {oncall: {people: [T1/U1], may: [doc_tools]}}",
       "roles: {oncall: {people: [T1/U1], may: [doc_tools], environments: [staging]}}", search_now, "allow", "deny"},
      {"roles.<name>.approve", "roles: {oncall: {people: [T1/U2], may: [service_tools]}}",
       "roles: {oncall: {people: [T1/U2], may: [service_tools], approve: [service_tools]}}", may_approve(bo()), "no",
       "yes"},

      {"access.people", "access: {}", "access: {people: [T1/U2]}", may_speak(ana(), channel()), "yes", "no"},
      {"access.groups", "access: {}", "access: {groups: [S2]}", may_speak(ana(), channel()), "yes", "no"},
      {"access.channels", "access: {}", "access: {channels: [C2]}", may_speak(ana(), channel()), "yes", "no"},
      {"access.direct_messages", "access: {}", "access: {direct_messages: false}", may_speak(ana(), direct_message()),
       "yes", "no"},
      {"access.external", "access: {}", "access: {external: [C1]}", may_speak(ana(), shared_channel()), "no", "yes"},
      {"access.bots", "access: {}", "access: {bots: [T1/B1]}", may_speak(bot(), channel()), "no", "yes"},

      {"policy.mode", policy_of("mode: ask"), policy_of("mode: allow_all"), restart_now, "ask", "allow"},
      {"policy.approvers.<name>", "policy: {approvers: {doc_tools: [T1/U2]}}",
       "policy: {approvers: {service_tools: [T1/U2]}}", may_approve(bo()), "no", "yes"},
      {"policy.requester_may_approve", "policy: {approvers: {service_tools: [T1/U1]}}",
       "policy: {approvers: {service_tools: [T1/U1]}, requester_may_approve: false}", may_approve(ana()), "yes", "no"},
      {"policy.allowlist", policy_of("mode: allowlist"), policy_of("mode: allowlist, allowlist: [search_notes]"),
       search_now, "ask", "allow"},
      {"policy.rules[].allow", policy_of("rules: [{tool: restart_service}]"),
       policy_of("rules: [{tool: restart_service, allow: [checkout]}]"), restart_now, "ask", "allow"},
      {"policy.hard_deny[].allow", policy_of("hard_deny: [{tool: restart_service, deny: [search]}]"),
       policy_of("hard_deny: [{tool: restart_service, deny: [search], allow: [checkout]}]"), problems, "0", "1"},

      {"channels.<name>.mode", "channels: {C1: {}}", "channels: {C1: {mode: deny_all}}", search_now, "allow", "deny"},
      {"channels.<name>.categories", "channels: {C1: {}}", "channels: {C1: {categories: [log_tools]}}", search_now,
       "allow", "deny"},
      {"channels.<name>.environments", "channels: {C1: {}}", "channels: {C1: {environments: [staging]}}", search_now,
       "allow", "deny"},
      {"channels.<name>.default_environment", "channels: {C1: {}}", "channels: {C1: {default_environment: prod}}",
       environment_of_search, "none", "prod"},
      {"channels.<name>.follow", "channels: {C1: {}}", "channels: {C1: {follow: all}}", follow, "requester", "all"},
      {"channels.<name>.instead", "channels: {C1: {}}", "channels: {C1: {instead: C2}}", context_here, "answered here",
       "sent to C2"},
      {"channels.<name>.instructions", "channels: {C1: {}}", "channels: {C1: {instructions: Name the runbook.}}",
       prompt_here, "not told", "told"},
      {"channels.<name>.triage", "channels: {C1: {}}", "channels: {C1: {triage: true}}", triage, "no", "yes"},

      {"questions.anyone", "questions: {}", "questions: {anyone: true}", may_bo_answer, "no", "yes"},
      {"grants.expiry", policy_of("mode: ask"), policy_of("mode: ask") + "\ngrants: {expiry: 1h}", grant_of_bo(lasts),
       "8h", "1h"},
      {"grants.uses", policy_of("mode: ask"), policy_of("mode: ask") + "\ngrants: {uses: 2}", grant_of_bo(uses), "5",
       "2"},
  };
  for (const std::string list : {"rules", "hard_deny"}) std::ranges::move(rule_rows(list), std::back_inserter(rows));
  return rows;
}

}  // namespace deputy::app::test

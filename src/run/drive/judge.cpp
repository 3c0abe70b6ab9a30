#include "run/drive/judge.h"

#include <fmt/format.h>

#include "base/text.h"
#include "policy/rulings.h"
#include "run/journal/delivery.h"
#include "run/journal/stored_rows.h"
#include "toolkit/digest.h"

namespace deputy::run {

namespace {

Verdict verdict_of(policy::RulingKind say) {
  if (say == policy::RulingKind::allow) return Verdict::allow;
  return say == policy::RulingKind::ask ? Verdict::ask : Verdict::deny;
}

Ruled ruled_as(Verdict verdict, const CallState& call, When when, std::string rule, std::string words) {
  Ruled ruled;
  ruled.call = call.request.id;
  ruled.verdict = verdict;
  ruled.rule = std::move(rule);
  ruled.words = std::move(words);
  ruled.after_gate = when == When::after_its_gate;
  return ruled;
}

std::string wish_digest(const PreparedCall& prepared) {
  return sha256_hex(prepared.spec().name + "\n" + canonical_json(prepared.arguments));
}

// The chain the call goes by. A pipeline without a gate whose ruling is not `allow` gets one at its front.
void write_chain(Ruled& ruled, const PreparedCall& prepared) {
  ruled.chain = prepared.chain;
  ruled.digest = prepared.call.digest;
  ruled.wish = wish_digest(prepared);
  ruled.background = prepared.mode == toolkit::CallMode::background;
  int before_gate = 0;
  for (const toolkit::LinkInfo& link : prepared.pipeline.links()) {
    if (link.stage == toolkit::Stage::finally) {
      ruled.finals.push_back(link.name);
      continue;
    }
    ruled.steps.push_back({link.name, link.repeatable, link.can_look});
    if (link.stage == toolkit::Stage::before_gate) ++before_gate;
  }
  if (prepared.pipeline.has_gate()) {
    ruled.gate = before_gate;
  } else if (ruled.verdict == Verdict::ask) {
    ruled.gate = 0;
  }
}

// Tells the model what is wrong with its call; where it named no tool, also which tools there are.
std::string message_for_fault(const std::string& fault, const std::string& tool, const Received& received,
                              const toolkit::Registry& registry, const Rules& rules) {
  const auto found = registry.find_enabled(tool, rules.tools);
  if (found) return fault;
  return fmt::format("{}; {}", fault,
                     received.only_tools ? "there are " + list_names(*received.only_tools) : found.error().hint);
}

// A tool that may not be used here is denied before its arguments are looked at. An unknown tool is refused elsewhere.
std::optional<policy::Ruling> off_at(const policy::Place& place, const CallState& call,
                                     const toolkit::Registry& registry, const Rules& rules) {
  const auto tool = registry.find_enabled(call.request.tool, rules.tools);
  if (!tool) return std::nullopt;
  return policy::by_categories(any_call_of((*tool)->spec()), place, policy::rules_at(place, rules.policy.settings));
}

// Nothing when the run itself does not let it come that far.
std::optional<std::string> refused_by_run(const RunState& state, const CallState& call,
                                          const toolkit::Registry& registry, const Rules& rules) {
  const Received& received = state.request();
  const std::string& tool = call.request.tool;
  if (state.withdrawn.contains(tool)) {
    return fmt::format("`{}` failed three times in a row with the same error and is withdrawn for the rest of this run",
                       tool);
  }
  if (const auto& fault = call.request.fault) return message_for_fault(*fault, tool, received, registry, rules);
  if (received.only_tools && !contains(*received.only_tools, tool))
    return fmt::format("`{}` may not be used in this run; there are {}", tool, list_names(*received.only_tools));
  return std::nullopt;
}

// The yes a call has, if any: given in this run, or to the run that handed it over as a background call.
struct Yes {
  std::string by;
  std::string digest;
};
std::optional<Yes> yes_to(const RunState& state, const CallState& call) {
  if (call.answered && call.asked && call.answered->state == interaction::State::approved)
    return Yes{call.answered->by, call.asked->digest};
  const std::optional<OnlyCall>& only = state.request().only_call;
  if (only && only->call.id == call.request.id && !only->approved_by.empty())
    return Yes{only->approved_by, only->digest};
  return std::nullopt;
}

Task<bool> ended_unknown_before(const RunDependencies& dependencies, const RunState& state,
                                const PreparedCall& prepared) {
  const std::string key = unknown_key(state.request().conversation, wish_digest(prepared));
  const Result<std::string> found =
      co_await dependencies.patience->ask<std::string>([&] { return dependencies.store.text(key); });
  // When it cannot be looked up, it may have happened.
  co_return found.has_value() || found.error().kind != ErrorKind::not_found;
}

bool has_spent(const CallState& call, const GrantId& grant) {
  return std::ranges::any_of(call.rulings, [&](const Ruled& ruled) { return ruled.grant == grant.text(); });
}

// The grants of a session count in a session only: one that was killed has ended without revoking them.
Task<std::vector<policy::LiveGrant>> live_grants(const RunDependencies& dependencies, const Received& received,
                                                 const CallState& call, const Rules& rules) {
  std::vector<policy::LiveGrant> live;
  constexpr int kMaxRead = 500;
  const store::GrantFilter filter{
      .conversation = received.conversation, .holder = received.requester, .live_only = false, .most = kMaxRead};
  const Timestamp now = dependencies.clock.now();
  const auto rows = co_await dependencies.patience->ask<std::vector<store::GrantRow>>(
      [&] { return dependencies.store.grants(filter); });
  if (!rows) co_return live;  // what cannot be read grants nothing
  for (const store::GrantRow& row : *rows) {
    // One that this call itself has used up counts: the call may be judged again.
    const bool is_spent = row.max_uses && row.uses >= *row.max_uses && !has_spent(call, row.id);
    if (row.revoked_at || row.ends_at <= now || is_spent) continue;
    Result<StoredGrant> stored = read_grant(row);
    if (!stored || (stored->grant.ends_at == policy::kWithTheSession && !rules.in_session)) continue;
    policy::Identity giver = co_await dependencies.lookups.who(stored->giver);
    live.push_back({std::move(stored->grant), std::move(giver)});
  }
  co_return live;
}

Task<policy::RulingContext> situation_of(const RunDependencies& dependencies, const RunState& state,
                                         const CallState& call, const PreparedCall& prepared, const Rules& rules) {
  const Received& received = state.request();
  policy::RulingContext situation;
  for (const std::string& account : askers_of(state, call.request.id)) {
    policy::Identity identity = co_await dependencies.lookups.who(account_of(account));
    situation.askers.push_back(std::move(identity));
  }
  situation.place = read_place(received.place).value_or(policy::Place{});
  situation.conversation = received.conversation;
  situation.now = dependencies.clock.now();
  situation.suspicious = received.suspicion.has_value();
  situation.after_unknown = co_await ended_unknown_before(dependencies, state, prepared);
  situation.grants = co_await live_grants(dependencies, received, call, rules);
  situation.stop_asking = rules.stop_asking;
  situation.auto_confirm = rules.auto_confirm;
  co_return situation;
}

// What cannot be followed has no other spelling: its handler follows no link either. A channel is judged by its name
// and by its id.
Task<> follow_links(PreparedCall& prepared, RulingBasis& basis) {
  if (!prepared.spec().leads_to) co_return;
  for (auto& [parameter, value] : prepared.call.values) {
    const auto kind = prepared.spec().kinds.find(parameter);
    if (kind == prepared.spec().kinds.end()) continue;
    if (kind->second != toolkit::Kind::path && kind->second != toolkit::Kind::channel) continue;
    const Result<toolkit::Led> led = co_await prepared.spec().leads_to(value.text);
    if (!led) continue;
    if (led->path != value.text) value.also.push_back(led->path);
    value.several_names = led->several_names;
    basis.led_to.emplace(parameter, led->path);
  }
}

// The pause of this moment; what the runner read last when the store does not answer.
Task<store::BrakeRow> pause_now(const RunDependencies& dependencies) {
  const Result<store::BrakeRow> now = co_await dependencies.store.brake();
  co_return now ? *now : *dependencies.brake;
}

store::AuditRow audit_of(const Ruled& ruled, const Received& received, const CallState& call, RunId run, Timestamp at) {
  json::object body{{"call", ruled.call},
                    {"tool", call.request.tool},
                    {"verdict", std::string(name(ruled.verdict))},
                    {"rule", ruled.rule},
                    {"words", ruled.words}};
  return {.at = at,
          .kind = "ruled",
          .person = received.requester,
          .run = run,
          .digest = ruled.digest,
          .body = json::serialize(body)};
}

// A call that is judged again after a crash has its use already.
void give_back_use(policy::RulingContext& situation, const CallState& call) {
  for (policy::LiveGrant& live : situation.grants) {
    if (has_spent(call, live.grant.id) && live.grant.uses > 0) --live.grant.uses;
  }
}

// A use is spent with the ruling that lets the call act: for a chain with a gate that is the one after it.
void spend_grant(const policy::Ruling& ruling, const policy::RulingContext& situation, Judged& judged,
                 const Received& received, const CallState& call, RunId run) {
  if (!ruling.grant) return;
  const bool acts_next = judged.entry.after_gate || !judged.entry.gate;
  if (!acts_next) return;
  judged.entry.grant = ruling.grant->text();
  if (has_spent(call, *ruling.grant)) return;
  judged.effects.grants_used.push_back(*ruling.grant);
  for (const policy::LiveGrant& live : situation.grants) {
    if (live.grant.id != *ruling.grant) continue;
    const std::string count =
        live.grant.max_uses ? fmt::format(", {} of {}", live.grant.uses + 1, *live.grant.max_uses) : std::string();
    judged.effects.deliveries.push_back(
        owe(NoticeDelivery{fmt::format("`{}` runs under {}'s grant{}.", live.grant.tool, live.grant.by, count)},
            received.conversation, situation.now, run));
  }
}

}  // namespace

std::vector<std::string> askers_of(const RunState& state, std::string_view call) {
  std::vector<std::string> askers{state.request().account};
  const auto add = [&](const std::string& account) {
    if (!contains(askers, account)) askers.push_back(account);
  };
  if (const auto& also = state.request().also) std::ranges::for_each(*also, add);
  for (const TranscriptItem& item : state.transcript) {
    if (const auto* note = std::get_if<Noted>(&item)) {
      add(note->account);
    } else if (const auto& calls = std::get<ModelTurn>(item).calls; contains(calls, call)) {
      break;
    }
  }
  return askers;
}

std::string approver_of(const RunState& state, const CallState& call) {
  if (const std::optional<Yes> yes = yes_to(state, call)) return yes->by;
  const Ruled* ruling = call.ruling();
  return ruling != nullptr && ruling->grant ? fmt::format("grant {}", *ruling->grant) : std::string();
}

json::value preview_of(const CallState& call) {
  if (call.rulings.empty()) return nullptr;
  const int before_gate = call.gate().value_or(0);
  json::value preview;
  for (int i = 0; i < before_gate; ++i) {
    if (const std::optional<StepDone>& done = call.steps[static_cast<std::size_t>(i)].done; done && done->output)
      preview = *done->output;
  }
  return preview;
}

std::string unknown_key(std::string_view conversation, std::string_view wish) {
  return "unknown:" + sha256_hex(fmt::format("{}\n{}", conversation, wish));
}

Task<Judged> judge_call(const RunDependencies& dependencies, RunId run, const RunState& state, const CallState& call,
                        When when) {
  const std::shared_ptr<const Rules> rules = dependencies.rules();
  const Received& received = state.request();
  const Timestamp now = dependencies.clock.now();
  const auto with_audit = [&](Ruled ruled) {
    Judged judged{std::move(ruled), {}, nullptr};
    judged.effects.audit.push_back(audit_of(judged.entry, received, call, run, now));
    return judged;
  };
  const auto refuse = [&](std::string words) {
    return with_audit(ruled_as(Verdict::refused, call, when, "call", std::move(words)));
  };
  const policy::Place place = read_place(received.place).value_or(policy::Place{});
  if (std::optional<policy::Ruling> off = off_at(place, call, dependencies.registry, *rules))
    co_return with_audit(ruled_as(verdict_of(off->say), call, when, std::move(off->rule), std::move(off->words)));
  if (const auto why = refused_by_run(state, call, dependencies.registry, *rules)) co_return refuse(*why);
  Result<PreparedCall> prepared = prepare(call.request, dependencies.registry, *rules, place);
  if (!prepared) co_return refuse(describe(prepared.error()));
  if (received.parent && (prepared->mode == toolkit::CallMode::background || prepared->spec().starts_child_run))
    co_return refuse("a child run starts no runs of its own");
  const bool only_reads =
      prepared->call.talk_tool || (prepared->call.effect == policy::Effect::read && !prepared->spec().changes_runs);
  if (received.reads_only.value_or(false) && !only_reads)
    co_return refuse(fmt::format("this run may only read, and `{}` does more", call.request.tool));
  if (prepared->call.effect == policy::Effect::write && !prepared->call.talk_tool) {
    const store::BrakeRow pause = co_await pause_now(dependencies);
    if (pause.brake != store::Pause::off)
      co_return refuse(fmt::format("changes are paused by {}; nothing was done", pause.by));
  }
  if (!call.rulings.empty() && call.rulings.front().digest != prepared->call.digest)
    co_return refuse(std::string(kChangedWhileItWaited));

  const auto basis = std::make_shared<RulingBasis>();
  basis->rules = rules;
  co_await follow_links(*prepared, *basis);
  policy::RulingContext situation = co_await situation_of(dependencies, state, call, *prepared, *rules);
  std::optional<Yes> yes = yes_to(state, call);
  if (yes && yes->by == received.requester &&
      policy::takes_two_persons(received.suspicion.has_value(), rules->policy.settings)) {
    yes.reset();  // it became suspicious after they said it
  }
  if (yes) situation.grants.clear();  // what a person said yes to spends no grant, not even the one born from it
  give_back_use(situation, call);
  policy::Ruling ruling = policy::judge(rules->policy, prepared->call, situation);
  if (yes && (when == When::after_its_gate || !prepared->pipeline.has_gate())) {
    // A call that another run handed over was approved there, as a background call.
    const toolkit::CallMode mode = received.only_call && !call.asked ? toolkit::CallMode::background : prepared->mode;
    const std::string digest =
        toolkit::call_digest({prepared->spec().name, prepared->arguments, mode, prepared->chain, preview_of(call)});
    if (digest != yes->digest) co_return refuse("what it would do is not what was approved; nothing was done");
  }
  if (yes) ruling = policy::with_approval(std::move(ruling));

  basis->situation = situation;
  basis->approved = yes.has_value();
  Judged judged{ruled_as(verdict_of(ruling.say), call, when, ruling.rule, ruling.words), {}, basis};
  write_chain(judged.entry, *prepared);
  spend_grant(ruling, situation, judged, received, call, run);
  judged.effects.audit.push_back(audit_of(judged.entry, received, call, run, now));
  co_return judged;
}

}  // namespace deputy::run

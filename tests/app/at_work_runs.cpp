// What bounds runs and their calls: tools, limits, budgets, environments, the time zone.
#include <fmt/format.h>

#include "app/at_work.h"
#include "interaction/approval.h"
#include "run/plan/budget.h"
#include "support/journal.h"
#include "toolkit/executor.h"

namespace deputy::app::test {

namespace {

using See = std::function<std::string(const World&)>;

Result<run::PreparedCall> prepared_search(const World& world, const std::string& environment = "prod") {
  return run::prepare(search("checkout", environment), world.registry, *world.rules, channel());
}

std::string can_be_called(const World& world) { return prepared_search(world) ? "yes" : "no"; }

std::string timeout(const World& world) {
  const auto prepared = prepared_search(world);
  return prepared ? format_duration(prepared->settings.timeout) : describe(prepared.error());
}

std::string limit(const World& world) {
  const auto prepared = prepared_search(world);
  return prepared ? json::serialize(prepared->arguments.at("limit")) : describe(prepared.error());
}

// How many of a thousand calls may start at once, and then within the next ten seconds.
See starts(std::chrono::seconds later) {
  return [later](const World& world) -> std::string {
    const auto prepared = prepared_search(world);
    if (!prepared) return describe(prepared.error());
    if (!prepared->settings.rate_limits) return "all";
    toolkit::RateLimiter rates;
    const auto count_at = [&](Timestamp at) {
      int started = 0;
      while (started < 1000 && rates.take(prepared->settings.rate_bucket, *prepared->settings.rate_limits, at))
        ++started;
      return started;
    };
    const int at_once = count_at(kNow);
    return std::to_string(later.count() == 0 ? at_once : count_at(kNow + later));
  };
}

// The rows that a tool has, and has again under each environment.
std::vector<AtWork> tool_rows(const std::string& path, const std::string& before, const std::string& after) {
  const auto tool = [&](std::string_view text) {
    return "tools: {doc_tools: {search_notes: " + before + std::string(text) + after + "}}";
  };
  return {
      {path + ".enabled", tool("{}"), tool("{enabled: false}"), can_be_called, "yes", "no"},
      {path + ".timeout_seconds", tool("{}"), tool("{timeout_seconds: 60}"), timeout, "10s", "1m"},
      {path + ".parameters", tool("{}"), tool("{parameters: {limit: 7}}"), limit, "5", "7"},
      {path + ".rate_limits.per_minute", tool("{rate_limits: {per_minute: 6}}"),
       tool("{rate_limits: {per_minute: 12}}"), starts(std::chrono::seconds(10)), "1", "2"},
      {path + ".rate_limits.burst", tool("{rate_limits: {per_minute: 6}}"),
       tool("{rate_limits: {per_minute: 6, burst: 3}}"), starts(std::chrono::seconds(0)), "10", "3"},
  };
}

std::string environment_called_live(const World& world) {
  const auto prepared = prepared_search(world, "live");
  return prepared ? std::string(as_view(prepared->arguments.at("environment").as_string()))
                  : describe(prepared.error());
}

std::string midnight(const World& world) { return interaction::time_in(world.rules->zone, kNow); }

See planned(run::Journal journal) {
  return [journal = std::move(journal)](const World& world) -> std::string {
    const auto actions = run::plan(journal.state(), run::plan_limits(world.rules->limits));
    if (actions.size() != 1) return fmt::format("{} actions", actions.size());
    if (const auto* ask = std::get_if<run::CallModel>(&actions.front()))
      return fmt::format("{} tokens", ask->max_tokens);
    return std::holds_alternative<run::Limit>(actions.front()) ? "limit" : "another action";
  };
}

run::Journal one_tool_turn() { return run::begun().calls({{"c1", "search"}}).finished_call("c1"); }
run::Journal three_calls() {
  return run::begun()
      .calls({{"c1", "search"}, {"c2", "search"}, {"c3", "search"}})
      .ruled("c1", run::Verdict::allow)
      .ruled("c2", run::Verdict::allow)
      .ruled("c3", run::Verdict::allow);
}

// Whether a run of ana's that has cost 50 cents may spend another 10, when she has spent 5 dollars today and all 20.
std::string may_spend(const World& world) {
  run::RunState state = run::begun().state();
  if (!state.received) return "no request";
  state.received->requester = "ana";
  state.cost = 500'000;
  std::vector<store::SpendRow> spent(2);
  spent[0].scope = run::person_scope("ana");
  spent[0].millionths = 5'000'000;
  spent[1].scope = run::kEverybody;
  spent[1].millionths = 20'000'000;
  return over_budget(state, world.rules->budgets, spent, 100'000, 1000) ? "no" : "yes";
}

// The same where no price is known, after 10,000 tokens.
std::string may_use_tokens(const World& world) {
  run::RunState state = run::begun().state();
  state.tokens = 10'000;
  return over_budget(state, world.rules->budgets, {}, std::nullopt, 1000) ? "no" : "yes";
}

}  // namespace

std::vector<AtWork> tools_at_work() {
  std::vector<AtWork> rows{
      {"tools.<category>.enabled", "tools: {doc_tools: {}}", "tools: {doc_tools: {enabled: false}}", can_be_called,
       "yes", "no"},
  };
  std::ranges::move(tool_rows("tools.<category>.<tool>", "", ""), std::back_inserter(rows));
  std::ranges::move(tool_rows("tools.<category>.<tool>.environments.<name>", "{environments: {prod: ", "}}"),
                    std::back_inserter(rows));
  return rows;
}

std::vector<AtWork> runs_at_work() {
  return {
      {"timezone", "timezone: UTC", "timezone: Europe/Berlin", midnight, "2026-11-15 00:00 UTC",
       "2026-11-15 01:00 Europe/Berlin"},
      {"environments.<name>", "environments: {prod: [production]}", "environments: {prod: [production, live]}",
       environment_called_live, "live", "prod"},

      {"limits.tool_turns", "limits: {tool_turns: 2}", "limits: {tool_turns: 1}", planned(one_tool_turn()),
       "16000 tokens", "limit"},
      {"limits.calls_at_once", "limits: {}", "limits: {calls_at_once: 2}", planned(three_calls()), "3 actions",
       "2 actions"},
      {"limits.reply_tokens", "limits: {}", "limits: {reply_tokens: 700}", planned(run::begun()), "16000 tokens",
       "700 tokens"},

      {"models.budgets.run_usd", "models: {}", "models: {budgets: {run_usd: 0.55}}", may_spend, "yes", "no"},
      {"models.budgets.person_day_usd", "models: {}", "models: {budgets: {person_day_usd: 5}}", may_spend, "yes", "no"},
      {"models.budgets.day_usd", "models: {}", "models: {budgets: {day_usd: 20}}", may_spend, "yes", "no"},
      {"models.budgets.run_tokens", "models: {}", "models: {budgets: {run_tokens: 10000}}", may_use_tokens, "yes",
       "no"},
  };
}

}  // namespace deputy::app::test

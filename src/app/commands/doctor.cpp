// deputy doctor
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/channels.h"
#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/connections.h"
#include "app/models.h"
#include "app/system_prompt.h"
#include "app/tool_trials.h"
#include "app/tools.h"
#include "channel/channel.h"
#include "channel/terminal/styled_text.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy doctor           check everything that is set up with a real call
  deputy doctor --tools   also call each tool that reads once, with harmless arguments
  deputy doctor --json    the same for programs

The exit code is 1 if something is set up and does not work. For what is not set up it names the setting.)";

enum class Health {
  works,
  not_set_up,
  unknown,  // nobody can be asked
  paused,
  skipped,
  broken,
};

std::string_view in_words(Health health) {
  switch (health) {
    case Health::works:
      return "ok";
    case Health::not_set_up:
      return "not set up";
    case Health::unknown:
      return "unknown";
    case Health::paused:
      return "paused";
    case Health::skipped:
      return "skipped";
    case Health::broken:
      break;
  }
  return "broken";
}

struct Finding {
  std::string name;
  Health health = Health::works;
  std::string words;
};

Task<Finding> look_at_prompt(Process& process) {
  co_await process.system_prompt().load();
  const std::size_t bytes = process.system_prompt().text()->size();
  if (bytes == 0) co_return Finding{"system prompt", Health::broken, "could not be used; the log says why"};
  co_return Finding{"system prompt", Health::works, fmt::format("{} bytes", bytes)};
}

// A channel asks its platform what it can. No platform tells whether its events arrive: only a message shows that.
Task<Result<std::vector<Finding>>> look_at_channel(Process& process, ChannelKind kind) {
  std::vector<Finding> findings;
  if (std::string missing = kind.missing(process.settings()); !missing.empty()) {
    findings.push_back({kind.kind, Health::not_set_up, std::move(missing)});
    co_return findings;
  }
  std::map<std::string, net::RequestHandler, std::less<>> nothing_listens;
  const auto no_groups = [](std::string_view) { return std::set<std::string>(); };
  CO_TRY(const std::shared_ptr<channel::Channel> channel,
         kind.make({process.settings(), process.accounts(), process.clock(), process.executor(), no_groups,
                    nothing_listens}));
  CO_TRY(const channel::Diagnosis diagnosis, co_await channel->diagnose());
  for (const channel::Diagnosis::Check& check : diagnosis.checks)
    findings.push_back({kind.kind + " " + check.name, check.ok ? Health::works : Health::broken, check.words});
  CO_TRY(const std::vector<std::string> asked_in, co_await process.store().active_conversations(kind.kind, {}, 1));
  const std::string events = kind.kind + " events";
  findings.push_back(asked_in.empty()
                         ? Finding{events, Health::unknown, "no mention seen yet; mention me now, then run this again"}
                         : Finding{events, Health::works, "mentions have arrived"});
  co_return findings;
}

enum class ToolsToo { no, yes };

Health health_of(ToolTrial::Outcome outcome) {
  switch (outcome) {
    case ToolTrial::Outcome::works:
      return Health::works;
    case ToolTrial::Outcome::not_set_up:
      return Health::not_set_up;
    case ToolTrial::Outcome::skipped:
      return Health::skipped;
    case ToolTrial::Outcome::broken:
      break;
  }
  return Health::broken;
}

Task<std::vector<Finding>> look_at_tools(Process& process) {
  const auto known = co_await process.tools().services()->current();
  const tools::ServiceList services = known ? **known : tools::ServiceList();
  const std::vector<ToolTrial> trials =
      co_await try_tools(process.registry(), process.rules(), services, process.clock());
  std::vector<Finding> findings;
  for (const ToolTrial& trial : trials) findings.push_back({trial.tool, health_of(trial.outcome), trial.words});
  co_return findings;
}

Task<Result<std::vector<Finding>>> look(Process& process, ToolsToo tools_too) {
  std::vector<Finding> findings{{"settings", Health::works, "valid"}};
  store::RunFilter filter;
  filter.most = 1;
  CO_TRY(const std::vector<store::RunRow> runs, co_await process.store().runs(filter));
  findings.push_back({"store", Health::works, runs.empty() ? "opened, empty" : "opened and read"});
  CO_TRY(const store::BrakeRow pause, co_await process.store().brake());
  if (pause.brake != store::Pause::off) {
    findings.push_back({"pause", Health::paused,
                        fmt::format("{} since {} by {}; `deputy resume` ends it",
                                    pause.brake == store::Pause::all ? "nothing runs" : "nothing is changed",
                                    format_timestamp(pause.at), pause.by)});
  }
  const SystemPromptSettings& prompt = process.settings().models.system_prompt;
  if (!prompt.file.empty() || !prompt.s3.empty()) findings.push_back(co_await look_at_prompt(process));
  for (const ChannelKind& kind : network_channels()) {
    CO_TRY(std::vector<Finding> found, co_await look_at_channel(process, kind));
    std::ranges::move(found, std::back_inserter(findings));
  }
  std::vector<Check> checks = process.models().checks();
  std::ranges::move(process.tools().checks(), std::back_inserter(checks));
  for (const Check& check : checks) {
    if (!check.missing.empty()) {
      findings.push_back({check.name, Health::not_set_up, check.missing});
      continue;
    }
    const Result<std::string> found = co_await check.look();
    findings.push_back({check.name, found ? Health::works : Health::broken, found ? *found : describe(found.error())});
  }
  if (tools_too == ToolsToo::yes) {
    std::vector<Finding> tried = co_await look_at_tools(process);
    std::ranges::move(tried, std::back_inserter(findings));
  }
  co_return findings;
}

ExitCode print(const Context& context, const std::vector<Finding>& findings) {
  json::array all;
  ExitCode code = ExitCode::done;
  std::size_t width = 16;
  for (const Finding& finding : findings) width = std::max(width, finding.name.size());
  for (const Finding& finding : findings) {
    if (finding.health == Health::broken) code = ExitCode::failed;
    if (context.json) {
      all.push_back({{"name", finding.name}, {"health", in_words(finding.health)}, {"words", finding.words}});
    } else {
      context.outside.out << fmt::format("{:<{}} {:<10} {}\n", channel::one_line(finding.name), width,
                                         in_words(finding.health), channel::one_line(finding.words));
    }
  }
  if (context.json) context.outside.out << json::serialize(all) << "\n";
  return code;
}

Task<Result<ExitCode>> look_and_print(const Context& context, Process& process, ToolsToo tools_too) {
  CO_TRY(const std::vector<Finding> findings, co_await look(process, tools_too));
  co_return print(context, findings);
}

ExitCode doctor(const Context& context, ToolsToo tools_too) {
  return with_store(context, [&](Process& process) { return look_and_print(context, process, tools_too); });
}

}  // namespace

void add_doctor(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("doctor", "Check everything that is set up with a real call");
  command->fallthrough();
  command->footer(kExamples);
  auto tools_too = std::make_shared<bool>(false);
  command->add_flag("--tools", *tools_too, "Also call each tool that reads once");
  command->callback([&context, tools_too] {
    context.action = [&context, tools_too] { return doctor(context, *tools_too ? ToolsToo::yes : ToolsToo::no); };
  });
}

}  // namespace deputy::app

// What `deputy doctor --tools` tries tools with, and what it makes of their answers.
#include "app/tool_trials.h"

#include <gmock/gmock.h>

#include "app/build.h"
#include "app/settings.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "tools/common_steps.h"

namespace deputy::app {
namespace {

using Outcome = ToolTrial::Outcome;

struct RepoParams {
  std::string repo;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RepoParams::repo, "repo", "A service or a repository").kind(toolkit::Kind::service);
  }
};

struct ServiceParams {
  std::string service;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ServiceParams::service, "service", "A service").kind(toolkit::Kind::service);
  }
};

struct CommandParams {
  std::string command;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&CommandParams::command, "command", "What to run");
  }
};

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

toolkit::ToolSpec spec(std::string name) {
  return {.name = std::move(name),
          .version = 1,
          .description = "Looks at something somewhere",
          .category = "service_tools",
          .effect = toolkit::Effect::read};
}

Task<Result<toolkit::Step>> end_with(toolkit::Step end) { co_return end; }

template <class Params>
std::shared_ptr<const toolkit::Tool> tool(toolkit::ToolSpec spec, toolkit::Step end) {
  return toolkit::make_tool<Params>(std::move(spec), [end](const Params&) -> Result<toolkit::Pipeline> {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "look", .repeatable = true, .call = [end](toolkit::CallContext&) {
                     return tools::as_step(end_with(end));
                   }});
    return pipeline;
  });
}

const tools::ServiceList kServices({{.key = "bare"}, {.key = "cart", .repo = "acme/shop"}});
const Error kNotThere{ErrorKind::not_found, "there is no such thing"};

ToolTrial trial_of(std::shared_ptr<const toolkit::Tool> tool) {
  const test::ManualClock clock;
  toolkit::Registry registry;
  EXPECT_OK(registry.add(std::move(tool)));
  const auto rules = make_rules(Settings{});
  const std::vector<ToolTrial> trials = test::run(try_tools(registry, **rules, kServices, clock));
  return trials.size() == 1 ? trials.front() : ToolTrial{};
}

TEST(ToolTrials, TakeARepositoryFromAServiceThatHasOne) {
  const auto repo = tool<RepoParams>(spec("get_repo"), toolkit::Output{"x", {}});
  EXPECT_EQ(*trial_arguments(repo->spec(), "", kServices), (json::object{{"repo", "cart"}}));
  EXPECT_FAILS(trial_arguments(repo->spec(), "", tools::ServiceList({{.key = "bare"}})), invalid_input);
  const auto service = tool<ServiceParams>(spec("get_service"), toolkit::Output{"x", {}});
  EXPECT_EQ(*trial_arguments(service->spec(), "", kServices), (json::object{{"service", "bare"}}));
}

TEST(ToolTrials, CountANameThatNobodyAskedForAsAnsweredIfItIsNotFound) {
  const ToolTrial chosen = trial_of(tool<ServiceParams>(spec("get_service"), kNotThere));
  EXPECT_EQ(chosen.outcome, Outcome::works) << chosen.words;
  EXPECT_EQ(chosen.words, "answered: there is no such thing");
  EXPECT_EQ(trial_of(tool<NoParams>(spec("list_services"), kNotThere)).outcome, Outcome::broken);
  const Error unset{ErrorKind::not_configured, "this environment has none", "set one"};
  const ToolTrial missing = trial_of(tool<ServiceParams>(spec("get_service"), unset));
  EXPECT_EQ(missing.outcome, Outcome::not_set_up);
  EXPECT_EQ(missing.words, "this environment has none (set one)");
  const Error refused{ErrorKind::authentication, "no"};
  EXPECT_EQ(trial_of(tool<ServiceParams>(spec("get_service"), refused)).outcome, Outcome::broken);
}

TEST(ToolTrials, TryAToolThatMayWriteOnlyWithAProbeThatReads) {
  toolkit::ToolSpec command = spec("command_line");
  command.effect = [](const json::object& arguments) -> std::optional<toolkit::Effect> {
    return text_at(arguments, "command") == "look" ? std::optional(toolkit::Effect::read) : std::nullopt;
  };
  const auto outcome = [&] {
    return trial_of(tool<CommandParams>(command, toolkit::Output{"looked around", {}})).outcome;
  };
  EXPECT_EQ(outcome(), Outcome::skipped);
  command.probe = {{"command", "change"}};
  EXPECT_EQ(outcome(), Outcome::skipped);
  command.probe = {{"command", "look"}};
  EXPECT_EQ(outcome(), Outcome::works);
}

}  // namespace
}  // namespace deputy::app

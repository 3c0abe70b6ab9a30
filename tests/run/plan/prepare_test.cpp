// From the model's wish to a call that can be judged.
#include "run/plan/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redact/marker.h"
#include "support/results.h"
#include "support/sample_tools.h"

namespace deputy::run {
namespace {

using test::World;
using testing::HasSubstr;

const policy::Place kChannel{"slack", "C1"};
const std::string kKey = std::string("AKIA") + "IOSFODNN7EXAMPLE";

// A tool whose parameters are given by their schema alone, as those of other servers are.
class SchemaTool final : public toolkit::Tool {
 public:
  explicit SchemaTool(toolkit::ToolSpec spec) : spec_(std::move(spec)) {}
  const toolkit::ToolSpec& spec() const override { return spec_; }
  Result<json::object> complete_arguments(const json::object& arguments) const override { return arguments; }
  std::vector<Problem> problems_of(const json::object&) const override { return {}; }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object&) const override {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "act", .call = [](toolkit::CallContext&) -> Task<toolkit::Step> { std::abort(); }});
    return pipeline;
  }

  toolkit::ToolSpec spec_;
};

toolkit::ToolSpec spec(std::string name, json::object params = {{"type", "object"}, {"properties", json::object()}}) {
  return {.name = std::move(name),
          .version = 1,
          .description = "A tool of another server",
          .category = "doc_tools",
          .params = std::move(params)};
}

struct Fixture {
  toolkit::Registry registry;
  Rules rules;

  Fixture() {
    const World world = std::make_shared<test::SampleWorld>();
    add(test::search_notes(world));
    add(test::restart_service(world));
    add(test::run_command(world));
    rules.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}};
  }

  void add(std::shared_ptr<const toolkit::Tool> tool) { EXPECT_OK(registry.add(std::move(tool))); }
  void add(toolkit::ToolSpec spec) { add(std::make_shared<SchemaTool>(std::move(spec))); }
  toolkit::ToolSettings& settings(const std::string& category, const std::string& tool) {
    return rules.tools[category].tools[tool];
  }

  Result<PreparedCall> prepare(std::string tool, json::object arguments, const policy::Place& place = kChannel) const {
    return run::prepare({"call_1", std::move(tool), std::move(arguments)}, registry, rules, place);
  }
  json::object arguments_of(std::string tool, json::object arguments) const {
    Result<PreparedCall> prepared = prepare(std::move(tool), std::move(arguments));
    EXPECT_OK(prepared);
    return prepared ? prepared->arguments : json::object();
  }
};

const json::object kRestart{{"service", "checkout"}, {"environment", "prod"}};

TEST(Prepare, AServiceHasOneNameWhoeverNamesIt) {
  Fixture fixture;
  fixture.rules.services = {{"checkout", "Checkout Service", {"co", "shop"}}, {"search", "Search", {"shop"}}};
  const auto service_of = [&](const char* name) {
    return fixture.arguments_of("restart_service", {{"service", name}, {"environment", "prod"}}).at("service");
  };
  for (const char* name : {"checkout", "Checkout", "CO", "checkout service"}) EXPECT_EQ(service_of(name), "checkout");
  EXPECT_EQ(service_of("shop"), "shop") << "two services have that name";
  EXPECT_EQ(service_of("billing"), "billing");
}

TEST(Prepare, FillsInWhatTheModelLeftOut) {
  const Fixture fixture;
  const Result<PreparedCall> prepared = fixture.prepare("find_notes", {{"query", "slow"}});
  ASSERT_OK(prepared);
  EXPECT_EQ(prepared->arguments, (json::object{{"query", "slow"}, {"limit", 5}}));
  EXPECT_EQ(prepared->call.tool, "search_notes") << "not by its alias";
  EXPECT_EQ(prepared->call.category, "doc_tools");
  EXPECT_EQ(prepared->call.effect, policy::Effect::read);
  EXPECT_EQ(prepared->call.values.at("query").text, "slow");
  EXPECT_EQ(prepared->call.environment, "") << "it works on one, and nobody said which";
  EXPECT_FALSE(prepared->call.off_until_listed);
}

TEST(Prepare, SaysOfAWriteWhatPolicyNeeds) {
  const Fixture fixture;
  const Result<PreparedCall> prepared = fixture.prepare("restart_service", kRestart);
  ASSERT_OK(prepared);
  EXPECT_EQ(prepared->call.effect, policy::Effect::write);
  EXPECT_EQ(prepared->call.environment, "prod");
  EXPECT_EQ(prepared->call.pins,
            (std::map<std::string, std::string>{{"service", "checkout"}, {"environment", "prod"}}));
  EXPECT_TRUE(prepared->pipeline.has_gate());
  const Result<PreparedCall> command = fixture.prepare("run_command", {{"command", "ls /tmp"}});
  ASSERT_OK(command);
  EXPECT_EQ(command->call.effect, policy::Effect::read);
  EXPECT_EQ(command->call.environment, std::nullopt);
  EXPECT_EQ(command->call.values.at("command").kind, policy::ValueKind::command_line);
  EXPECT_TRUE(command->call.off_until_listed);
  EXPECT_EQ(fixture.prepare("run_command", {{"command", "rm x"}})->call.effect, policy::Effect::write);
}

TEST(Prepare, WhatCannotBeRunIsAnErrorForTheModel) {
  Fixture fixture;
  toolkit::ToolSpec not_set_up = spec("list_pages");
  not_set_up.missing = "set CONFLUENCE_TOKEN";
  fixture.add(std::move(not_set_up));
  EXPECT_FAILS(fixture.prepare("serch_notes", {{"query", "x"}}), not_found);
  EXPECT_THAT(describe(fixture.prepare("serch_notes", {}).error()), HasSubstr("search_notes"));
  EXPECT_FAILS(fixture.prepare("search_notes", {{"qery", "x"}}), invalid_input);
  EXPECT_FAILS(fixture.prepare("list_pages", {}), not_configured);
  EXPECT_EQ(fixture.prepare("list_pages", {}).error().hint, "set CONFLUENCE_TOKEN");
  fixture.settings("doc_tools", "search_notes").enabled = false;
  EXPECT_FALSE(fixture.prepare("search_notes", {{"query", "x"}}).has_value());
}

TEST(Prepare, AToolMayBeOffInOneEnvironment) {
  Fixture fixture;
  fixture.settings("service_tools", "restart_service").environments["prod"].enabled = false;
  EXPECT_FAILS(fixture.prepare("restart_service", {{"service", "checkout"}, {"environment", "live"}}), not_configured);
  EXPECT_OK(fixture.prepare("restart_service", {{"service", "checkout"}, {"environment", "stage"}}));
}

// ---- Environments.

TEST(PrepareEnvironment, HasOneNameWhicheverIsUsed) {
  const Fixture fixture;
  for (const std::string_view name : {"prod", "production", "LIVE", " Production "}) {
    EXPECT_EQ(
        fixture.arguments_of("restart_service", {{"service", "checkout"}, {"environment", name}}).at("environment"),
        "prod")
        << name;
  }
  EXPECT_EQ(fixture.arguments_of("search_notes", {{"query", "x"}, {"environment", "moon"}}).at("environment"), "moon");
}

TEST(PrepareEnvironment, OfThePlaceCountsWhereNoneIsNamed) {
  Fixture fixture;
  fixture.rules.policy.settings.channels["C1"].default_environment = "stage";
  EXPECT_EQ(fixture.arguments_of("search_notes", {{"query", "x"}}).at("environment"), "staging");
  EXPECT_EQ(fixture.arguments_of("search_notes", {{"query", "x"}, {"environment", nullptr}}).at("environment"),
            "staging");
  EXPECT_EQ(fixture.arguments_of("search_notes", {{"query", "x"}, {"environment", "live"}}).at("environment"), "prod");
  EXPECT_FALSE(fixture.arguments_of("run_command", {{"command", "ls"}}).contains("environment"));
}

TEST(PrepareEnvironment, OfThePlaceDoesNotCountForAToolThatDoesNotMeanIt) {
  Fixture fixture;
  fixture.rules.policy.settings.channels["C1"].default_environment = "prod";
  toolkit::ToolSpec deploy = spec("deploy", {{"type", "object"}, {"properties", {{"environment", json::object()}}}});
  deploy.means_default_environment = false;
  fixture.add(deploy);
  EXPECT_FALSE(fixture.arguments_of("deploy", {}).contains("environment"));
  EXPECT_EQ(fixture.arguments_of("deploy", {{"environment", "stage"}}).at("environment"), "staging");
}

TEST(PrepareEnvironment, OfSettingsDecidesWhichSettingsHold) {
  Fixture fixture;
  toolkit::ToolSettings& settings = fixture.settings("doc_tools", "search_notes");
  settings.parameters = {{"environment", "production"}, {"limit", 7}};
  settings.environments["prod"].timeout_seconds = 77;
  settings.environments["prod"].parameters = {{"limit", 9}};
  const Result<PreparedCall> prepared = fixture.prepare("search_notes", {{"query", "x"}});
  ASSERT_OK(prepared);
  EXPECT_EQ(prepared->arguments, (json::object{{"query", "x"}, {"limit", 9}, {"environment", "prod"}}));
  EXPECT_EQ(prepared->settings.timeout, std::chrono::seconds(77));
  EXPECT_EQ(fixture.arguments_of("search_notes", {{"query", "x"}, {"limit", 2}}).at("limit"), 2) << "the model's own";
}

TEST(PrepareEnvironment, ThatIsNoTextIsNotMadeOne) {
  const Fixture fixture;
  for (const json::value& wrong : {json::value(5), json::value(json::array{"prod"}), json::value(true)})
    EXPECT_FAILS(fixture.prepare("search_notes", {{"query", "x"}, {"environment", wrong}}), invalid_input);
}

// ---- Secrets.

TEST(PrepareSecrets, AreRefusedAndNotRepeated) {
  Fixture fixture;
  fixture.add(spec("anything"));
  const std::string marker = redact::make_marker("named", "x", "salt");
  const std::vector<json::object> rows{{{"query", "uses " + kKey}},
                                       {{"query", "uses " + marker}},
                                       {{"password", "hunter2hunter2"}},
                                       {{"headers", {{"x", kKey}}}},
                                       {{"headers", {{marker, "x"}}}},
                                       {{"list", {{"a", kKey}}}},
                                       {{kKey, 1}}};
  for (const json::object& arguments : rows) {
    const Result<PreparedCall> refused = fixture.prepare("anything", arguments);
    ASSERT_FAILS(refused, invalid_input) << json::serialize(arguments);
    EXPECT_EQ(describe(refused.error()),
              "the arguments hold a secret, or the mark of one that was taken out (name the secret by reference)");
  }
  EXPECT_OK(fixture.prepare("anything", {{"query", "rotate the password of checkout"}}));
}

// ---- Background.

TEST(PrepareBackground, IsTakenOutOfTheArguments) {
  const Fixture fixture;
  json::object arguments = kRestart;
  arguments["background"] = true;
  const Result<PreparedCall> prepared = fixture.prepare("restart_service", arguments);
  ASSERT_OK(prepared);
  EXPECT_EQ(prepared->mode, toolkit::CallMode::background);
  EXPECT_FALSE(prepared->arguments.contains("background"));
  arguments["background"] = false;
  EXPECT_EQ(fixture.prepare("restart_service", arguments)->mode, toolkit::CallMode::foreground);
}

TEST(PrepareBackground, IsRefusedWhereItIsNotTaken) {
  Fixture fixture;
  toolkit::ToolSpec talk = spec("respond_directly");
  talk.category = "talk_tools";
  fixture.add(std::move(talk));
  toolkit::ToolSpec child = spec("investigate_issue");
  child.starts_child_run = true;
  fixture.add(std::move(child));
  for (const char* tool : {"respond_directly", "investigate_issue"})
    EXPECT_FAILS(fixture.prepare(tool, {{"background", true}}), invalid_input);
  EXPECT_FAILS(fixture.prepare("search_notes", {{"query", "x"}, {"background", "yes"}}), invalid_input);
}

// ---- Digests.

std::string digest_of(const Fixture& fixture, const json::object& arguments = kRestart, std::string id = "call_1",
                      const policy::Place& place = kChannel) {
  const auto prepared =
      run::prepare({std::move(id), "restart_service", arguments}, fixture.registry, fixture.rules, place);
  EXPECT_OK(prepared);
  return prepared->call.digest;
}

TEST(PrepareDigest, ChangesWithWhatWouldBeDone) {
  const std::string before = digest_of({});
  EXPECT_NE(digest_of({}, {{"service", "search"}, {"environment", "prod"}}), before);
  EXPECT_NE(digest_of({}, {{"service", "checkout"}, {"environment", "prod"}, {"background", true}}), before);
  Fixture settings;
  settings.settings("service_tools", "restart_service").parameters = {{"force", true}};
  EXPECT_NE(digest_of(settings), before);
}

TEST(PrepareDigest, ChangesWithTheChainAndItsTarget) {
  const auto digest = [](auto change) {
    toolkit::ToolSpec changed = spec("anything");
    change(changed);
    Fixture fixture;
    fixture.add(std::move(changed));
    return fixture.prepare("anything", {{"x", 1}})->call.digest;
  };
  const std::string before = digest([](toolkit::ToolSpec&) {});
  EXPECT_NE(digest([](toolkit::ToolSpec& tool) { tool.version = 2; }), before);
  EXPECT_NE(digest([](toolkit::ToolSpec& tool) { tool.target = {{"account", "2"}}; }), before);
  EXPECT_EQ(digest([](toolkit::ToolSpec& tool) { tool.description = "Said in other words"; }), before);
}

TEST(PrepareDigest, ChangesWithNothingElse) {
  const std::string before = digest_of({});
  EXPECT_EQ(digest_of({}, {{"force", false}, {"environment", "production"}, {"service", "checkout"}}), before);
  EXPECT_EQ(digest_of({}, kRestart, "call_77"), before);
  EXPECT_EQ(digest_of({}, kRestart, "call_1", {"slack", "C2"}), before);
  Fixture settings;
  settings.settings("service_tools", "restart_service").timeout_seconds = 99;
  settings.rules.budgets.run_usd = 7;
  EXPECT_EQ(digest_of(settings), before);
}

// ---- Free text: whether a grant may be given for exactly these arguments.

struct TextRow {
  std::string name;
  json::object parameter;
  bool free_text;
};

class FreeText : public testing::TestWithParam<TextRow> {};

TEST_P(FreeText, Is) {
  Fixture fixture;
  fixture.add(
      spec("anything",
           {{"type", "object"}, {"properties", {{"x", GetParam().parameter}}}, {"additionalProperties", false}}));
  EXPECT_EQ(fixture.prepare("anything", {})->call.free_text, GetParam().free_text);
}

const json::object kText{{"type", "string"}};
const json::object kChoice{{"type", "string"}, {"enum", {"a", "b"}}};

INSTANTIATE_TEST_SUITE_P(Parameters, FreeText,
                         testing::ValuesIn(std::vector<TextRow>{
                             {"Text", kText, true},
                             {"AChoice", kChoice, false},
                             {"OneWord", {{"const", "a"}}, false},
                             {"ANumber", {{"type", "integer"}}, false},
                             {"ASwitch", {{"type", "boolean"}}, false},
                             {"NothingIsSaidOfIt", json::object(), true},
                             {"ANumberOrNothing", {{"type", {"number", "null"}}}, false},
                             {"TextOrNothing", {{"type", {"string", "null"}}}, true},
                             {"AListOfChoices", {{"type", "array"}, {"items", kChoice}}, false},
                             {"AListOfTexts", {{"type", "array"}, {"items", kText}}, true},
                             {"AListOfAnything", {{"type", "array"}}, true},
                             {"AnObjectOfChoices",
                              {{"type", "object"}, {"properties", {{"y", kChoice}}}, {"additionalProperties", false}},
                              false},
                             {"AnObjectWithText",
                              {{"type", "object"}, {"properties", {{"y", kText}}}, {"additionalProperties", false}},
                              true},
                             {"AnObjectWithAnyKeys", {{"type", "object"}, {"properties", {{"y", kChoice}}}}, true},
                             {"OneOfSeveral", {{"anyOf", {kChoice, kText}}}, true},
                         }),
                         [](const auto& row) { return row.param.name; });

TEST(FreeText, AnOpenListOfParametersIsOne) {
  Fixture fixture;
  fixture.add(spec("open"));
  fixture.add(spec("closed", {{"type", "object"}, {"properties", json::object()}, {"additionalProperties", false}}));
  EXPECT_TRUE(fixture.prepare("open", {})->call.free_text);
  EXPECT_FALSE(fixture.prepare("closed", {})->call.free_text);
  EXPECT_TRUE(fixture.prepare("search_notes", {{"query", "x"}})->call.free_text);
}

}  // namespace
}  // namespace deputy::run

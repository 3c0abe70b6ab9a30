#include "toolkit/tool.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/sample_tools.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {
namespace {

const test::World kWorld = std::make_shared<test::SampleWorld>();

TEST(Tool, TakesItsSchemaFromItsDeclaration) {
  EXPECT_EQ(test::search_notes(kWorld)->spec().params, json_schema<test::SearchNotesParams>());
}

TEST(Tool, CompletesArgumentsWithDefaultsAndDropsNulls) {
  const auto tool = test::search_notes(kWorld);
  EXPECT_EQ(tool->complete_arguments({{"query", "slow"}}), (json::object{{"query", "slow"}, {"limit", 5}}));
  EXPECT_EQ(tool->complete_arguments({{"query", "slow"}, {"limit", 3.0}, {"environment", nullptr}}),
            (json::object{{"query", "slow"}, {"limit", 3}}));
}

TEST(Tool, RefusesArgumentsThatBreakItsSchemaWithAllProblems) {
  const auto tool = test::search_notes(kWorld);
  const auto refused = tool->complete_arguments({{"lmit", 3}});
  ASSERT_FAILS(refused, invalid_input);
  EXPECT_EQ(refused.error().message,
            "`lmit`: there is no parameter `lmit`; did you mean `limit`?; `query`: this is required and missing");
  EXPECT_FAILS(tool->compose({{"query", 4}}), invalid_input);
}

TEST(Tool, ComposesTheSameChainTwice) {
  const auto tool = test::restart_service(kWorld);
  const json::object arguments{{"service", "checkout"}, {"environment", "prod"}};
  const auto first = tool->compose(arguments);
  const auto second = tool->compose(arguments);
  ASSERT_OK(first);
  ASSERT_OK(second);
  const std::vector<LinkInfo> chain{{"find_service", Stage::before_gate, true, false},
                                    {"show_plan", Stage::before_gate, true, false},
                                    {"restart", Stage::after_gate, false, true},
                                    {"drop_plan", Stage::finally, true, false}};
  EXPECT_EQ(first->links(), chain);
  EXPECT_EQ(second->links(), chain);
}

TEST(Tool, KindsOfItsParametersComeFromTheDeclaration) {
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  EXPECT_EQ(spec.kinds, (std::map<std::string, Kind>{{"environment", Kind::environment}, {"query", Kind::query}}));
  const intent::KnownTool known = known_tool(spec);
  EXPECT_TRUE(known.reads && known.takes(Kind::query) && !known.takes(Kind::service));
  EXPECT_FALSE(known_tool(test::restart_service(kWorld)->spec()).reads);
  for (const intent::KnownParameter& parameter : known.parameters)
    EXPECT_EQ(parameter.required, parameter.name == "query") << parameter.name;
}

TEST(Tool, SaysWhatItWorksOn) {
  ToolSpec spec = test::restart_service(kWorld)->spec();
  EXPECT_EQ(working_line(spec, {{"service", "checkout"}}), "");
  spec.topics.working = "Restarting {service}";
  EXPECT_EQ(working_line(spec, {{"service", "checkout"}}), "Restarting checkout");
  EXPECT_EQ(working_line(spec, {}), "Restarting all services");
}

TEST(Tool, ThatIsNotConfiguredSaysWhatToSet) {
  ToolSpec spec = test::search_notes(kWorld)->spec();
  spec.missing = "set tools.doc_tools.address or NOTES_URL";
  const auto tool = make_tool<test::SearchNotesParams>(
      std::move(spec), [](const test::SearchNotesParams&) -> Result<Pipeline> { return Pipeline(); });
  const auto composed = tool->compose({{"query", "slow"}});
  ASSERT_FAILS(composed, not_configured);
  EXPECT_EQ(composed.error().hint, "set tools.doc_tools.address or NOTES_URL");
}

TEST(Tool, ThatThrowsOrComposesABrokenChainGivesAnError) {
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  const auto throwing = make_tool<test::SearchNotesParams>(
      spec, [](const test::SearchNotesParams&) -> Result<Pipeline> { throw std::runtime_error("a bug"); });
  EXPECT_FAILS(throwing->compose({{"query", "slow"}}), internal);
  const auto empty = make_tool<test::SearchNotesParams>(
      spec, [](const test::SearchNotesParams&) -> Result<Pipeline> { return Pipeline(); });
  EXPECT_FAILS(empty->compose({{"query", "slow"}}), internal);
}

TEST(Tool, ChecksDefaultsOfWhichRequiredOnesMayBeMissing) {
  const auto tool = test::search_notes(kWorld);
  EXPECT_TRUE(tool->problems_of({{"limit", 7}}).empty());
  const auto problems = tool->problems_of({{"limit", 700}, {"lmit", 1}});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].path, "limit");
  EXPECT_EQ(problems[0].message, "this must be between 1 and 100, not 700");
  EXPECT_EQ(problems[1].path, "lmit");
}

TEST(Effect, WhatCannotBeToldIsWrite) {
  struct Row {
    json::object arguments;
    Effect effect;
  };
  const ToolSpec command = test::run_command(kWorld)->spec();
  for (const auto& [arguments, effect] :
       {Row{{{"command", "ls -l"}}, Effect::read}, Row{{{"command", "ls; rm -rf /"}}, Effect::write},
        Row{{{"command", "make"}}, Effect::write}, Row{{{"command", 4}}, Effect::write}, Row{{}, Effect::write}}) {
    EXPECT_EQ(effect_of(command, arguments), effect) << json::serialize(arguments);
  }
  ToolSpec throwing = command;
  throwing.effect = [](const json::object& arguments) -> std::optional<Effect> {
    return arguments.at("nowhere").is_null() ? Effect::read : Effect::write;
  };
  EXPECT_EQ(effect_of(throwing, {}), Effect::write);
  EXPECT_EQ(effect_in_words(command), "by_arguments");
  EXPECT_EQ(effect_in_words(test::search_notes(kWorld)->spec()), "read");
}

TEST(Background, IsTakenOutBeforeTheToolSeesItsArguments) {
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  const auto moded = take_background(spec, {{"query", "slow"}, {"background", true}});
  ASSERT_OK(moded);
  EXPECT_EQ(moded->mode, CallMode::background);
  EXPECT_EQ(moded->arguments, (json::object{{"query", "slow"}}));
  EXPECT_EQ(take_background(spec, {{"query", "slow"}})->mode, CallMode::foreground);
  EXPECT_EQ(take_background(spec, {{"background", false}})->mode, CallMode::foreground);
  EXPECT_FAILS(take_background(spec, {{"background", "yes"}}), invalid_input);
  EXPECT_TRUE(offered_params(spec).at("properties").as_object().contains("background"));
}

TEST(Background, IsRefusedByTalkToolsAndThoseThatStartAChildRun) {
  ToolSpec talk = test::search_notes(kWorld)->spec();
  talk.category = "talk_tools";
  ToolSpec parent = test::search_notes(kWorld)->spec();
  parent.starts_child_run = true;
  for (const ToolSpec& spec : {talk, parent}) {
    EXPECT_FAILS(take_background(spec, {{"background", true}}), invalid_input);
    EXPECT_EQ(offered_params(spec), spec.params);
  }
}

}  // namespace
}  // namespace deputy::toolkit

// The tools of the families talk, tasks, history and investigate: what they say of themselves and hand to the layer
// above.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/loop.h"
#include "support/results.h"
#include "toolkit/registry.h"
#include "tools/history/history.h"
#include "tools/investigate/investigate.h"
#include "tools/talk/talk.h"
#include "tools/tasks/tasks.h"

namespace deputy::tools {
namespace {

using testing::HasSubstr;
using toolkit::DelegateKind;
using ToolPointer = std::shared_ptr<const toolkit::Tool>;

const json::object kForm{{"type", "object"}, {"properties", json::object{{"questions", json::object{}}}}};

std::vector<ToolPointer> all() {
  return {ask_user(kForm),         respond_directly(),        read_result(),
          list_background_tasks(), get_background_task(),     cancel_background_task(),
          start_sub_run(),         list_sub_runs(),           get_sub_run(),
          search_history(),        investigate_issue(nullptr)};
}

toolkit::Step call(const ToolPointer& tool, const json::object& arguments, std::optional<json::value> answer = {}) {
  const auto complete = tool->complete_arguments(arguments);
  EXPECT_OK(complete);
  auto pipeline = tool->compose(*complete);
  EXPECT_OK(pipeline);
  const std::string first = pipeline->links().front().name;
  auto link = std::move(*pipeline).take(first);
  EXPECT_OK(link);
  EXPECT_TRUE(link->handler.repeatable);
  toolkit::CallContext context;
  context.answer = std::move(answer);
  return test::run(link->handler.call(context));
}

TEST(OwnTools, KeepTheRulesOfTheRegistry) {
  toolkit::Registry registry;
  for (const ToolPointer& tool : all()) EXPECT_OK(registry.add(tool));
  EXPECT_EQ(registry.size(), 11U);
}

TEST(OwnTools, ChangeNothingOutside) {
  for (const ToolPointer& tool : all())
    EXPECT_EQ(toolkit::effect_of(tool->spec(), {}), toolkit::Effect::read) << tool->spec().name;
}

TEST(OwnTools, OnlyTheOneThatStopsATaskIsNotForRunsThatOnlyRead) {
  for (const ToolPointer& tool : all()) {
    EXPECT_EQ(toolkit::always_reads(tool->spec()), tool->spec().name != "cancel_background_task") << tool->spec().name;
  }
}

struct Delegating {
  std::string name;
  ToolPointer tool;
  json::object arguments;
  DelegateKind kind;
  json::object payload;
};

class OwnToolsDelegate : public testing::TestWithParam<Delegating> {};

TEST_P(OwnToolsDelegate, WhatNeedsARunOrTheStoreAndSayWhatCameBack) {
  const Delegating& row = GetParam();
  EXPECT_EQ(std::get<toolkit::Delegate>(call(row.tool, row.arguments)), (toolkit::Delegate{row.kind, row.payload}));
  const toolkit::Step answered = call(row.tool, row.arguments, json::value("it came back"));
  EXPECT_THAT(std::get<toolkit::Output>(answered).text, HasSubstr("it came back"));
}

json::object tasks(const char* of, const char* action, const char* id) {
  return {{"action", action}, {"of", of}, {"id", id}};
}

INSTANTIATE_TEST_SUITE_P(
    Tools, OwnToolsDelegate,
    testing::Values(
        Delegating{
            "ReadResult", read_result(), {{"call_id", "c1"}}, DelegateKind::result, {{"call_id", "c1"}, {"offset", 0}}},
        Delegating{"SearchHistory", search_history(), {{"query", "pool"}}, DelegateKind::history, {{"query", "pool"}}},
        Delegating{"ListTasks", list_background_tasks(), {}, DelegateKind::tasks, tasks("tasks", "list", "")},
        Delegating{
            "GetTask", get_background_task(), {{"task_id", "T"}}, DelegateKind::tasks, tasks("tasks", "get", "T")},
        Delegating{"CancelTask",
                   cancel_background_task(),
                   {{"task_id", "T"}},
                   DelegateKind::tasks,
                   tasks("tasks", "cancel", "T")},
        Delegating{"ListSubRuns", list_sub_runs(), {}, DelegateKind::tasks, tasks("sub_runs", "list", "")},
        Delegating{"GetSubRun", get_sub_run(), {{"id", "R"}}, DelegateKind::tasks, tasks("sub_runs", "get", "R")},
        Delegating{"StartSubRun",
                   start_sub_run(),
                   {{"task", "look"}, {"tools", json::array{"search_logs"}}},
                   DelegateKind::child_run,
                   {{"task", "look"}, {"label", ""}, {"tools", json::array{"search_logs"}}}}),
    [](const auto& row) { return row.param.name; });

TEST(RespondDirectly, ItsMessageIsTheResult) {
  EXPECT_EQ(std::get<toolkit::Output>(call(respond_directly(), {{"message", "All is well."}})).text, "All is well.");
}

TEST(AskUser, IsDescribedByTheFormOfItsOwnerAndNeverRun) {
  EXPECT_EQ(ask_user(kForm)->spec().params, kForm);
  const auto composed = ask_user(kForm)->compose({{"questions", json::array{}}});
  ASSERT_FALSE(composed.has_value());
  EXPECT_EQ(composed.error().kind, ErrorKind::invalid_input);
}

TEST(InvestigateIssue, StartsAChildRunThatOnlyReadsAndIsToldTheSections) {
  const json::object arguments{{"service", "checkout"}, {"environment", "prod"}, {"description", "it is slow"}};
  const auto delegate = std::get<toolkit::Delegate>(call(investigate_issue(nullptr), arguments));
  EXPECT_EQ(delegate.kind, DelegateKind::child_run);
  EXPECT_EQ(delegate.payload.at("reads_only"), true);
  EXPECT_EQ(delegate.payload.at("tool_turns"), 9);
  EXPECT_EQ(delegate.payload.at("label"), "investigate the service checkout in the environment prod");
  const std::string task(as_view(delegate.payload.at("task").as_string()));
  for (const char* word : {"checkout", "prod", "it is slow", "Summary, Evidence, Root-cause hypothesis, Recommended"})
    EXPECT_THAT(task, HasSubstr(word));
}

}  // namespace
}  // namespace deputy::tools

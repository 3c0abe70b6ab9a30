// The tools that need a run or the store, through the whole engine.
#include <gmock/gmock.h>

#include "e2e/engine.h"
#include "tools/history/history.h"
#include "tools/investigate/investigate.h"
#include "tools/talk/talk.h"
#include "tools/tasks/tasks.h"

namespace deputy::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class OwnTools : public Engine {
 protected:
  OwnTools() {
    for (const auto& tool :
         {tools::ask_user(json_schema<interaction::Form>()), tools::respond_directly(), tools::read_result(),
          tools::read_attachment(), tools::list_background_tasks(), tools::get_background_task(),
          tools::cancel_background_task(), tools::start_sub_run(), tools::list_sub_runs(), tools::get_sub_run(),
          tools::search_history(), tools::investigate_issue(nullptr)}) {
      EXPECT_OK(registry_.add(tool));
    }
    set([](policy::Settings& settings) { settings.channels["C1"].categories.reset(); });
  }

  static std::vector<std::string> offered(const model::Request& request) {
    std::vector<std::string> names;
    names.reserve(request.tools.size());
    for (const model::ToolDescription& tool : request.tools) names.push_back(tool.name);
    return names;
  }
};

TEST_F(OwnTools, WhatIsRespondedDirectlyIsTheAnswer) {
  script(ModelScript().calls("respond_directly", {{"message", "All is well."}}));
  says("U1", "how are things?");
  until_finished();
  EXPECT_EQ(answer(), "All is well.");
  EXPECT_THAT(transcript(), HasSubstr("All is well."));
}

TEST_F(OwnTools, AskUserIsOfferedWithTheSchemaOfAForm) {
  const auto model = script(ModelScript().says("Fine."));
  says("U1", "hello");
  until_finished();
  for (const model::ToolDescription& tool : model->requests().at(0).tools) {
    if (tool.name == "ask_user") EXPECT_EQ(tool.params, json_schema<interaction::Form>());
  }
  EXPECT_THAT(offered(model->requests().at(0)), Contains("ask_user"));
}

TEST_F(OwnTools, AResultThatWasCutIsReadOn) {
  world_->notes.clear();
  for (int i = 0; i < 90; ++i) world_->notes.push_back("note " + std::to_string(i) + std::string(200, '.'));
  script(ModelScript()
             .calls("search_notes", {{"query", "note"}, {"limit", 100}})
             .calls("read_result", {{"call_id", "call_1"}, {"offset", 8000}})
             .then_says("Done."));
  says("U1", "search");
  until_finished();
  EXPECT_THAT(result_of("call_1"), Not(HasSubstr("note 60.")));
  EXPECT_THAT(result_of("call_2"), HasSubstr("note 60."));
}

const json::object kCheckoutInProd{{"service", "checkout"}, {"environment", "prod"}};

TEST_F(OwnTools, AnInvestigationOnlyReadsAndReportsInSections) {
  const auto model =
      script(ModelScript()
                 .calls("investigate_issue", kCheckoutInProd)
                 .calls("restart_service", kCheckoutInProd)
                 .says("## Summary\nIt was slow [call_1].\n## Evidence\n- A deploy broke it [call_7].\n## Root-cause "
                       "hypothesis\nThe pool.\n## Recommended actions\n- Roll back.")
                 .then_says("That is all."));
  says("U1", "look into checkout in prod");
  until_finished(2);
  EXPECT_THAT(offered(model->requests().at(1)), Contains("search_notes"));
  EXPECT_THAT(offered(model->requests().at(1)), Not(Contains("restart_service")));
  EXPECT_THAT(offered(model->requests().at(1)), Not(Contains("investigate_issue")));
  EXPECT_EQ(call("call_1", 1)->request.tool, "search_history") << "what it begins with";
  EXPECT_THAT(result_of("call_2", 1), HasSubstr("this run may only read"));
  EXPECT_EQ(world_->restarts["checkout"], 0);
  const std::string report = result_of("call_1");
  EXPECT_THAT(report, HasSubstr("## Summary\nIt was slow [call_1].\n"));
  EXPECT_THAT(report, HasSubstr("[call_7]. _(unsupported: there is no call_7 in this investigation)_"));
  EXPECT_THAT(report, HasSubstr("The pool. _(unsupported: it names no call)_"));
  EXPECT_THAT(report, HasSubstr("- [call_2] `restart_service(service=checkout, environment=prod)`: no result: "));
}

struct EvidenceParams {
  std::string service;
  std::string environment;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&EvidenceParams::service, "service", "Which service");
    f.optional(&EvidenceParams::environment, "environment", "Where it runs");
  }
};

Task<toolkit::Step> step_of(Result<std::string> result) {
  if (!result) co_return result.error();
  co_return toolkit::Output{*std::move(result), {}};
}

/// A tool that looks at something, as a family that is set up, broken or not set up would have it.
std::shared_ptr<const toolkit::Tool> evidence(const std::string& name, Result<std::string> result,
                                              std::string missing = {}) {
  toolkit::ToolSpec spec{.name = name,
                         .version = 1,
                         .description = "Looks at something",
                         .category = "alarm_tools",
                         .effect = toolkit::Effect::read,
                         .missing = std::move(missing)};
  return toolkit::make_tool<EvidenceParams>(std::move(spec), [result = std::move(result)](const EvidenceParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "look", .repeatable = true, .call = [result](toolkit::CallContext&) { return step_of(result); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

class Investigations : public OwnTools {
 protected:
  Investigations() {
    EXPECT_OK(registry_.add(evidence("get_recent_errors", std::string("12 errors of checkout\n- 12 x timeout"))));
    EXPECT_OK(registry_.add(evidence("check_alarms", fail(ErrorKind::upstream, "Prometheus answered 502", "wait"))));
    EXPECT_OK(registry_.add(evidence("list_workloads", std::string(), "tools.cluster_tools.kubernetes.contexts")));
  }
};

TEST_F(Investigations, BeginWithEveryCallAtOnceAndNameWhatFailedOrIsNotSetUp) {
  const auto model = script(ModelScript()
                                .calls("investigate_issue", kCheckoutInProd)
                                .says("## Summary\n12 timeouts [call_1].\n## Evidence\n12 timeouts [call_1].\n## "
                                      "Root-cause hypothesis\nNone.\n## Recommended actions\nNone.")
                                .then_says("12 timeouts."));
  says("U1", "look into checkout in prod");
  until_finished(2);
  EXPECT_EQ(model->requests().size(), 3U) << "which calls it begins with is not the model's to say";
  EXPECT_EQ(state(1).calls.size(), 4U);
  EXPECT_EQ(result_of("call_1", 1), "12 errors of checkout\n- 12 x timeout");
  EXPECT_THAT(result_of("call_3", 1), HasSubstr("tools.cluster_tools.kubernetes.contexts"));
  const std::string report = result_of("call_1");
  EXPECT_THAT(report, HasSubstr("Investigated with 4 calls, 2 of which gave a result"));
  EXPECT_THAT(report, HasSubstr("`check_alarms()`: no result: Prometheus answered 502"));
  EXPECT_THAT(report, HasSubstr("`list_workloads(environment=prod)`: no result: 'list_workloads' is not set up here"));
}

TEST_F(Investigations, ReportByRuleWhereTheModelFails) {
  script(
      ModelScript().calls("investigate_issue", kCheckoutInProd).fails({ErrorKind::upstream, "overloaded"}).says("."));
  says("U1", "look into checkout in prod");
  until_finished(2);
  EXPECT_THAT(result_of("call_1"), HasSubstr("## Summary\n- 12 errors of checkout [call_1]"));
  EXPECT_THAT(result_of("call_1"), HasSubstr("The investigation ended with: I could not finish: overloaded"));
}

TEST_F(Investigations, ReportByRuleWhereTheBudgetIsSpent) {
  auto rules = std::make_shared<run::Rules>(*rules_);
  rules->budgets.run_usd = 0.5;
  rules_ = rules;
  script(ModelScript().calls("investigate_issue", kCheckoutInProd).then_says("Thanks.").costs(300'000));
  says("U1", "look into checkout in prod");
  until_finished(2);
  EXPECT_EQ(limited(1), "budget");
  EXPECT_THAT(result_of("call_1"), HasSubstr("## Summary\n- 12 errors of checkout [call_1]"));
  EXPECT_THAT(result_of("call_1"), HasSubstr("The investigation ended with: I stopped at a budget"));
}

TEST_F(Investigations, GoOnInAnotherProcessWithoutBeginningAgain) {
  script(ModelScript().calls("investigate_issue", kCheckoutInProd).hangs());
  says("U1", "look into checkout in prod");
  until([&] { return runs().size() == 2 && state(1).calls.size() == 4 && state(1).model_called_under != 0; });
  restart();
  script(ModelScript().says("Enough.").then_says("Thanks."));
  until_finished(2);
  EXPECT_EQ(state(1).calls.size(), 4U);
}

TEST_F(OwnTools, AnInvestigationHasATurnLimitOfItsOwn) {
  ModelScript turns;
  turns.calls("investigate_issue", kCheckoutInProd);
  for (int i = 0; i < 8; ++i) turns.calls("search_notes", {{"query", "note " + std::to_string(i)}});
  script(turns.says("Enough.").then_says("Thanks."));
  says("U1", "look into checkout in prod");
  until_finished(2);
  EXPECT_EQ(limited(1), "turns");
  EXPECT_EQ(state(1).tool_turns, 9) << "the first is that of the calls it begins with";
}

TEST_F(OwnTools, ASubRunAnswersItsCallAndIsListedByItsLabel) {
  script(ModelScript()
             .calls("start_sub_run", {{"task", "count the notes"}, {"label", "counting"}})
             .says("There are three.")
             .calls({{"list_sub_runs", {}}, {"list_background_tasks", {}}})
             .then_says("Three."));
  says("U1", "how many notes are there?");
  until_finished(2);
  EXPECT_EQ(result_of("call_1"), "There are three.");
  EXPECT_THAT(result_of("call_2"), HasSubstr(" answered: counting"));
  EXPECT_THAT(result_of("call_3"), HasSubstr("no background tasks"));
}

TEST_F(OwnTools, ASubRunIsShownWithItsAnswer) {
  script(ModelScript().calls("start_sub_run", {{"task", "count the notes"}}).says("There are three.").says("Three."));
  says("U1", "how many notes are there?");
  until_finished(2);
  const std::string child = runs().at(1).run.text();
  script(
      ModelScript().calls({{"get_sub_run", {{"id", child}}}, {"get_background_task", {{"task_id", child}}}}).says("."));
  says("U1", "what did it say?");
  until_finished(3);
  EXPECT_THAT(result_of("call_2", 2), HasSubstr("There are three.")) << "ids go on behind those of the conversation";
  EXPECT_THAT(result_of("call_3", 2), HasSubstr("there is no task"));
}

TEST_F(OwnTools, ABackgroundTaskIsListedAndShown) {
  script(ModelScript().calls("search_notes", {{"query", "slow"}, {"background", true}}).says("It works on."));
  says("U1", "search in the background");
  until_finished(2);
  const std::string task = runs().at(1).run.text();
  script(ModelScript()
             .calls({{"list_background_tasks", {}},
                     {"get_background_task", {{"task_id", task}}},
                     {"cancel_background_task", {{"task_id", task}}}})
             .says("."));
  says("U1", "and?");
  until_finished(3);
  EXPECT_THAT(result_of("call_2", 2), HasSubstr(task));
  EXPECT_THAT(result_of("call_3", 2), HasSubstr("checkout is slow"));
  EXPECT_EQ(result_of("call_4", 2), "It has finished already.");
}

TEST_F(OwnTools, HistoryFindsWhatWasAnsweredHere) {
  script(ModelScript().says("The pool was exhausted."));
  says("U1", "why did checkout fail?");
  until_finished();
  script(ModelScript().calls("search_history", {{"query", "pool"}}).says("Before."));
  says("U1", "did we have this before?");
  until_finished(2);
  EXPECT_THAT(result_of("call_1", 1), HasSubstr(runs().at(0).run.text()));
}

class Attachments : public OwnTools {
 protected:
  void asks_with(std::vector<channel::InboundFile> files, std::string text = "what does it say?") {
    channel::InboundMessage message;
    message.sender = {"scripted", "U1"};
    message.conversation = kThread;
    message.text = std::move(text);
    message.files = std::move(files);
    must(channel_->says(message));
  }
  static channel::InboundFile log_file(std::int64_t size = 100) { return {"F1", "errors.log", "text/plain", size}; }
  static bool offers(const model::Request& request, std::string_view tool) {
    return std::ranges::any_of(request.tools, [&](const auto& one) { return one.name == tool; });
  }
};

TEST_F(Attachments, ATextFileIsReadByATool) {
  channel_->has_file("F1", "checkout: out of memory");
  const auto model =
      script(ModelScript().calls("read_attachment", {{"file", "errors.log"}}).then_says("Out of memory."));
  asks_with({log_file()});
  until_finished();
  EXPECT_EQ(result_of("call_1"), "checkout: out of memory");
  EXPECT_TRUE(offers(model->requests().front(), "read_attachment"));
}

TEST_F(Attachments, ALongFileIsReadPageByPageWithoutItsSecrets) {
  const std::string secret = "password=hunter2hunter2hunter2";
  channel_->has_file("F1", std::string(7490, 'a') + " " + secret + " " + std::string(100, 'b'));
  script(ModelScript()
             .calls("read_attachment", {{"file", "errors.log"}})
             .calls("read_attachment", {{"file", "F1"}, {"offset", 7500}})
             .then_says("Read."));
  asks_with({log_file(7700)});
  until_finished();
  EXPECT_NE(result_of("call_1").find("read on with read_attachment(\"errors.log\", 7500)]"), std::string::npos)
      << result_of("call_1").substr(7000);
  EXPECT_NE(result_of("call_2").find(std::string(100, 'b')), std::string::npos);
  EXPECT_EQ((result_of("call_1") + result_of("call_2")).find("hunter2"), std::string::npos);
}

TEST_F(Attachments, WhatCannotBeReadIsNamedAsNotRead) {
  const auto model = script(ModelScript().calls("read_attachment", {{"file", "heap.bin"}}).then_says("I cannot."));
  asks_with({{"F2", "heap.bin", "application/octet-stream", 5}, {"F3", "big.log", "text/plain", 2 << 20}});
  until_finished();
  const std::string context = state().enriched.value_or(run::Enriched{}).context;
  EXPECT_NE(context.find(R"([Attached file "heap.bin" (application/octet-stream, 5 bytes): not read)"),
            std::string::npos)
      << context;
  EXPECT_NE(context.find(R"([Attached file "big.log" (text/plain, 2097152 bytes): not read)"), std::string::npos);
  EXPECT_EQ(status_of("call_1"), "error");
}

class ImagesOfRequests : public Attachments {
 protected:
  const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "a graph";

  std::shared_ptr<ScriptedModel> seeing(const ModelScript& replies) {
    auto model = script(replies);
    model->sees_images = true;
    return model;
  }
  static channel::InboundFile png(const std::string& id = "F5", std::int64_t size = 15) {
    return {id, id + ".png", "image/png", size};
  }
  /// The images of the request, in order; one without data is not sent.
  static std::vector<model::Image> images(const model::Request& request) {
    std::vector<model::Image> all;
    for (const model::Turn& turn : request.turns) {
      for (const model::Block& block : turn.blocks) {
        if (const auto* image = std::get_if<model::Image>(&block)) all.push_back(*image);
      }
    }
    return all;
  }
  std::string context(std::size_t run = 0) { return state(run).enriched.value_or(run::Enriched{}).context; }
  std::string journal() {
    std::string text;
    for (const store::EntryRow& row : must(store_->journal(runs().at(0).run, 1))) text += row.body;
    return text;
  }
};

TEST_F(ImagesOfRequests, AreShownToAModelThatTakesThemAndNotStored) {
  channel_->has_file("F5", kPng);
  const auto model = seeing(ModelScript().says("It goes up."));
  asks_with({png()});
  until_finished();
  const std::vector<model::Image> shown = images(model->requests().at(0));
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].media_type, "image/png");
  // By `printf '\x89PNG\r\n\x1a\na graph' | base64`.
  ASSERT_NE(shown[0].base64, nullptr);
  EXPECT_EQ(*shown[0].base64, "iVBORw0KGgphIGdyYXBo");
  EXPECT_NE(context().find(R"([Attached file "F5.png" (image/png, 15 bytes): shown above])"), std::string::npos)
      << context();
  EXPECT_EQ(journal().find("iVBORw0KGgo"), std::string::npos);
  EXPECT_EQ(journal().find("a graph"), std::string::npos);
}

TEST_F(ImagesOfRequests, AreNamedAsNotReadToAModelThatTakesNone) {
  channel_->has_file("F5", kPng);
  const auto model = script(ModelScript().says("I cannot see it."));
  asks_with({png()});
  until_finished();
  EXPECT_TRUE(images(model->requests().at(0)).empty());
  EXPECT_EQ(channel_->calls(Step::download), 0);
  EXPECT_NE(context().find("\"F5.png\" (image/png, 15 bytes): not read"), std::string::npos) << context();
}

TEST_F(ImagesOfRequests, AreAtMostFourThatAreSmallEnoughAndWhatTheySay) {
  for (const char* id : {"F1", "F2", "F3", "F4", "F5", "F6"}) channel_->has_file(id, kPng + id);
  channel_->has_file("F7", "<html>not an image</html>");
  const auto model = seeing(ModelScript().says("They go up."));
  asks_with({png("F0"), png("F7"), png("F1", 6 << 20), png("F2"), png("F3"), png("F4"), png("F5"), png("F6")});
  until_finished();
  EXPECT_EQ(images(model->requests().at(0)).size(), 4U);
  for (const char* not_read :
       {R"("F0.png" (image/png, 15 bytes): not read)", R"("F7.png" (image/png, 15 bytes): not read)",
        R"("F1.png" (image/png, 6291456 bytes): not read)", R"("F6.png" (image/png, 15 bytes): not read)"})
    EXPECT_NE(context().find(not_read), std::string::npos) << not_read;
}

TEST_F(ImagesOfRequests, AreReadAgainByWhoeverTakesTheRunUp) {
  channel_->has_file("F5", kPng);
  const auto model = seeing(ModelScript()
                                .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
                                .then_says("It went down."));
  asks_with({png()});
  until_asked();
  restart();
  clicks("U2", interaction::Control::approve_once);
  until_finished();
  const std::vector<model::Image> again = images(model->requests().at(1));
  ASSERT_EQ(again.size(), 1U);
  ASSERT_NE(again[0].base64, nullptr);
  EXPECT_EQ(channel_->calls(Step::download), 2);
}

TEST_F(ImagesOfRequests, ThatCanNoLongerBeReadAreNotSent) {
  channel_->has_file("F5", kPng);
  const auto model = seeing(ModelScript()
                                .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
                                .then_says("It went down."));
  asks_with({png()});
  until_asked();
  restart();
  channel_->has_file("F5", kPng + " that was changed");
  clicks("U2", interaction::Control::approve_once);
  until_finished();
  const std::vector<model::Image> again = images(model->requests().at(1));
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].base64, nullptr) << "a line stands in its place";
}

TEST_F(ImagesOfRequests, AreNotShownAgainInTheNextRun) {
  channel_->has_file("F5", kPng);
  const auto model = seeing(ModelScript().says("It goes up.").says("Since noon."));
  asks_with({png()});
  until_finished();
  says("U1", "since when?");
  until_finished(2);
  EXPECT_TRUE(images(model->requests().at(1)).empty());
  EXPECT_EQ(channel_->calls(Step::download), 1);
}

TEST_F(Attachments, OnlyFilesOfTheRequestAreRead) {
  channel_->has_file("F9", "of somebody else");
  script(ModelScript().calls("read_attachment", {{"file", "F9"}}).then_says("No."));
  asks_with({log_file()});
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_NE(result_of("call_1").find("these did: errors.log"), std::string::npos) << result_of("call_1");
}

TEST_F(Attachments, WithoutWordsTheRequestIsAboutTheFiles) {
  script(ModelScript().says("It is a log."));
  asks_with({log_file()}, "");
  until_finished();
  EXPECT_NE(state().request().text.find("attached files"), std::string::npos);
}

TEST_F(Attachments, WithoutFilesTheToolIsNotOffered) {
  const auto model = script(ModelScript().says("Hello."));
  says("U1", "hello");
  until_finished();
  EXPECT_FALSE(offers(model->requests().front(), "read_attachment"));
}

}  // namespace
}  // namespace deputy::test

// What the planner does after results: asks, calls again, tries one other tool, answers, and always ends.
#include "model/offline/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interaction/questions.h"
#include "model/offline/world.h"
#include "support/results.h"

namespace deputy::model::offline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const char* const kNoEnvironment = "ENVIRONMENT_REQUIRED: say which environment to search (known: prod, staging)";

Request log_question() {
  return ask(
      "errors for checkout-api",
      sorted({kAsk, tool("error_overview", "Counts the errors of a service", "service, environment"),
              tool("find_log_lines", "Finds errors and other lines in the logs", "query*, service, environment")}));
}

std::string form_answer(std::string_view label, std::string_view answer) {
  return fmt::format(R"({{"answers":[{{"question_label":"{}","answer":"{}","is_custom":false}}],"completed":true}})",
                     label, answer);
}

Request next(const Request& request, const std::vector<Answered>& answers) {
  return then(request, answer(request), answers);
}

TEST(OfflinePlan, AsksForTheEnvironmentThatAToolRequiresAndCallsAgain) {
  const Request first = log_question();
  EXPECT_EQ(in_one_line(first), R"(error_overview{"service":"checkout-api"})");
  const Request second = next(first, {{kNoEnvironment, true}});
  const Reply form = answer(second);
  EXPECT_EQ(
      in_one_line(form),
      R"(ask_user{"questions":[{"allow_custom":true,"label":"environment","options":[{"label":"prod","value":"prod"},)"
      R"({"label":"staging","value":"staging"}],"question":"Which environment?"}]})");
  EXPECT_OK(interaction::parse_form(std::get<Call>(form.blocks[0]).arguments));
  const Request third = next(second, {{form_answer("environment", "staging")}});
  EXPECT_EQ(in_one_line(third), R"(error_overview{"environment":"staging","service":"checkout-api"})");
  const Request fourth = next(third, {{"12 errors\n- a\n- b"}});
  EXPECT_THAT(in_one_line(fourth), AllOf(HasSubstr("12 errors"), Not(HasSubstr("ENVIRONMENT_REQUIRED"))));
}

TEST(OfflinePlan, AFormThatNobodyAnswersEndsIt) {
  const Request asked = next(log_question(), {{kNoEnvironment, true}});
  for (const char* result : {R"({"answers":[],"completed":false,"reason":"skipped by Ana"})",
                             R"({"answers":[],"completed":false,"reason":"expired: nobody answered in time"})"}) {
    const Reply reply = answer(next(asked, {{result}}));
    EXPECT_EQ(reply.stop, Stop::end_turn);
    EXPECT_THAT(text_of(reply), HasSubstr("`environment` was not answered"));
  }
  EXPECT_THAT(in_one_line(next(asked, {{"people are never asked for that", true}})), HasSubstr("never asked for that"));
}

TEST(OfflinePlan, AnAnswerThatDoesNotHelpIsNotAskedForAgain) {
  const auto tools = sorted({kAsk, tool("restart_it", "Restarts it", "service*, environment* prod|staging")});
  const Request asked = ask("restart checkout-api", tools);
  EXPECT_THAT(in_one_line(asked), HasSubstr("ask_user"));
  const Reply reply = answer(next(asked, {{form_answer("environment", "the blue one")}}));
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply), HasSubstr("`environment` (prod, staging)"));
}

TEST(OfflinePlan, WhereNobodyCanBeAskedItSaysWhatIsMissing) {
  const Reply reply =
      answer(ask("restart checkout-api", {tool("restart_it", "Restarts it", "service*, environment* a1|b2")}));
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply), AllOf(HasSubstr("`environment` (a1, b2)"), HasSubstr("offline planner")));
}

TEST(OfflinePlan, AQuestionOfTheIntentIsAskedBeforeTheCall) {
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.parameters.services = {"checkout"};
  intent.suggested_tools = {"error_overview"};
  intent.clarifications_needed = {"Which environment: prod, staging or dev?"};
  const Request request = ask("errors of checkout", intent, log_question().tools);
  EXPECT_THAT(in_one_line(request), AllOf(HasSubstr("ask_user"), HasSubstr(R"("value":"dev")")));
  EXPECT_EQ(in_one_line(next(request, {{form_answer("environment", "dev")}})),
            R"(error_overview{"environment":"dev","service":"checkout"})");
}

TEST(OfflinePlan, AfterAnErrorOneOtherToolIsTried) {
  const Request failed = next(log_question(), {{"the backend is not reachable", true}});
  EXPECT_EQ(in_one_line(failed), R"(find_log_lines{"query":"error","service":"checkout-api"})");
  const Reply found = answer(next(failed, {{"line 1\nline 2"}}));
  EXPECT_THAT(text_of(found), AllOf(HasSubstr("failed: the backend is not reachable"), HasSubstr("gave 2 lines")));
  const Reply nothing = answer(next(failed, {{"that one neither", true}}));
  EXPECT_EQ(nothing.stop, Stop::end_turn);
  EXPECT_THAT(text_of(nothing), AllOf(HasSubstr("is not reachable"), HasSubstr("that one neither")));
}

TEST(OfflinePlan, AServiceThatIsNotThereIsSaidAndNotAskedOfAnotherTool) {
  const Reply said = answer(next(log_question(), {{"there is no service `x`; did you mean `y`?", true}}));
  EXPECT_EQ(said.stop, Stop::end_turn);
  EXPECT_THAT(text_of(said), HasSubstr("did you mean `y`?"));
}

TEST(OfflinePlan, TheIntentsFallbackIsTriedFirst) {
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.suggested_tools = {"error_overview"};
  intent.fallback_options = {"gone", "restart_application", "open_alerts"};
  const Request failed = next(ask("errors", intent), {{"it failed", true}});
  EXPECT_EQ(in_one_line(failed), "open_alerts{}");
}

TEST(OfflinePlan, ADenialIsSaidAndNotGoneAround) {
  const Request request = ask("restart checkout-api in prod");
  EXPECT_EQ(in_one_line(request), R"(restart_application{"environment":"prod","service":"checkout-api"})");
  const Reply reply =
      answer(next(request, {{"Denied by bo, a person, with the reason: not now. It did not run.", true}}));
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply), AllOf(HasSubstr("was not run"), HasSubstr("not now")));
}

TEST(OfflinePlan, AChangeThatFailedOrMayHaveHappenedIsNotMadeAgain) {
  for (const char* result : {"It may have happened; check before doing it again.", "the cluster refused"}) {
    const Reply reply = answer(next(ask("restart checkout-api in prod"), {{result, true}}));
    EXPECT_EQ(reply.stop, Stop::end_turn);
    EXPECT_THAT(text_of(reply), HasSubstr(result));
  }
}

TEST(OfflinePlan, WithoutToolsItAnswersFromTheTurns) {
  Request request = next(log_question(), {{"3 errors\nall alike"}});
  request.tools.clear();
  EXPECT_THAT(in_one_line(request), HasSubstr("all alike"));
  EXPECT_EQ(answer(ask("errors?", std::vector<ToolDescription>{})).stop, Stop::end_turn);
  EXPECT_EQ(answer(Request{}).stop, Stop::end_turn);
}

TEST(OfflinePlan, WhereNoCallsArePossibleItMakesNone) {
  Request request = log_question();
  request.calls = Calls::none;
  EXPECT_EQ(answer(request).stop, Stop::end_turn);
  Request later = next(log_question(), {{"3 errors\nall alike"}});
  later.calls = Calls::none;
  EXPECT_THAT(in_one_line(later), HasSubstr("all alike"));
}

TEST(OfflinePlan, ANoteAddsToTheRequest) {
  Request request = next(log_question(), {{kNoEnvironment, true}});
  request.turns.back().blocks.emplace_back(Text{"in staging please"});
  EXPECT_EQ(in_one_line(request), R"(error_overview{"environment":"staging","service":"checkout-api"})");
}

TEST(OfflinePlan, AnEarlierRequestOfTheThreadIsOver) {
  Request request = log_question();
  request.turns.push_back({Role::assistant, {Text{"Three errors."}}});
  request.turns.push_back(
      {Role::user, {Text{"Bo: also look at the weather"}, Text{"find the logs with \"disk full\""}}});
  EXPECT_EQ(in_one_line(request), R"(find_log_lines{"query":"disk full"})");
}

TEST(OfflinePlan, NobodyIsAskedForWhatALineCannotHold) {
  const auto tools =
      sorted({kAsk, tool("edit_file", "Changes parts of a file of the workspace", "path*, edits:objects*")});
  for (const char* request : {"edit the file limits.conf", "edit a file", "please edit file src/a.conf"}) {
    const Reply reply = answer(ask(request, tools));
    EXPECT_EQ(reply.stop, Stop::end_turn) << request;
    EXPECT_THAT(text_of(reply), AllOf(HasSubstr("`edit_file`"), HasSubstr("`edits`"), HasSubstr("Nothing was done")));
  }
  // A list of plain values can be said.
  const auto labels = sorted({kAsk, tool("label_ticket", "Sets labels of a ticket", "labels:array*")});
  EXPECT_THAT(in_one_line(ask("set the ticket labels", labels)), HasSubstr("ask_user"));
}

TEST(OfflinePlan, EveryConversationEnds) {
  // Whatever a tool says, however often.
  for (const Answered& result : std::initializer_list<Answered>{{kNoEnvironment, true},
                                                                {"it failed", true},
                                                                {"", false},
                                                                {form_answer("environment", "prod"), false},
                                                                {form_answer("service", ""), false}}) {
    for (const char* text :
         {"errors and incidents and alerts", "restart checkout-api", "OPS-1, OPS-2 and OPS-3", "restart"}) {
      Request request = ask(text);
      std::size_t turns = 0;
      for (Reply reply = answer(request); reply.stop == Stop::calls; reply = answer(request)) {
        ASSERT_LE(++turns, kMostTurns) << text << " after " << result.text;
        request = then(request, reply, std::vector<Answered>(reply.blocks.size(), result));
      }
    }
  }
}

}  // namespace
}  // namespace deputy::model::offline

// What the planner does with a request and after results: asks, calls, answers, and always ends.
#include "model/offline/planner.h"

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
using testing::StartsWith;

const char* const kWhichEnvironment =
    R"(ask_user{"questions":[{"label":"environment","question":"Which environment?","parameter":)"
    R"("count_errors.environment","options":[{"value":"prod","label":"prod"},{"value":"staging","label":"staging"}],)"
    R"("allow_custom":true}]})";

Request next(const Request& request, const std::vector<Answered>& answers) {
  return then(request, answer(request, shop()), answers);
}

std::string form_answer(std::string_view label, std::string_view answer) {
  return fmt::format(R"({{"answers":[{{"question_label":"{}","answer":"{}","is_custom":false}}],"completed":true}})",
                     label, answer);
}

/// All tools but one.
std::vector<ToolDescription> offered_but(std::string_view name) {
  std::vector<ToolDescription> tools = offered(shop());
  std::erase_if(tools, [&](const ToolDescription& tool) { return tool.name == name; });
  return tools;
}

struct Row {
  std::string_view request;
  std::string_view expected;
};

void expect_all(std::initializer_list<Row> rows) {
  for (const auto& [request, expected] : rows) EXPECT_EQ(in_one_line(ask(request)), expected) << request;
}

TEST(OfflinePlanner, FillsParametersByTheirKinds) {
  expect_all({
      {"errors in cart prod", R"(count_errors{"environment":"prod","service":"cart"})"},
      {"what fails in production?", R"(count_errors{"environment":"prod"})"},
      {"errors of the basket on live in the last 2 hours",
       R"(count_errors{"environment":"prod","from":"2026-11-18T08:30:00.000Z","service":"cart",)"
       R"("to":"2026-11-18T10:30:00.000Z"})"},
      {"errors of cart and payments in staging", R"(count_errors{"environment":"staging","service":"cart"} )"
                                                 R"(count_errors{"environment":"staging","service":"pay-core"})"},
      {"search the prod logs for \"pool is full\"", R"(find_lines{"environment":"prod","query":"pool is full"})"},
      {"last 20 lines of the cart logs in prod", R"(tail_logs{"environment":"prod","limit":20,"service":"cart"})"},
      {"last 99 lines of the cart logs in prod", R"(tail_logs{"environment":"prod","limit":50,"service":"cart"})"},
      {"what is the mailer?", R"(describe_service{"service":"mailer"})"},
      {"cart?", R"(describe_service{"service":"cart"})"},
      {"read the file docs/limits.conf.", R"(read_file{"path":"docs/limits.conf"})"},
      {"show task 01ABC", R"(read_task{"task_id":"01ABC"})"},
      {"run `ls -l`", R"(run_command{"line":"ls -l"})"},
      {"restart the cart in staging", R"(restart{"environment":"staging","service":"cart"})"},
  });
}

TEST(OfflinePlanner, WithoutAnEnvironmentPeopleAreAskedOnceAndTheAnswerIsUsed) {
  for (const char* request : {"errors in the cart", "errors in prod and staging", "show me errors"})
    EXPECT_EQ(in_one_line(ask(request)), kWhichEnvironment) << request;
  const Request asked = ask("errors in the cart");
  EXPECT_OK(interaction::parse_form(std::get<Call>(answer(asked, shop()).blocks[0]).arguments));
  EXPECT_EQ(in_one_line(next(asked, {{form_answer("environment", "staging")}})),
            R"(count_errors{"environment":"staging","service":"cart"})");
  for (const char* result : {R"({"answers":[],"completed":false,"reason":"skipped by Ana"})", "no form", "{}"}) {
    const Reply reply = answer(next(asked, {{result}}), shop());
    EXPECT_EQ(reply.stop, Stop::end_turn);
    EXPECT_THAT(text_of(reply), HasSubstr("environment was not answered: ")) << result;
  }
}

TEST(OfflinePlanner, OneOfTheChoicesIsTakenAndAnotherIsNotAskedForAgain) {
  EXPECT_THAT(in_one_line(ask("which severity is it?")),
              AllOf(HasSubstr(R"("value":"low")"), HasSubstr(R"("allow_custom":false)")));
  const Request form = ask("which severity is it?");
  EXPECT_EQ(in_one_line(next(form, {{form_answer("severity", "HIGH")}})), R"(triage{"severity":"high"})");
  const Reply reply = answer(next(form, {{form_answer("severity", "odd")}}), shop());
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply), HasSubstr("`triage` needs `severity`, which I cannot find in the request"));
}

TEST(OfflinePlanner, WhereNobodyCanBeAskedItSaysWhatIsMissing) {
  Request request = ask("restart the cart");
  request.tools = offered_but("ask_user");
  EXPECT_THAT(in_one_line(request), HasSubstr("`restart` needs `environment`, which I cannot find in the request"));
}

TEST(OfflinePlanner, AnErrorIsSaid) {
  const Reply said = answer(next(ask("errors in cart prod"), {{"the backend is not reachable", true}}), shop());
  EXPECT_EQ(said.stop, Stop::end_turn);
  EXPECT_THAT(text_of(said), StartsWith("errors · cart · prod · last 4 hours\nFailed: the backend is not reachable\n"));
}

TEST(OfflinePlanner, WhatChangesSomethingIsNeverTriedAgain) {
  const Request request = ask("restart the cart in prod");
  for (const char* result : {"Denied by bo: not now. It did not run.", "it broke"}) {
    const Reply reply = answer(next(request, {{result, true}}), shop());
    EXPECT_EQ(reply.stop, Stop::end_turn) << result;
    EXPECT_THAT(text_of(reply), HasSubstr(result));
  }
  EXPECT_THAT(in_one_line(next(request, {{"It may have happened: the connection was lost", true}})),
              HasSubstr("Its outcome is not known: "));
}

TEST(OfflinePlanner, WhatALineCannotHoldIsNotAskedFor) {
  EXPECT_THAT(in_one_line(ask("edit the file limits.conf")),
              StartsWith("`edit_file` needs `edits`, which I cannot find in the request. "));
}

TEST(OfflinePlanner, ATimeThatCannotBeLookedAtIsSaidAndNothingIsCalled) {
  for (const char* request :
       {"errors in cart prod on 2026-02-30", "errors in cart prod tomorrow", "logs of cart in prod from 10:00 to 09:00",
        "errors in cart prod in the last 99999 weeks"}) {
    EXPECT_THAT(in_one_line(ask(request)), StartsWith("I did not look anything up: `")) << request;
  }
  // An aside is no time to look at, and a tool that takes no time does not mind.
  expect_all(
      {{"Any errors in cart prod? We go live tomorrow", R"(count_errors{"environment":"prod","service":"cart"})"},
       {"what is cart about, tomorrow?", R"(describe_service{"service":"cart"})"}});
}

TEST(OfflinePlanner, WhatIsNotSetUpSaysWhatToSet) {
  std::vector<toolkit::ToolSpec> specs = shop_tools();
  for (toolkit::ToolSpec& spec : specs) {
    if (spec.name == "count_errors") spec.missing = "set tools.logs.root to the folder of the logs";
  }
  const toolkit::Registry registry = registry_of(specs);
  EXPECT_THAT(
      in_one_line(ask("errors in cart prod", registry), registry),
      StartsWith("That needs `count_errors`, which is not set up here: set tools.logs.root to the folder of the "
                 "logs. Run `deputy doctor`"));
  // What may not be used here gives way to the next that fits.
  Request request = ask("errors in cart prod with \"x\"");
  request.tools = offered_but("find_lines");
  EXPECT_EQ(in_one_line(request), R"(count_errors{"environment":"prod","service":"cart"})");
}

TEST(OfflinePlanner, WhatItDoesNotUnderstandItSaysInALineWithThreeExamples) {
  const std::string_view examples =
      "Try “errors in my-service prod”, “what is my-service?”, “search the logs for timeout”.\n\n_This is the "
      "offline "
      "planner";
  for (const char* request : {"hello", "thanks!", "who won the match?", "is the moon full?", ""})
    EXPECT_THAT(in_one_line(ask(request)),
                StartsWith(fmt::format("Without a model I can only look things up. {}", examples)))
        << request;
  for (const char* request : {"delete all files", "drop the database", "send a mail to Ana", "scale the cart to 5"})
    EXPECT_THAT(in_one_line(ask(request)),
                StartsWith(fmt::format("None of my tools does that, so nothing was changed. {}", examples)))
        << request;
  Request bare = ask("hello");
  bare.tools = {};
  EXPECT_THAT(in_one_line(bare), HasSubstr("At the moment I have no tools."));
}

/// A request after one that called what it names and was answered.
std::string after(std::string_view first, std::string_view second) {
  Request request = ask(first);
  const Reply calls = answer(request, shop());
  request = then(std::move(request), calls, std::vector<Answered>(calls.blocks.size(), {"3 errors\nx"}));
  request.turns.push_back({Role::assistant, answer(request, shop()).blocks});
  request.turns.push_back(asked(second, shop()));
  return in_one_line(request);
}

TEST(OfflinePlanner, AFollowUpTakesWhatItDoesNotName) {
  struct FollowUp {
    std::string_view first, second, expected;
  };
  constexpr std::string_view kYesterday =
      R"(count_errors{"environment":"prod","from":"2026-11-17T00:00:00.000Z","service":"cart","to":"2026-11-18T00:00:00.000Z"})";
  for (const auto& [first, second, expected] : std::initializer_list<FollowUp>{
           {"errors in cart prod", "same for staging", R"(count_errors{"environment":"staging","service":"cart"})"},
           {"errors in cart prod", "and yesterday?", kYesterday},
           {"errors in cart staging yesterday", "same in prod", kYesterday},
           {"errors in cart prod", "what about the mailer?",
            R"(count_errors{"environment":"prod","service":"mailer"})"},
           {"errors in cart prod", "staging?", R"(count_errors{"environment":"staging","service":"cart"})"},
           {"errors in cart prod", "and the logs?", R"(tail_logs{"environment":"prod","service":"cart"})"},
           {"errors in cart and mailer prod", "same for staging",
            R"(count_errors{"environment":"staging","service":"cart"} )"
            R"(count_errors{"environment":"staging","service":"mailer"})"},
           {"search the prod logs for deadlock", "same in staging",
            R"(find_lines{"environment":"staging","query":"deadlock"})"},
           {"errors in cart prod", "again", R"(count_errors{"environment":"prod","service":"cart"})"},
           {"what is cart about", "and pay-core?", R"(describe_service{"service":"pay-core"})"},
           // A whole request takes nothing over.
           {"errors in cart prod yesterday", "errors in mailer staging",
            R"(count_errors{"environment":"staging","service":"mailer"})"},
       }) {
    EXPECT_EQ(after(first, second), expected) << first << " / " << second;
  }
  EXPECT_THAT(after("errors in cart prod", "hello"), StartsWith("Without a model"));
  EXPECT_THAT(after("errors in cart prod", "scale the mailer in staging"), StartsWith("None of my tools does that"));
  // What changes something is ordered each time.
  EXPECT_THAT(after("restart the cart in prod", "same for staging"), StartsWith("Without a model"));
}

TEST(OfflinePlanner, AFollowUpOfAFollowUpKnowsWhatWasCalled) {
  Request request = ask("errors in cart");
  request = next(next(request, {{form_answer("environment", "prod")}}), {{"3 errors"}});
  for (const char* follow_up : {"same for staging", "and yesterday?"}) {
    request.turns.push_back({Role::assistant, {Text{"…"}}});
    request.turns.push_back(asked(follow_up, shop()));
    request = next(request, {{"2 errors"}});
  }
  const Call* last = nullptr;
  for (const Turn& turn : request.turns) {
    for (const Block& block : turn.blocks) last = std::holds_alternative<Call>(block) ? &std::get<Call>(block) : last;
  }
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->arguments, parse_json_object(R"({"service":"cart","environment":"staging","from":
      "2026-11-17T00:00:00.000Z","to":"2026-11-18T00:00:00.000Z"})"));
}

TEST(OfflinePlanner, WithoutCallsItSaysWhatItHas) {
  Request request = next(ask("errors in cart prod"), {{"3 errors\nx"}});
  request.calls = Calls::none;
  EXPECT_THAT(in_one_line(request), HasSubstr("3 errors"));
  request = ask("errors in cart prod");
  request.calls = Calls::none;
  EXPECT_THAT(in_one_line(request), StartsWith("I did not call any tool for this."));
}

}  // namespace
}  // namespace deputy::model::offline

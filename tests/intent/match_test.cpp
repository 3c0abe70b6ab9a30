#include "intent/match.h"

#include <gtest/gtest.h>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

std::string best_for(std::string_view request) {
  const auto tools = extract(request, sample_vocabulary()).suggested_tools;
  return tools.empty() ? std::string() : tools.front();
}

TEST(Match, MostWordsThenMostNamedThenFewestMissing) {
  for (const auto& [request, expected] : std::initializer_list<Row>{
           {"show me errors in prod", "count_errors"},
           {"what is failing in prod?", "count_errors"},
           {"errors of checkout with \"deadlock\" in prod", "find_lines"},
           {"show the logs of checkout in prod", "read_lines"},
           {"search the prod logs for timeout", "find_lines"},
           {"last 20 log lines of checkout in prod", "read_lines"},
           {"which services are there?", "services"},
           {"which service has the most errors in prod?", "count_errors"},
           {"tell me about checkout", "describe_service"},
           {"what was asked about timeouts before?", "search_past"},
           {"show background task 42", "read_task"},
           {"use find_lines please", "find_lines"},
           {"hello", ""},
       }) {
    EXPECT_EQ(best_for(request), expected) << request;
  }
}

TEST(Match, NamesAloneGetWhatNeedsJustThem) {
  EXPECT_EQ(best_for("checkout?"), "describe_service");
  EXPECT_EQ(best_for("what is auth?"), "describe_service");
  EXPECT_EQ(best_for("staging?"), "");
}

TEST(Match, AChangeMustBeOrdered) {
  EXPECT_EQ(best_for("restart the service checkout in prod"), "restart");
  EXPECT_EQ(best_for("please reboot the checkout service"), "restart");
  EXPECT_EQ(best_for("why did the restart of the service fail"), "count_errors");
  EXPECT_EQ(best_for("how do I restart a service?"), "services");
  EXPECT_EQ(best_for("run `ls -l`"), "run_command");
  EXPECT_EQ(best_for("the run of `ls -l` was slow"), "");
  // What is ordered and no tool does gets none that reads either.
  EXPECT_EQ(best_for("delete the logs of checkout"), "");
  EXPECT_EQ(best_for("stop checkout in prod"), "");
}

TEST(Match, WordsInQuotesAreWhatIsLookedForNotWhatIsWanted) {
  EXPECT_EQ(best_for("search history for \"errors in the logs\""), "search_past");
  EXPECT_EQ(best_for("run `cat errors`"), "run_command");
}

TEST(FillIn, ReplacesKindsAndSaysAllServices) {
  const auto fill = [](std::string_view text) {
    return fill_in(text, [](ParameterKind kind) { return kind == ParameterKind::query ? "x" : std::string(); });
  };
  EXPECT_EQ(fill("logs of {service} with {query} in {environment}"), "logs of all services with x in …");
  EXPECT_EQ(fill("{nothing} {"), "{nothing} {");
  EXPECT_EQ(fill(""), "");
}

}  // namespace
}  // namespace deputy::intent

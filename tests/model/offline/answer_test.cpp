// What the answer shows: what was understood, the verdict, at most ten lines, how to see the rest.
#include "model/offline/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/offline/world.h"

namespace deputy::model::offline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string answered(std::string_view request, const std::vector<Answered>& results) {
  const Request asked = ask(request);
  return in_one_line(then(asked, answer(asked, shop()), results));
}

TEST(OfflineAnswer, ShowsWhatWasUnderstoodThenTheVerdictThenEvidence) {
  const std::string text =
      answered("errors in cart prod between 04:00 and 08:00",
               {{"30 errors, all “timeout”, the last at 04:05; none since\n30 × timeout\n\nRead 1 file."}});
  EXPECT_EQ(text,
            "errors · cart · prod · 04:00–08:00 UTC\n"
            "30 errors, all “timeout”, the last at 04:05; none since\n"
            "\n```\n30 × timeout\nRead 1 file.\n```\n"
            "\n_This is the offline planner: it picks tools by rule and quotes what they say. Set a model key, such as "
            "`ANTHROPIC_API_KEY`, for real answers._");
}

TEST(OfflineAnswer, WhatAFileHoldsIsQuotedWithoutAVerdict) {
  EXPECT_THAT(answered("read the file limits.conf", {{"a = 1\nb = 2"}}),
              StartsWith("file · limits.conf\n\n```\na = 1\nb = 2\n```\n\n_This"));
}

TEST(OfflineAnswer, SaysWhatEachCallWasAbout) {
  const auto first_line = [](std::string_view request) {
    const std::string text = answered(request, {{"verdict"}});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line("what fails in prod?"), "errors · all services · prod · last 4 hours");
  EXPECT_EQ(first_line("errors in nosuchservice in prod"), "errors · all services · prod · last 4 hours");
  EXPECT_EQ(first_line("errors in cart prod yesterday"),
            "errors · cart · prod · 2026-11-17 00:00 – 2026-11-18 00:00 UTC");
  EXPECT_EQ(first_line("errors in cart prod on 2026-11-17 from 04:00 to 05:00"),
            "errors · cart · prod · 2026-11-17 04:00–05:00 UTC");
  EXPECT_EQ(first_line("search the prod logs for disk"), "logs · `disk` · all services · prod · last 4 hours");
  EXPECT_EQ(first_line("last 5 lines of the cart logs in prod"), "logs · cart · prod · at most 5");
  EXPECT_EQ(first_line("read the file limits.conf"), "file · limits.conf");
}

TEST(OfflineAnswer, ShowsTenLinesAndHowToSeeTheRest) {
  std::string result = "verdict";
  for (int i = 1; i <= 30; ++i) result += fmt::format("\nline {}", i);
  const std::string text = answered("errors in cart prod", {{result}});
  EXPECT_THAT(text, AllOf(HasSubstr("\nline 1\n"), HasSubstr("\nline 10\n"), Not(HasSubstr("line 11")),
                          HasSubstr("20 more lines in the details of this run.")));
  // Of what stands oldest first the end is the newest.
  const std::string tail =
      answered("errors in cart prod", {{"verdict\nThe newest 30, oldest first:" + result.substr(7)}});
  EXPECT_THAT(tail, AllOf(HasSubstr("\nline 30\n"), HasSubstr("\nline 21\n"), Not(HasSubstr("line 20\n"))));
}

TEST(OfflineAnswer, SeveralCallsShareTheLines) {
  std::string result = "verdict";
  for (int i = 1; i <= 30; ++i) result += fmt::format("\nline {}", i);
  const std::string text = answered("errors in cart and mailer prod", {{result}, {"none\n"}});
  EXPECT_THAT(text, AllOf(StartsWith("errors · cart · prod"), HasSubstr("\nerrors · mailer · prod"),
                          HasSubstr("line 5\n"), Not(HasSubstr("line 6\n")), HasSubstr("\nnone\n")));
}

TEST(OfflineAnswer, NothingEndsTheQuoteAndTheVerdictStaysALine) {
  const std::string text = answered("errors in cart prod", {{"`ver`dict\n```\nout of it\n````"}});
  EXPECT_THAT(text, AllOf(HasSubstr("'ver'dict\n"), HasSubstr("\n`````\n```\nout of it\n````\n`````\n")));
  EXPECT_THAT(answered("errors in cart prod", {{""}}), HasSubstr("\nNothing was found.\n"));
  EXPECT_THAT(answered("errors in cart prod", {{"\xff"}}), HasSubstr("\xEF\xBF\xBD"));
}

TEST(OfflineAnswer, LongLinesAreCutToFit) {
  const std::string text = answered("errors in cart prod", {{std::string(9000, 'v') + "\n" + std::string(9000, 'x')}});
  EXPECT_LT(count_characters(text), 1200U);
  Request asked = ask("errors in cart prod");
  asked.max_tokens = 400;
  const Reply calls = answer(asked, shop());
  EXPECT_LE(count_characters(text_of(answer(then(asked, calls, {{std::string(9000, 'v')}}), shop()))), 1600U);
}

}  // namespace
}  // namespace deputy::model::offline

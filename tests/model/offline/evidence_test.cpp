// What of a long result an answer quotes.
#include "model/offline/evidence.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"

namespace deputy::model::offline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string lines(std::string_view word, int count) {
  std::string text;
  for (int at = 1; at <= count; ++at) text += fmt::format("{} {} of what a line of this says\n", word, at);
  return text;
}

TEST(OfflineEvidence, WhatFitsIsWhole) {
  EXPECT_EQ(quote("one\n\ntwo", 8), "```\none\n\ntwo\n```");
  EXPECT_THAT(quote("one\n\ntwo", 7), HasSubstr("(cut: "));
}

TEST(OfflineEvidence, OfWhatIsOldestFirstTheNewestIsKept) {
  const std::string report = "40 errors: checkout in prod\n\nThe newest 30 of 40, oldest first:\n" +
                             lines("entry", 30) + "\nRead 3 files: 812 lines.\n";
  const std::string quoted = quote(report, 500);
  EXPECT_THAT(quoted,
              AllOf(HasSubstr("40 errors: checkout in prod\n"), HasSubstr("oldest first:\n(… "), HasSubstr("entry 30 "),
                    HasSubstr("entry 29 "), HasSubstr("Read 3 files"), Not(HasSubstr("entry 1 "))));
}

TEST(OfflineEvidence, ALineThatOnlyHappensToSayOldestFirstIsCut) {
  const std::string report = "oldest first " + std::string(5000, 'x') + "\n" + lines("entry", 30);
  const std::string quoted = quote(report, 500);
  EXPECT_LT(quoted.size(), 900U);
  EXPECT_THAT(quoted, AllOf(HasSubstr("oldest first xxx"), HasSubstr("more characters]"), HasSubstr("entry 30 ")));
  EXPECT_LT(quote("oldest first " + std::string(5000, 'x'), 500).size(), 900U);
}

TEST(OfflineEvidence, WhereOnlyEmptyLinesAreLeftOutNothingIsSaidOfIt) {
  const std::string head = lines("entry", 3);
  const std::string quoted = quote(head + std::string(400, '\n'), 300);
  EXPECT_THAT(quoted, AllOf(HasSubstr("entry 3 "), Not(HasSubstr("left out"))));
  EXPECT_THAT(quote("oldest first:\n" + head + std::string(400, '\n'), 300),
              AllOf(HasSubstr("entry 1 "), Not(HasSubstr("left out"))));
}

TEST(OfflineEvidence, EverySectionKeepsItsHead) {
  const std::string report = "## Summary\n" + lines("summary", 3) + "## Evidence\n" + lines("evidence", 60) +
                             "## Root-cause hypothesis\n" + lines("cause", 40) + "\n## Recommended actions\n" +
                             lines("action", 2);
  const std::string quoted = quote(report, 1200);
  for (const char* kept : {"## Summary", "summary 3 ", "## Evidence", "evidence 1 ", "## Root-cause hypothesis",
                           "cause 1 ", "## Recommended actions", "action 2 ", "lines left out"}) {
    EXPECT_THAT(quoted, HasSubstr(kept));
  }
  EXPECT_THAT(quoted, Not(HasSubstr("evidence 60 ")));
}

TEST(OfflineEvidence, OfMoreSectionsThanCanBeShownTheBeginningIs) {
  std::string text;
  for (int at = 0; at < 100; ++at) text += fmt::format("paragraph {} with a few words in it\n\n", at);
  EXPECT_THAT(quote(text, 600), AllOf(HasSubstr("paragraph 0 "), HasSubstr("paragraph 9 "), HasSubstr("left out")));
}

TEST(OfflineEvidence, HowToSeeTheRestIsSaid) {
  EXPECT_THAT(quote(lines("x", 50), 300), AllOf(HasSubstr("ask for less"), HasSubstr("deputy runs show RUN --json")));
}

TEST(OfflineEvidence, OneEndlessLineIsCut) {
  const std::string quoted = quote(std::string(5000, 'x'), 300);
  EXPECT_LT(quoted.size(), 800U);
  EXPECT_THAT(quoted, HasSubstr("xxx"));
}

RC_GTEST_PROP(OfflineEvidenceProperty, AnyTextFitsAndCannotEndItsFence, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "\n", "\n\n", "# b", "```", "oldest first:", "ü", "a long line of words"));
  const std::string text = join(parts, "");
  const std::size_t most = *rc::gen::inRange<std::size_t>(0, 400);
  const std::string quoted = quote(text, most);
  RC_ASSERT(is_valid_utf8(quoted));
  const std::size_t marks = 40 * (1 + most / 80);
  RC_ASSERT(count_characters(quoted) <= most + marks + 2 * (text.size() + 4) + 260);
  if (count_characters(text) <= most) RC_ASSERT(quoted.contains(text));
}

}  // namespace
}  // namespace deputy::model::offline

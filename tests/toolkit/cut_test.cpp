#include "toolkit/cut.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace deputy::toolkit {
namespace {

std::string letters(std::size_t count) { return std::string(count, 'a'); }

TEST(CutResult, OfAShortTextIsTheText) {
  EXPECT_EQ(cut_result("two notes", "c1", {}, {}), (CutResult{"two notes", "two notes"}));
  EXPECT_EQ(cut_result(letters(8000), "c1", {}, {}).shown, letters(8000));
}

TEST(ForPeople, LeavesOutHowAModelReadsOn) {
  const std::string shown = cut_result(letters(9000), "c1", {}, {}).shown;
  EXPECT_TRUE(shown.contains("read_result(\"c1\""));
  const std::string people = for_people(shown);
  EXPECT_TRUE(people.ends_with("a\n[cut: characters 1 to 7871 of 9000]")) << people.substr(people.size() - 100);
  EXPECT_EQ(for_people("[1] read_result(\"x\") is a tool\nlast"), "[1] read_result(\"x\") is a tool\nlast");
}

TEST(CutResult, SaysWhatWasCutAndHowToReadOn) {
  const CutResult result = cut_result(letters(8001), "c1", {}, {});
  EXPECT_EQ(result.whole, letters(8001));
  EXPECT_EQ(count_characters(result.shown), 8000U);
  const std::string line =
      "\n[cut: characters 1 to 7871 of 8001; read on with read_result(\"c1\", 7871), or ask for less: a narrower "
      "question, a smaller limit]";
  EXPECT_EQ(result.shown, letters(8000 - line.size()) + line);
  EXPECT_EQ(8000 - line.size(), 7871U);
}

TEST(CutResult, CountsCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 8000; ++i) text += "ä";
  EXPECT_EQ(cut_result(text, "c1", {}, {}).shown, text);
}

TEST(CutResult, KeepsAtMostAMegabyteAndSaysSo) {
  const CutResult result = cut_result(letters(3'000'000), "c1", {}, {});
  EXPECT_LE(result.whole.size(), 1'000'000U);
  EXPECT_GT(result.whole.size(), 900'000U);
  EXPECT_TRUE(result.whole.ends_with("a\n[the result was 3000000 bytes long; only this part was kept: ask for less]"));
  EXPECT_EQ(cut_result(letters(1'000'000), "c1", {}, {}).whole, letters(1'000'000));
}

TEST(CutResult, ReplacesBytesThatAreNoText) { EXPECT_EQ(cut_result("a\xFFz", "c1", {}, {}).shown, "a\uFFFDz"); }

TEST(CutResult, IsCompactedAndSaysWhereTheWholeIs) {
  const Compaction first_line = [](std::string_view text) { return std::string(text.substr(0, text.find('\n'))); };
  const CutResult result = cut_result("first\nsecond", "c1", {}, first_line);
  EXPECT_EQ(result.whole, "first\nsecond");
  EXPECT_EQ(result.shown, "first\n[shortened from 12 characters; full text: read_result(\"c1\", 0)]");
  EXPECT_EQ(cut_result("first", "c1", {}, first_line).shown, "first");
}

TEST(CutResult, ThatIsLongAfterCompactionIsCutToo) {
  const Compaction half = [](std::string_view text) { return std::string(text.substr(0, text.size() / 2)); };
  const CutResult result = cut_result(letters(100'000), "c1", {}, half);
  EXPECT_EQ(count_characters(result.shown), 8000U);
  EXPECT_TRUE(result.shown.ends_with(
      "a\n[shortened from 100000 characters, and cut here; full text: read_result(\"c1\", 0); or ask for less]"));
}

TEST(CutResult, ACompactionThatThrowsIsLeftOut) {
  const Compaction throwing = [](std::string_view) -> std::string { throw std::runtime_error("a bug"); };
  EXPECT_EQ(cut_result("two notes", "c1", {}, throwing).shown, "two notes");
}

// What it looks for, and nothing shorter: half of it would pass.
std::string redact_word(std::string_view text) {
  std::string redacted(text);
  for (std::size_t at = 0; (at = redacted.find("SECRETSECRET", at)) != std::string::npos;) {
    redacted.replace(at, 12, "[redacted]");
  }
  return redacted;
}

TEST(CutResult, IsRedactedBeforeItIsCut) {
  const CutLimits limits{.shown = 120, .whole = 100'000};
  for (std::size_t before = 0; before < 130; ++before) {
    const CutResult result = cut_result(letters(before) + "SECRETSECRET" + letters(200), "c1", redact_word, {}, limits);
    EXPECT_EQ(result.shown.find("SECRET"), std::string::npos) << before;
    EXPECT_EQ(result.whole.find("SECRET"), std::string::npos) << before;
  }
}

TEST(CutResult, ASecretThatTheFirstCutSplitsIsGone) {
  const CutLimits limits{.shown = 8000, .whole = 10'000};
  const std::size_t edge = 10'000 + 64 * 1024;
  const CutResult result =
      cut_result(letters(edge - 6) + "SECRETSECRET" + letters(100'000), "c1", redact_word, {}, limits);
  EXPECT_EQ(result.whole.find("SECRET"), std::string::npos);
}

TEST(CutResult, IsWithheldWhenItCannotBeRedacted) {
  const Redact throwing = [](std::string_view) -> std::string { throw std::runtime_error("a bug"); };
  EXPECT_EQ(cut_result("SECRETSECRET", "c1", throwing, {}).whole, "[withheld: it could not be searched for secrets]");
}

TEST(PageOf, ReadsAWholeResultPageByPage) {
  std::string whole;
  for (int i = 0; i < 5000; ++i) whole += "line " + std::to_string(i) + " ä\n";
  std::string read;
  std::size_t offset = 0;
  for (int pages = 0; pages < 100; ++pages) {
    const std::string page = page_of(whole, "c1", offset);
    EXPECT_LE(count_characters(page), 8000U);
    const std::size_t line = page.rfind("\n[cut: ");
    read += page.substr(0, line);
    if (line == std::string::npos) break;
    const std::string call = "read_result(\"c1\", ";
    offset = std::stoul(page.substr(page.find(call, line) + call.size()));
  }
  EXPECT_EQ(read, whole);
}

TEST(PageOf, BeyondTheEndThereIsNoMore) {
  EXPECT_EQ(page_of("two notes", "c1", 9), "[end of the result: it has 9 characters]");
  EXPECT_EQ(page_of("two notes", "c1", SIZE_MAX), "[end of the result: it has 9 characters]");
  EXPECT_EQ(page_of("", "c1", 0), "");
  EXPECT_EQ(page_of("two notes", "c1", 4), "notes");
}

}  // namespace
}  // namespace deputy::toolkit

#include <gtest/gtest.h>

#include "support/results.h"
#include "tools/workspace/change.h"
#include "tools/workspace/shell.h"
#include "tools/workspace/walk.h"

namespace deputy::tools {
namespace {

TEST(Glob, MatchesAsPeopleExpect) {
  struct Row {
    const char* glob;
    const char* path;
    bool matches;
  };
  const std::vector<Row> rows{
      {"", "any/thing", true},
      {"*.cpp", "src/a/b.cpp", true},
      {"*.cpp", "b.cpp.txt", false},
      {"src/*.cpp", "src/b.cpp", true},
      {"src/*.cpp", "src/a/b.cpp", false},
      {"src/**/*.cpp", "src/b.cpp", true},
      {"src/**/*.cpp", "src/a/c/b.cpp", true},
      {"**/b.?pp", "x/b.hpp", true},
      {"*.{h,cpp}", "a.h", true},
      {"*.{h,cpp}", "a.c", false},
      {"a+b.txt", "a+b.txt", true},
      {"ä*", "ärger", true},
  };
  for (const Row& row : rows) {
    const Result<Glob> glob = Glob::parse(row.glob);
    ASSERT_OK(glob);
    EXPECT_EQ(glob->matches(row.path), row.matches) << row.glob << " " << row.path;
  }
  EXPECT_FAILS(Glob::parse("{a"), invalid_input);
  EXPECT_FAILS(Glob::parse(std::string(501, '*')), invalid_input);
}

TEST(Edits, EachPassageStandsExactlyOnce) {
  EXPECT_EQ(apply_edits("one two three", {{"two", "2"}, {"2 three", "rest"}}), "one rest");
  EXPECT_EQ(apply_edits("one two", {{"one ", ""}}), "two");
  EXPECT_FAILS(apply_edits("one two", {{"four", "4"}}), invalid_input);
  EXPECT_FAILS(apply_edits("one one", {{"one", "1"}}), invalid_input);
  EXPECT_FAILS(apply_edits("aaa", {{"aa", "b"}}), invalid_input);
  EXPECT_FAILS(apply_edits("one", {{"", "x"}}), invalid_input);
  EXPECT_FAILS(apply_edits("one", {{"one", "one"}}), invalid_input);
  EXPECT_EQ(apply_edits("one one", {{"one", "1"}}).error().message,
            "edit 1 cannot be made: `one` occurs more than once in the file");
}

// Expected values are those of `diff -u`, with its file names replaced.
TEST(Diff, ShowsWhatChangesWithThreeLinesAround) {
  EXPECT_EQ(unified_diff("f", "same\n", "same\n"), "");
  EXPECT_EQ(unified_diff("f", "", "a\nb\n"), "--- f\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(unified_diff("f", "a\nb\n", ""), "--- f\n+++ f\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  EXPECT_EQ(unified_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("f", "a\nb", "a\nc"),
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
}

TEST(Diff, ShowsChangesThatAreFarApartByThemselves) {
  std::string before;
  for (int line = 1; line <= 30; ++line) before += std::to_string(line) + "\n";
  std::string after = before;
  after.replace(after.find("\n3\n"), 3, "\nthree\n");
  after.replace(after.find("\n25\n"), 4, "\n");
  EXPECT_EQ(unified_diff("f", before, after),
            "--- f\n+++ f\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n"
            "@@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n");
}

TEST(Diff, OfLargeTextsIsBoundedAndSaysWhatIsMissing) {
  std::string before;
  std::string after;
  for (int line = 0; line < 20'000; ++line) {
    before += "old " + std::to_string(line) + "\n";
    after += "new " + std::to_string(line) + "\n";
  }
  const std::string diff = unified_diff("f", before, after, 1000);
  EXPECT_LT(diff.size(), 1100U);
  EXPECT_TRUE(diff.contains("more lines of this change are not shown")) << diff;
}

TEST(ShellOutput, KeepsBeginningAndEndAndCountsTheRest) {
  ShellOutput small;
  small.add("a\n");
  small.add("b\n");
  EXPECT_EQ(small.text({}), "a\nb\n");

  ShellOutput exact;
  exact.add(std::string(ShellOutput::kMax, 'x'));
  EXPECT_EQ(exact.text({}), std::string(ShellOutput::kMax, 'x'));

  ShellOutput flood;
  flood.add("first ");
  for (int piece = 0; piece < 3000; ++piece) flood.add(std::string(1000, 'x'));
  flood.add(" last");
  EXPECT_TRUE(flood.full());
  const std::string text = flood.text({});
  EXPECT_TRUE(text.starts_with("first x"));
  EXPECT_TRUE(text.ends_with("x last"));
  EXPECT_TRUE(text.contains("… 2950011 bytes of output are not shown …")) << text.substr(29'900, 300);
  EXPECT_LT(text.size(), ShellOutput::kMax + 100);
}

TEST(ShellOutput, IsRedactedBeforeItIsCut) {
  ShellOutput output;
  std::string text(ShellOutput::kHead - 10, 'a');
  text += "<secret>" + std::string(40'000, 'b') + "<secret>" + std::string(19'995, 'c');
  output.add(text);
  const auto redact = [](std::string_view whole) {
    std::string out(whole);
    for (std::size_t at = out.find("<secret>"); at != std::string::npos; at = out.find("<secret>"))
      out.replace(at, 8, "[gone]");
    return out;
  };
  const std::string shown = output.text(redact);
  EXPECT_FALSE(shown.contains("<sec") || shown.contains("ret>")) << shown.substr(29'980, 100);
}

}  // namespace
}  // namespace deputy::tools

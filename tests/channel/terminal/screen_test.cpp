#include "channel/terminal/screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace deputy::channel {
namespace {

// Whatever else runs: it is printed once the prompt is answered.
TEST(Screen, NothingComesBetweenACardAndItsPrompt) {
  std::ostringstream out;
  Screen screen(out, nullptr);
  screen.hold("? shell\n│ $ ls\n", "shell ls? [y]es / [n]o ");
  screen.print("✓ [bg] done\n");
  screen.print("? shell\n│ $ rm\n", {"working"});
  EXPECT_EQ(out.str(), "? shell\n│ $ ls\nshell ls? [y]es / [n]o \n");
  screen.release();
  EXPECT_THAT(out.str(), testing::EndsWith("[n]o \n✓ [bg] done\n? shell\n│ $ rm\n"));
}

TEST(Screen, WhatIsHeldBackIsBoundedAndThatIsSaid) {
  std::ostringstream out;
  Screen screen(out, nullptr);
  screen.hold("", "");
  for (int i = 0; i < 10'000; ++i) screen.print(std::string(99, 'x') + "\n");
  screen.print("last\n");
  screen.release();
  EXPECT_LT(out.str().size(), 300'000U);
  EXPECT_THAT(out.str(), testing::StartsWith("\n… (some output was not shown)\nx"));
  EXPECT_THAT(out.str(), testing::EndsWith("x\nlast\n"));
}

struct KindRow {
  std::string name;
  bool in;
  bool out;
  std::string term;
  std::string no_color;
  TerminalKind kind;
};

class Kinds : public testing::TestWithParam<KindRow> {};

TEST_P(Kinds, HonourWhatPeopleSet) {
  const KindRow& row = GetParam();
  EXPECT_EQ(terminal_kind(row.in, row.out, row.term, row.no_color), row.kind);
}

INSTANTIATE_TEST_SUITE_P(Terminals, Kinds,
                         testing::Values(KindRow{"Terminal", true, true, "xterm", "", {Drawing::keys, Colours::on}},
                                         KindRow{"NoColor", true, true, "xterm", "1", {Drawing::keys, Colours::off}},
                                         KindRow{"Dumb", true, true, "dumb", "", {}},
                                         KindRow{"NoTerm", true, true, "", "", {}},
                                         KindRow{"PipeOut", true, false, "xterm", "", {}},
                                         KindRow{"PipeIn", false, true, "xterm", "", {Drawing::lines, Colours::on}}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::channel

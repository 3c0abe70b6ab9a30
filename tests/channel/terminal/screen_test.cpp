#include "channel/terminal/screen.h"

#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

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

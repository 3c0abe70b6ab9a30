// What `deputy config init slack` asks at a terminal.
#include "e2e/chat/chat_fixture.h"

namespace deputy {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlackPrompts : public Chat {
 protected:
  std::unique_ptr<Pty> init(std::vector<std::string> more = {}) const {
    test::PtySpec spec{
        {DEPUTY_PROGRAM, "--config", file().string(), "config", "init", "slack"}, environment(), workspace().string()};
    spec.arguments.insert(spec.arguments.end(), more.begin(), more.end());
    return std::make_unique<Pty>(spec);
  }
  fs::path file() const { return folder_ / "own/deputy.yaml"; }
};

TEST_F(SlackPrompts, WhoMayApproveIsAskedAndWritten) {
  const auto pty = init();
  pty->expect("Who may approve changes?");
  pty->type("T1/U1  S1\n");
  pty->expect("From a manifest");
  pty->expect("Wrote ");
  EXPECT_EQ(pty->end(), 0);
  EXPECT_EQ(text_of(file()),
            "roles:\n  approver:  # may approve everything that asks\n    people: [\"T1/U1\"]\n"
            "    groups: [\"S1\"]\n");
}

TEST_F(SlackPrompts, ATypedTokenIsNotShown) {
  const auto pty = init({"--create", "--approver", "T1/U1"});
  pty->expect("not shown): ");
  pty->type("xoxb-not-that-kind\n");
  pty->expect("begins with xoxe.xoxp-");
  EXPECT_EQ(pty->end(), 2);
  EXPECT_THAT(pty->raw(), Not(HasSubstr("not-that-kind")));
  EXPECT_TRUE(pty->is_in_line_mode()) << "the terminal shows what is typed again";
}

TEST_F(SlackPrompts, WhoMayApproveIsCheckedBeforeTheAppIsCreated) {
  const auto pty = init({"--create"});
  pty->expect("Who may approve changes?");
  pty->type("ana\n");
  EXPECT_EQ(pty->end(), 2);
  EXPECT_THAT(pty->raw(), Not(HasSubstr("not shown): "))) << "it never came to the token";
}

}  // namespace
}  // namespace deputy

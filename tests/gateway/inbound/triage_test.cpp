#include "gateway/inbound/triage.h"

#include <gtest/gtest.h>

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;

const Timestamp kNow = from_millis(1'700'000'000'000);
const Alert kDown{"checkout", "checkout is down", false};
const Alert kSlow{"checkout", "checkout is slow", false};

intent::Vocabulary services() {
  intent::Vocabulary vocabulary;
  vocabulary.services = {{"checkout", "Checkout", {}}, {"payments", "Payments", {}}};
  vocabulary.now = kNow;
  return vocabulary;
}

/// One service's alerts, as they come.
class Triage : public testing::Test {
 protected:
  TriageDecision after(std::chrono::milliseconds time, const Alert& alert, bool is_active,
                       std::string conversation = "c1") {
    return triage(alert, conversation, state_, is_active, kNow + time);
  }
  TriageState state_;
};

TEST(ReadAlert, FindsTheServiceAndWhatIsTheSameEachTime) {
  const Alert firing = read_alert("[FIRING:1] HighErrorRate checkout 12.5%\nsince 03:02", services());
  EXPECT_EQ(firing, (Alert{"checkout", "higherrorrate checkout", false}));
  const Alert again = read_alert("[FIRING:3] HighErrorRate checkout 20%\nsince 03:02", services());
  EXPECT_EQ(again.fingerprint, firing.fingerprint);
  const Alert over = read_alert("[RESOLVED] HighErrorRate checkout", services());
  EXPECT_EQ(over, (Alert{"checkout", "higherrorrate checkout", true}));
  EXPECT_NE(read_alert("DiskFull checkout", services()).fingerprint, firing.fingerprint);
  EXPECT_EQ(read_alert("DiskFull on a host", services()).service, "");
}

TEST_F(Triage, TheFirstAlertIsInvestigated) {
  EXPECT_EQ(after(0s, kDown, false), TriageDecision(Investigate{}));
  EXPECT_EQ(state_.conversation, "c1");
}

TEST_F(Triage, TheThreadOfAnAlertIsWhereItWasSeenElseWhereTheServiceIsLookedInto) {
  EXPECT_EQ(thread_of(kDown, state_, false), "");
  after(0s, kDown, false);
  EXPECT_EQ(thread_of(kDown, state_, false), "c1");
  EXPECT_EQ(thread_of(kSlow, state_, true), "c1");
  EXPECT_EQ(thread_of(kSlow, state_, false), "");
}

TEST_F(Triage, OthersWithinFifteenSecondsAreTheSameRequest) {
  after(0s, kDown, false);
  EXPECT_EQ(after(15s, kSlow, true, "c2"), TriageDecision(TellRun{}));
}

TEST_F(Triage, ABurstHasOneThreadAlsoIfItsInvestigationWasQuicker) {
  after(0s, kDown, false);
  EXPECT_EQ(after(15s, kSlow, false, "c2"),
            TriageDecision(CountAlert{"c1", "1 more alert of checkout, not investigated."}));
  EXPECT_EQ(thread_of(kSlow, state_, false), "c1");
}

TEST_F(Triage, LaterOnesAreCountedWhileAnInvestigationGoesOn) {
  after(0s, kDown, false);
  EXPECT_EQ(after(16s, kSlow, true, "c2"),
            TriageDecision(CountAlert{"c1", "1 more alert of checkout, not investigated."}));
}

TEST_F(Triage, OneFingerprintIsOneThreadForHalfAnHour) {
  after(0s, kDown, false);
  EXPECT_EQ(after(29min, kDown, false, "c2"),
            TriageDecision(CountAlert{"c1", "1 more alert of checkout, not investigated."}));
  EXPECT_EQ(after(31min, kDown, false, "c3"), TriageDecision(Investigate{}));
}

TEST_F(Triage, AFloodIsAHandfulOfLines) {
  after(0s, kDown, false);
  int lines = 0;
  for (int i = 0; i < 120; ++i) {
    const TriageDecision decision = after(1s, kDown, true);
    lines += std::get<CountAlert>(decision).line.empty() ? 0 : 1;
  }
  EXPECT_EQ(lines, 3) << "1, 10 and 100";
}

TEST_F(Triage, AtMostTenInvestigationsAnHour) {
  for (int i = 0; i < 10; ++i) {
    const Alert alert{"checkout", "alert " + std::string(static_cast<std::size_t>(i) + 1, 'x'), false};
    EXPECT_EQ(after(i * 1min, alert, false), TriageDecision(Investigate{}));
  }
  EXPECT_TRUE(std::holds_alternative<CountAlert>(after(10min, kDown, false)));
  EXPECT_EQ(after(61min, kSlow, false), TriageDecision(Investigate{}));
}

TEST_F(Triage, ResolvedIsANoteToTheInvestigationOrALineInItsThread) {
  const Alert over{"checkout", "checkout is down", true};
  EXPECT_EQ(after(0s, over, false), TriageDecision(CountAlert{})) << "nothing is known of it";
  after(0s, kDown, false);
  EXPECT_EQ(after(1min, over, true, "c2"), TriageDecision(TellRun{}));
  EXPECT_EQ(after(2min, over, false, "c2"), TriageDecision(CountAlert{"c1", "The alert was resolved."}));
}

}  // namespace
}  // namespace deputy::gateway

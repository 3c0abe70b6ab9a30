#include "gateway/outbound/delivery_rules.h"

#include <gtest/gtest.h>

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using store::DeliveryChange;
using store::DeliveryRow;
using store::DeliveryState;

const Timestamp kNow = from_millis(1'700'000'000'000);

DeliveryRow row(DeliveryState state, int attempts = 1, std::chrono::seconds age = 0s) {
  DeliveryRow made;
  made.id = DeliveryId::derive(kNow, "d");
  made.state = state;
  made.attempts = attempts;
  made.owed_at = kNow - age;
  return made;
}

struct Became {
  DeliveryState state;
  std::chrono::milliseconds wait;
  bool operator==(const Became&) const = default;
};
Became became(const DeliveryChange& change) { return {change.state, change.next_at - kNow}; }

// ---- Ways.

struct WayRow {
  std::string name;
  channel::Capabilities can;
  Copies copies;
  DoubtMethod expected;
};
class Ways : public testing::TestWithParam<WayRow> {};
TEST_P(Ways, FollowWhatTheChannelCan) { EXPECT_EQ(way_of(GetParam().can, GetParam().copies), GetParam().expected); }
INSTANTIATE_TEST_SUITE_P(
    All, Ways,
    testing::Values(WayRow{"LookingUpIsBest",
                           {.edit = true, .find = true, .key_is_idempotent = true},
                           Copies::never,
                           DoubtMethod::look_up},
                    WayRow{
                        "ThenTheKey", {.edit = true, .key_is_idempotent = true}, Copies::never, DoubtMethod::same_key},
                    WayRow{"ThenAFirstLine", {.edit = true}, Copies::never, DoubtMethod::first_line},
                    WayRow{"WhichIsForAnswersAlone", {.edit = true}, Copies::rather_than_none, DoubtMethod::again},
                    WayRow{"ElseAgain", {}, Copies::never, DoubtMethod::again}),
    [](const auto& row) { return row.param.name; });

// ---- Failures.

struct FailureRow {
  std::string name;
  DeliveryRow delivery;
  Error error;
  DoubtMethod way;
  Became expected;
};
class Failures : public testing::TestWithParam<FailureRow> {};
TEST_P(Failures, Become) {
  const FailureRow& row = GetParam();
  EXPECT_EQ(became(after_failure(row.delivery, {}, row.error, row.way, kNow)), row.expected);
}

const Error kCutOff{ErrorKind::network, "cut off"};
const Error kBusy{ErrorKind::upstream, "busy", "", true};
const Error kRefused{ErrorKind::permission, "not in channel"};
const Error kLimited{ErrorKind::rate_limit, "slow down", "", true, 90s};
constexpr auto kSending = DeliveryState::sending;

INSTANTIATE_TEST_SUITE_P(
    All, Failures,
    testing::Values(
        FailureRow{"RefusedIsDead", row(kSending), kRefused, DoubtMethod::look_up, {DeliveryState::dead, 0s}},
        FailureRow{"BusyIsTriedAgain", row(kSending), kBusy, DoubtMethod::look_up, {DeliveryState::owed, 1s}},
        FailureRow{"ThenLater", row(kSending, 4), kBusy, DoubtMethod::look_up, {DeliveryState::owed, 8s}},
        FailureRow{"NoLaterThanAMinute", row(kSending, 50), kBusy, DoubtMethod::look_up, {DeliveryState::owed, 60s}},
        FailureRow{"ALimitIsHonoured", row(kSending), kLimited, DoubtMethod::look_up, {DeliveryState::owed, 90s}},
        FailureRow{
            "CutOffIsLookedForLater", row(kSending), kCutOff, DoubtMethod::look_up, {DeliveryState::unknown, 15s}},
        FailureRow{"CutOffWithoutLookingIsTriedAgain",
                   row(kSending),
                   kCutOff,
                   DoubtMethod::same_key,
                   {DeliveryState::unknown, 1s}},
        FailureRow{"AnHourOldIsDead", row(kSending, 9, 3599s), kBusy, DoubtMethod::look_up, {DeliveryState::dead, 0s}},
        FailureRow{"AnHourOldButInDoubtIsLookedFor",
                   row(kSending, 9, 4000s),
                   kCutOff,
                   DoubtMethod::look_up,
                   {DeliveryState::unknown, 15s}},
        FailureRow{"AnHourOldInDoubtWithoutLookingIsDead",
                   row(kSending, 9, 4000s),
                   kCutOff,
                   DoubtMethod::again,
                   {DeliveryState::dead, 0s}}),
    [](const auto& row) { return row.param.name; });

TEST(DeliveryRules, PiecesThatArrivedAreNoFailures) {
  const DeliveryProgress progress{.sent = {"1", "2"}};
  EXPECT_EQ(became(after_failure(row(kSending, 3), progress, kBusy, DoubtMethod::look_up, kNow)),
            (Became{DeliveryState::owed, 1s}));
}

// ---- What an attempt ends with.

using How = Attempted::How;
using Form = Attempt::SendForm;

struct AttemptRow {
  std::string name;
  DeliveryProgress progress;
  Attempt attempt;
  Result<channel::MessageRef> sent;
  How how;
  Became expected;
  DeliveryProgress after;
  DeliveryRow delivery = row(DeliveryState::sending);
};
class Attempts : public testing::TestWithParam<AttemptRow> {};
TEST_P(Attempts, EndAs) {
  const AttemptRow& row = GetParam();
  const Attempted ended = after_attempt(row.delivery, row.progress, row.attempt, row.sent, kNow);
  EXPECT_EQ(ended.how, row.how);
  EXPECT_EQ(became(ended.change), row.expected);
  EXPECT_EQ(read_progress(ended.change.ref), row.after);
}

const Result<channel::MessageRef> kArrived = "7";
Result<channel::MessageRef> failed(const Error& error) { return std::unexpected(error); }
constexpr Became kSent{DeliveryState::sent, 0s};
constexpr Became kGoesOn{DeliveryState::owed, 0s};
constexpr Became kDead{DeliveryState::dead, 0s};

INSTANTIATE_TEST_SUITE_P(
    All, Attempts,
    testing::Values(AttemptRow{"TheLastPieceSendsTheDelivery", {}, {}, kArrived, How::arrived, kSent, {.sent = {"7"}}},
                    AttemptRow{"AnEarlierOneGoesOn",
                               {.sent = {"6"}},
                               {.left = Remaining::more},
                               kArrived,
                               How::arrived,
                               kGoesOn,
                               {.sent = {"6", "7"}}},
                    AttemptRow{"AFirstLineStands",
                               {},
                               {.way = DoubtMethod::first_line},
                               kArrived,
                               How::first_line,
                               kGoesOn,
                               {.first_line = "7"}},
                    AttemptRow{"TheRestIsEditedIntoIt",
                               {.first_line = "7"},
                               {.way = DoubtMethod::first_line},
                               kArrived,
                               How::arrived,
                               kSent,
                               {.sent = {"7"}}},
                    AttemptRow{"WhatIsOnlyTriedIsLeftOut",
                               {},
                               {.need = OnRefusal::best_effort},
                               failed(kCutOff),
                               How::left_out,
                               kSent,
                               {.sent = {""}}},
                    AttemptRow{"WhatIsRefusedIsLeftOutWhereItMay",
                               {},
                               {.need = OnRefusal::if_possible, .left = Remaining::more},
                               failed(kRefused),
                               How::left_out,
                               kGoesOn,
                               {.sent = {""}}},
                    AttemptRow{"ButTriedAgainWhereItWasNotRefused",
                               {},
                               {.need = OnRefusal::if_possible},
                               failed(kBusy),
                               How::failed,
                               {DeliveryState::owed, 1s},
                               {}},
                    AttemptRow{"ARefusedCardIsText",
                               {.looks = 2},
                               {.form = Form::card},
                               failed(kRefused),
                               How::as_text,
                               kGoesOn,
                               {.as_text = true}},
                    AttemptRow{"ACardThatIsCutOffIsInDoubt",
                               {},
                               {.way = DoubtMethod::look_up, .form = Form::card},
                               failed(kCutOff),
                               How::failed,
                               {DeliveryState::unknown, 15s},
                               {.looks = 1}},
                    AttemptRow{"TheTextOfACardThatIsRefusedIsDead",
                               {.as_text = true},
                               {.form = Form::message},
                               failed(kRefused),
                               How::failed,
                               kDead,
                               {.as_text = true}},
                    AttemptRow{"ARefusedEditIsAMessage",
                               {.looks = 1},
                               {.form = Form::edit},
                               failed(kRefused),
                               How::as_post,
                               kGoesOn,
                               {.as_post = true}},
                    AttemptRow{"WhichIsNotDoneTwice",
                               {.as_post = true},
                               {.form = Form::edit},
                               failed(kRefused),
                               How::failed,
                               kDead,
                               {.as_post = true}},
                    AttemptRow{"AFirstLineThatIsGoneIsBegunAnew",
                               {.first_line = "7"},
                               {.way = DoubtMethod::first_line},
                               failed(kRefused),
                               How::line_is_gone,
                               {DeliveryState::owed, 5s},
                               {}},
                    AttemptRow{"AFirstLineThatCannotBeEditedNowStays",
                               {.first_line = "7"},
                               {.way = DoubtMethod::first_line},
                               failed(kBusy),
                               How::failed,
                               {DeliveryState::owed, 1s},
                               {.first_line = "7"}},
                    AttemptRow{"ARefusedMessageIsDead", {}, {}, failed(kRefused), How::failed, kDead, {}},
                    AttemptRow{"OneThatIsAnHourOldIsDead",
                               {},
                               {},
                               failed(kBusy),
                               How::failed,
                               kDead,
                               {},
                               row(DeliveryState::sending, 9, 3600s)}),
    [](const auto& row) { return row.param.name; });

// ---- Doubt.

TEST(DeliveryRules, WhatIsInDoubtIsLookedForTwiceAndThenSentAgain) {
  const DeliveryRow unknown = row(DeliveryState::unknown);
  DeliveryProgress progress;
  EXPECT_EQ(next_for(unknown, progress, DoubtMethod::look_up), NextSend::wait);
  const DeliveryChange waiting = wait_to_look(unknown, progress, kNow);
  EXPECT_EQ(became(waiting), (Became{DeliveryState::unknown, 15s}));
  progress = read_progress(waiting.ref);
  EXPECT_EQ(next_for(unknown, progress, DoubtMethod::look_up), NextSend::look);
  const DeliveryChange first = after_looking(unknown, progress, kNow);
  EXPECT_EQ(became(first), (Became{DeliveryState::unknown, 5s}));
  progress = read_progress(first.ref);
  EXPECT_EQ(next_for(unknown, progress, DoubtMethod::look_up), NextSend::look);
  const DeliveryChange second = after_looking(unknown, progress, kNow);
  EXPECT_EQ(became(second), (Became{DeliveryState::owed, 0s})) << "now it is sent again";
  EXPECT_EQ(read_progress(second.ref), DeliveryProgress{});
}

TEST(DeliveryRules, WhatIsNotFoundAfterAnHourIsDead) {
  const DeliveryProgress progress{.looks = 2};
  const DeliveryChange change = after_looking(row(DeliveryState::unknown, 5, 3600s), progress, kNow);
  EXPECT_EQ(change.state, DeliveryState::dead);
}

TEST(DeliveryRules, WithoutLookingItIsSentAgainAtOnce) {
  for (const DoubtMethod way : {DoubtMethod::same_key, DoubtMethod::first_line, DoubtMethod::again}) {
    EXPECT_EQ(next_for(row(DeliveryState::unknown), {}, way), NextSend::send);
  }
}

TEST(DeliveryRules, WhatCannotBeTriedStaysAsItIs) {
  EXPECT_EQ(became(put_off(row(DeliveryState::unknown), {}, kNow)), (Became{DeliveryState::unknown, 5s}));
  EXPECT_EQ(became(put_off(row(kSending), {}, kNow)), (Became{DeliveryState::owed, 5s}));
  EXPECT_EQ(became(put_off(row(kSending, 9, 3600s), {}, kNow)), (Became{DeliveryState::dead, 0s}));
}

TEST(DeliveryRules, APieceIsRecordedBeforeTheNext) {
  const DeliveryChange first = after_arrival(row(kSending), {}, "r1", Remaining::more, kNow);
  EXPECT_EQ(became(first), (Became{DeliveryState::owed, 0s}));
  EXPECT_EQ(read_progress(first.ref), DeliveryProgress{.sent = {"r1"}});
  const DeliveryChange last = after_arrival(row(kSending), read_progress(first.ref), "r2", Remaining::nothing, kNow);
  EXPECT_EQ(last.state, DeliveryState::sent);
  EXPECT_EQ(refs_of(last.ref), (std::vector<std::string>{"r1", "r2"}));
}

TEST(DeliveryRules, OneMessageIsItsRefAlone) {
  EXPECT_EQ(after_arrival(row(kSending), {.looks = 2, .as_text = true}, "17.5", Remaining::nothing, kNow).ref, "17.5");
  EXPECT_EQ(read_progress("17.5"), DeliveryProgress{.sent = {"17.5"}});
  EXPECT_EQ(read_progress("{not json"), DeliveryProgress{.sent = {"{not json"}});
  EXPECT_EQ(refs_of(write_progress({.sent = {"{odd", ""}})), std::vector<std::string>{"{odd"});
  EXPECT_FALSE(write_progress({}).empty());
}

}  // namespace
}  // namespace deputy::gateway

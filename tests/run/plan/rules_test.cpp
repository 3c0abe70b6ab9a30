#include "run/plan/rules.h"

#include <gtest/gtest.h>

namespace deputy::run {
namespace {

using policy::GrantDuration;
using policy::PlaceKind;

TEST(LastingAt, IsTheSessionOnlyInTheTerminalOfASession) {
  Rules session;
  session.in_session = true;
  EXPECT_EQ(lasting_at({.kind = PlaceKind::terminal}, session), GrantDuration::session);
  EXPECT_EQ(lasting_at({.kind = PlaceKind::terminal}, Rules{}), GrantDuration::thread);
  EXPECT_EQ(lasting_at({.kind = PlaceKind::own}, session), GrantDuration::thread);
}

}  // namespace
}  // namespace deputy::run

#include "run/plan/rules.h"

#include <gtest/gtest.h>

namespace deputy::run {
namespace {

using policy::Lasting;
using policy::PlaceKind;

TEST(LastingAt, IsTheSessionOnlyInTheTerminalOfASession) {
  Rules session;
  session.in_session = true;
  EXPECT_EQ(lasting_at({.kind = PlaceKind::terminal}, session), Lasting::session);
  EXPECT_EQ(lasting_at({.kind = PlaceKind::terminal}, Rules{}), Lasting::thread);
  EXPECT_EQ(lasting_at({.kind = PlaceKind::own}, session), Lasting::thread);
}

}  // namespace
}  // namespace deputy::run

// Renewal before the end, one at a time, shared by all who wait.
#include "clients/aws/credentials.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/redirect_error.hpp>

#include "base/task.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"

namespace deputy::clients::aws {
namespace {

using namespace std::chrono_literals;

// Loads that a test lets go on.
struct Loads {
  explicit Loads(asio::io_context& loop) : gate(loop, asio::steady_timer::time_point::max()) {}

  asio::steady_timer gate;
  bool held_back = false;
  int begun = 0;
  int cancelled = 0;
  std::vector<Result<Credentials>> results;  // one each, the last for all that follow
};

Task<Result<Credentials>> load(Loads& loads) {
  const int number = loads.begun++;
  if (loads.held_back) {
    boost::system::error_code error;
    co_await loads.gate.async_wait(asio::redirect_error(asio::use_awaitable, error));
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) ++loads.cancelled;
  }
  co_return loads.results[std::min<std::size_t>(number, loads.results.size() - 1)];
}

class CachedCredentialsTest : public testing::Test {
 protected:
  Credentials keys(std::string id, std::optional<std::chrono::milliseconds> left) {
    Credentials made{{std::move(id), Secret("s"), Secret("t")}, {}, "a test"};
    if (left) made.expires = clock.now() + *left;
    return made;
  }

  std::string get() { return id_of(test::run_on(loop, cached.get())); }
  static std::string id_of(const Result<Credentials>& got) {
    return got ? got->key.access_key_id : std::string(name(got.error().kind));
  }
  void finish_background() {
    loop.restart();
    loop.poll();
  }

  asio::io_context loop;
  test::ManualClock clock;
  Loads loads{loop};
  CachedCredentials cached{loop.get_executor(), clock, [this] { return load(loads); }};
};

TEST_F(CachedCredentialsTest, KeysWithoutAnEndAreLoadedOnce) {
  loads.results = {keys("a", std::nullopt)};
  EXPECT_EQ(get(), "a");
  clock.advance(24h * 365);
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 1);
}

TEST_F(CachedCredentialsTest, AQuarterOfAnHourBeforeTheirEndTheyAreRenewedWhileTheOldOnesServe) {
  loads.results = {keys("a", 60min), keys("b", 120min)};
  EXPECT_EQ(get(), "a");
  clock.advance(44min);
  EXPECT_EQ(get(), "a");
  finish_background();
  EXPECT_EQ(loads.begun, 1);
  clock.advance(2min);
  loads.held_back = true;
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 2);
  loads.gate.cancel();
  finish_background();
  EXPECT_EQ(get(), "b");
}

TEST_F(CachedCredentialsTest, TenMinutesBeforeTheirEndRequestsWaitForNewOnes) {
  loads.results = {keys("a", 60min), keys("b", 120min)};
  EXPECT_EQ(get(), "a");
  clock.advance(51min);
  EXPECT_EQ(get(), "b");
}

TEST_F(CachedCredentialsTest, WhileRenewingFailsTheOldOnesServeToTheirEnd) {
  loads.results = {keys("a", 60min), fail(ErrorKind::network, "nobody there")};
  EXPECT_EQ(get(), "a");
  clock.advance(55min);
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 2);
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 2);  // not at every request
  clock.advance(1min);
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 3);
  clock.advance(5min);
  EXPECT_EQ(get(), "network");
}

TEST_F(CachedCredentialsTest, AFailureIsNotKept) {
  loads.results = {fail(ErrorKind::network, "nobody there"), keys("a", 60min)};
  EXPECT_EQ(get(), "network");
  EXPECT_EQ(get(), "a");
}

TEST_F(CachedCredentialsTest, KeysThatAreOldWhenTheyComeAreNotAskedForAtEveryRequest) {
  loads.results = {keys("a", 5min)};
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(get(), "a");
  EXPECT_EQ(loads.begun, 1);
  loads.results = {keys("a", -5min)};
  clock.advance(6min);
  EXPECT_EQ(get(), "authentication");
}

TEST_F(CachedCredentialsTest, RefusedOnesAreNotGivenAgain) {
  loads.results = {keys("a", 60min), keys("b", 60min)};
  const auto first = test::run_on(loop, cached.get());
  cached.refused(*first);
  EXPECT_EQ(get(), "b");
  cached.refused(*first);  // renewed since
  EXPECT_EQ(get(), "b");
  EXPECT_EQ(loads.begun, 2);
}

TEST_F(CachedCredentialsTest, AllWhoWaitShareOneRenewalAndOneWhoIsCancelledHarmsNobody) {
  loads.results = {keys("a", 60min)};
  loads.held_back = true;
  Cancel cancel(loop.get_executor());
  std::vector<std::string> got;
  int cancelled = 0;
  const auto on_end = [&](const std::exception_ptr& thrown, const Result<Credentials>& result) {
    if (thrown) {
      ++cancelled;
    } else {
      got.push_back(id_of(result));
    }
  };
  asio::co_spawn(loop, cached.get(), asio::bind_cancellation_slot(cancel.slot(), on_end));  // the one who began it
  asio::co_spawn(loop, cached.get(), on_end);
  asio::co_spawn(loop, cached.get(), on_end);
  loop.poll();
  EXPECT_EQ(loads.begun, 1);
  cancel.emit();
  loop.restart();
  loop.poll();
  EXPECT_EQ(cancelled, 1);
  EXPECT_TRUE(got.empty());
  loads.gate.cancel();
  loop.restart();
  loop.poll();
  EXPECT_EQ(got, (std::vector<std::string>{"a", "a"}));
  EXPECT_EQ(loads.begun, 1);
  EXPECT_EQ(loads.cancelled, 0);
}

TEST(CachedCredentialsEnd, EndsARenewalThatIsUnderWay) {
  asio::io_context loop;
  const test::ManualClock clock;
  Loads loads(loop);
  loads.results = {fail(ErrorKind::network, "never seen")};
  loads.held_back = true;
  {
    CachedCredentials cached(loop.get_executor(), clock, [&] { return load(loads); });
    Cancel cancel(loop.get_executor());
    asio::co_spawn(
        loop, cached.get(),
        asio::bind_cancellation_slot(cancel.slot(), [](const std::exception_ptr&, const Result<Credentials>&) {}));
    loop.poll();
    cancel.emit();
    loop.restart();
    loop.poll();
  }
  loop.restart();
  loop.run();
  EXPECT_EQ(loads.cancelled, 1);
}

}  // namespace
}  // namespace deputy::clients::aws

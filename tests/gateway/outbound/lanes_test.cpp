// Two channels of which one hangs, floods, fails and throws: the other is not delayed.
#include <gmock/gmock.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using test::Step;
using Steady = std::chrono::steady_clock;

std::string p99_of(std::vector<std::chrono::milliseconds> times, std::size_t owed) {
  if (times.empty()) return fmt::format("none of {} arrived", owed);
  std::ranges::sort(times);
  return fmt::format("{} ms ({} of {} arrived)", times[(times.size() - 1) * 99 / 100].count(), times.size(), owed);
}

class LanesTest : public DeliveryBench {
 protected:
  static constexpr std::size_t kOfCalm = 20;
  static constexpr std::size_t kOfWild = 60;

  LanesTest() {
    channels_.add(wild_);
    channel_->before = [this](Step) { calm_at_.push_back(Steady::now()); };
  }

  /// Owes `wild` deliveries of the wild channel first, then those of the calm one, and returns once those are out.
  void deliver_both(std::size_t wild) {
    std::vector<store::DeliveryRow> owed;
    for (std::size_t i = 0; i < wild; ++i) owed.push_back(notice("wild", fmt::format("wild:C{}:1", i)));
    for (std::size_t i = 0; i < kOfCalm; ++i) owed.push_back(notice("calm", fmt::format("scripted:C{}:1", i)));
    run_that_owes(std::move(owed));
    asio::cancellation_signal stop;
    bool ended = false;
    const auto begun = Steady::now();
    asio::co_spawn(loop_, deliveries_->run(),
                   asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr&) { ended = true; }));
    const bool in_time =
        test::run_until_within(10s, loop_, [&] { return channel_->shown().size() == kOfCalm && done_(); });
    EXPECT_TRUE(in_time) << channel_->shown().size() << " of " << kOfCalm << " arrived";
    const std::size_t wild_shown = wild_->shown().size();
    wild_->hangs.clear();
    stop.emit(asio::cancellation_type::terminal);
    test::run_until(loop_, [&] { return ended; });
    const auto since = [&](const std::vector<Steady::time_point>& times) {
      std::vector<std::chrono::milliseconds> all;
      for (const auto at : times) all.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(at - begun));
      return all;
    };
    wild_at_.resize(std::min(wild_at_.size(), wild_shown));
    fmt::print("p99 of deliveries: calm {}, wild {}\n", p99_of(since(calm_at_), kOfCalm),
               p99_of(since(wild_at_), wild));
  }

  std::shared_ptr<test::ScriptedChannel> wild_ = std::make_shared<test::ScriptedChannel>("wild");
  std::vector<Steady::time_point> calm_at_;
  std::vector<Steady::time_point> wild_at_;
  std::function<bool()> done_ = [] { return true; };
};

TEST_F(LanesTest, AChannelThatHangsDelaysNoOther) {
  wild_->hangs = {Step::post};
  deliver_both(kOfWild);
  EXPECT_EQ(wild_->calls(Step::post), settings_.at_once) << "so many are in flight, and no more";
}

TEST_F(LanesTest, AFloodDelaysNoOther) {
  wild_->before = [this](Step) { wild_at_.push_back(Steady::now()); };
  std::size_t wild_before_calm = 0;
  channel_->before = [&](Step) {
    calm_at_.push_back(Steady::now());
    if (calm_at_.size() == kOfCalm) wild_before_calm = wild_at_.size();
  };
  done_ = [this] { return wild_->shown().size() == kOfWild * 5; };
  deliver_both(kOfWild * 5);
  EXPECT_LT(wild_before_calm, kOfWild * 5) << "the calm ones did not wait for all of the flood";
}

TEST_F(LanesTest, AChannelThatThrowsDelaysNoOther) {
  wild_->before = [](Step) { throw std::runtime_error("a bug"); };
  done_ = [this] { return wild_->calls(Step::post) >= static_cast<int>(kOfWild); };
  deliver_both(kOfWild);
  EXPECT_EQ(wild_->calls(Step::post), static_cast<int>(kOfWild)) << "each was tried, and waits in doubt";
}

TEST_F(LanesTest, AChannelThatHasEndedDelaysNoOther) {
  wild_->fails(Step::post, {ErrorKind::upstream, "it is not connected", "", true}, test::Posted::no, 1000);
  done_ = [this] { return wild_->calls(Step::post) >= static_cast<int>(kOfWild); };
  deliver_both(kOfWild);
  EXPECT_EQ(deliveries_->counts().tried_again, static_cast<std::int64_t>(kOfWild));
}

}  // namespace
}  // namespace deputy::gateway

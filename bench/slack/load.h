// A simulated workspace in which people mention an app, and what is seen of the app from there: how soon it gives its
// receipts and when it has answered. Everything runs on the loop of the caller.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/slack/simulator.h"
#include "slack/app_process.h"
#include "slack/model.h"

namespace deputy::bench {

using SteadyClock = std::chrono::steady_clock;

struct Load {
  int flows = 0;
  int at_once = 0;     // as many are unanswered at any time, and no more
  int per_second = 0;  // at most so many mentions; 0: any
};

struct LoadResult {
  double seconds = 0;         // from the first mention to the last answer
  double cpu = 0;             // microseconds of the app, a flow
  double judge_cpu = 0;       // of this process: simulator, model and measuring
  double receipt_median = 0;  // milliseconds from an event of a mention to its receipt
  double receipt_p99 = 0;
  double megabytes = 0;    // most resident memory seen
  double slack_calls = 0;  // a flow
  double model_calls = 0;
  int late = 0;  // events without a receipt in Slack's three seconds
};

class SlackLoad {
 public:
  /// A workspace with raised limits.
  static Result<std::unique_ptr<SlackLoad>> start(asio::io_context& loop);
  ~SlackLoad();

  std::string api_url() const { return simulator_->address() + "/api/"; }
  /// Waits until the app has a socket.
  Result<> until_connected(const AppProcess& app);
  /// Waits until the sockets of an app that was ended are gone.
  Result<> until_disconnected();
  Result<LoadResult> run(const AppProcess& app, const ModelStandIn& model, Load load);
  void wait(std::chrono::milliseconds time);

 private:
  explicit SlackLoad(asio::io_context& loop) : loop_(loop) {}
  void mention();
  void look();
  void take_call(const json::object& call);
  bool until(std::chrono::seconds limit, const std::function<bool()>& happened);
  void until_quiet();

  asio::io_context& loop_;
  SystemClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::int64_t seen_ = 0;  // entries of the simulator's record
  int mentions_ = 0;
  int slack_calls_ = 0;
  int late_ = 0;
  std::set<std::string> answered_;                       // messages that show the answer
  std::map<std::string, SteadyClock::time_point> sent_;  // by envelope, without a receipt yet
  std::vector<double> receipts_;
};

}  // namespace deputy::bench

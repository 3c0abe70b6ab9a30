// Deputy in Slack, whole: `app::serve` with the real channel, store and engine in a thread of its own, and a simulated
// workspace that it reaches over sockets. What a test does and sees goes through Slack alone.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "app/serve.h"
#include "net/client.h"
#include "sim/slack/simulator.h"
#include "support/loop.h"
#include "support/model_script.h"
#include "support/sample_tools.h"
#include "support/temporary_folder.h"

namespace deputy::test {

inline constexpr const char* kOps = "C0OPS000001";
inline constexpr const char* kGeneral = "C0GENERAL01";
inline constexpr const char* kIncidentRoom = "C0INCIDENT1";  // private, with Deputy in it
inline constexpr const char* kAna = "U0ANA000001";
inline constexpr const char* kBo = "U0BO0000001";
inline constexpr const char* kGuest = "U0CY0000001";
inline constexpr const char* kAlerts = "U0ALERTS001";  // another bot

/// An alert as alerting systems post it: a card whose message has no text of its own. For `control("say", …)`.
json::object alert_card(const std::string& title, const std::string& service = "checkout");

class SlackService : public testing::Test, public OnLoop {
 protected:
  void SetUp() override;
  void TearDown() override;

  // The service. Its settings are those of `settings_`; changing them while it runs reloads them.
  void serve();
  /// The same without waiting for it to be connected.
  void start();
  void stop();
  void write_settings(const std::string& text);
  /// Where events over HTTP go.
  std::string events_port() const;
  void script(const ModelScript& script) { model_ = script.make(); }

  // What people do in the workspace.
  json::object control(const std::string& name, const json::object& body);
  /// Mentions Deputy in a new thread; its ts.
  std::string mention(const std::string& user, const std::string& text, const std::string& channel = kOps);
  std::string say(const std::string& user, const std::string& text, const std::string& thread,
                  const std::string& channel = kOps, bool mentions = false);
  void click(const std::string& user, const std::string& ts, const std::string& action,
             const std::string& channel = kOps, json::object more = {});
  /// `/deputy` with this text.
  void command(const std::string& user, const std::string& text, const std::string& channel = kOps);
  /// The direct message of this person with Deputy: its id.
  std::string direct(const std::string& user);

  // What people see.
  std::string thread(const std::string& ts, const std::string& channel = kOps);
  json::array messages(const std::string& ts, const std::string& channel = kOps);
  /// The ts of the newest message of Deputy's in the thread whose JSON contains the text; empty if there is none.
  std::string find(const std::string& text, const std::string& thread_ts, const std::string& channel = kOps);
  /// Waits until the thread shows the text, and returns all of it.
  std::string until_shown(const std::string& ts, const std::string& text, const std::string& channel = kOps);
  std::string until_found(const std::string& text, const std::string& thread_ts, const std::string& channel = kOps);
  /// Looks from time to time only: most looks are requests to the simulator, which has other work to do.
  bool until(const std::function<bool()>& happened) {
    auto next = std::chrono::steady_clock::time_point::min();
    return run_until_within(std::chrono::seconds(60), loop_, [&] {
      const auto now = std::chrono::steady_clock::now();
      if (now < next) return false;
      next = now + std::chrono::milliseconds(20);
      return happened();
    });
  }
  /// The direct message of this person with Deputy.
  sim::slack::Channel& direct_with(const std::string& user);
  /// What was shown to this person alone.
  std::string whispered_to(const std::string& user);
  /// Waits until something was shown to this person alone that contains the text, and returns all of it.
  std::string until_whispered(const std::string& user, const std::string& text);
  /// All that Deputy ever sent to Slack to be shown to somebody, one call a line.
  std::string sent();
  /// The JSON of the view opened last; empty if there is none.
  json::object newest_view();
  std::size_t calls_of(const std::string& method);
  /// Every call of the method that begins a stream is refused from now on: the workspace has none.
  void take_streams_away();
  /// All text of a request to the model. Only after `stop`.
  std::string asked(std::size_t request) const;
  /// What `deputy audit` lists of this kind. Only after `stop`.
  json::array audited(const std::string& kind);

  TemporaryFolder folder_;
  SystemClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
  World world_ = std::make_shared<SampleWorld>();
  std::shared_ptr<ScriptedModel> model_;  // null: as settings say, offline by default
  std::function<void(app::Settings&)> adjust_;
  bool own_tools_ = true;  // the sample tools in place of those of the settings
  std::vector<std::shared_ptr<const toolkit::Tool>> more_tools_ = {};
  std::string settings_ =
      "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
      "policy: {approvers: {service_tools: [T0SIM000001/U0BO0000001], slack_tools: [T0SIM000001/U0BO0000001]}}\n";

 private:
  app::Outside outside(std::ostream& out);
  app::ExitCode run_service();

  std::thread service_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> running_ = false;
  std::ostringstream out_;
  std::ostringstream errors_;
};

}  // namespace deputy::test

// A Slack workspace for tools: the simulator over real sockets, and the account that reaches it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "channel/slack/message_text.h"
#include "net/client.h"
#include "sim/slack/simulator.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "tools/slack/slack_tools.h"

namespace deputy::test {

// People and channels of the simulator: docs/slack-simulator.md.
inline constexpr const char* kOps = "C0OPS000001";
inline constexpr const char* kRoom = "C0INCIDENT1";  // private: Ana, Bo and Dee
inline constexpr const char* kAna = "U0ANA000001";
inline constexpr const char* kBo = "U0BO0000001";

class SimulatedSlack {
 public:
  SimulatedSlack(asio::io_context& loop, const Clock& clock, const std::string& user_token = "")
      : loop_(loop), clock_(clock) {
    auto started = sim::slack::Simulator::start(loop.get_executor(), clock, {});
    EXPECT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop.get_executor(), net::ClientOptions{});
    connect(user_token);
  }
  ~SimulatedSlack() {
    workspace.reset();
    http_.reset();
    run_on(loop_, simulator_->stop());
  }
  SimulatedSlack(const SimulatedSlack&) = delete;
  SimulatedSlack& operator=(const SimulatedSlack&) = delete;

  /// Another account of the same app, for tools that are made after this; an empty user token is none.
  void connect(const std::string& user_token) {
    clients::slack::Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    settings.user_token = Secret(user_token);
    settings.api_url = simulator_->address() + "/api/";
    api = std::make_unique<clients::slack::Api>(settings, *http_, clock_);
    workspace = std::make_shared<tools::slack::SlackWorkspace>(api.get(), clock_, &channel::slack::text_of_message);
  }

  json::object control(const std::string& name, const json::object& body) {
    net::Request request{.method = "POST",
                         .url = simulator_->address() + "/control/" + name,
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(body)};
    const auto response = run_on(loop_, http_->send(std::move(request)));
    EXPECT_OK(response);
    const Result<json::object> answer = parse_json_object(response ? response->body : "");
    EXPECT_TRUE(answer && answer->contains("ok")) << (response ? response->body : "");
    return answer.value_or(json::object());
  }
  /// The ts of what somebody writes.
  std::string says(std::string user, std::string channel, std::string text, std::string thread = {}) {
    return text_at(control("say", {{"user", std::move(user)},
                                   {"channel", std::move(channel)},
                                   {"text", std::move(text)},
                                   {"thread_ts", std::move(thread)}}),
                   "ts");
  }
  /// So many messages at once, in the thread if one is named.
  void many_say(const std::string& channel, int count, const std::string& thread = {}) {
    for (int i = 0; i < count; ++i) {
      world().add(world().channels.at(channel),
                  {.thread_ts = thread, .user = kAna, .body = {{"type", "message"}, {"text", "one of many"}}});
    }
  }
  /// The id of a file that somebody shares.
  std::string shares(std::string user, std::string channel, std::string name, std::string content) {
    return text_at(control("upload", {{"user", std::move(user)},
                                      {"channel", std::move(channel)},
                                      {"name", std::move(name)},
                                      {"content", std::move(content)}}),
                   "file");
  }
  /// The next call of this method fails so.
  void fails(std::string method, json::object how) {
    how["on"] = "api";
    how["name"] = std::move(method);
    control("fault", how);
  }
  std::vector<std::string> texts_in(const std::string& channel) const {
    std::vector<std::string> texts;
    for (const auto& message : world().channels.at(channel).messages) texts.push_back(text_at(message.body, "text"));
    return texts;
  }
  sim::slack::Workspace& world() const { return simulator_->world().workspace; }

  std::unique_ptr<clients::slack::Api> api;
  tools::slack::Workspace workspace;

 private:
  asio::io_context& loop_;
  const Clock& clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
};

}  // namespace deputy::test

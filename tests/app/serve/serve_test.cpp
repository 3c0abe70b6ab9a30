#include "app/serve.h"

#include "app/serve/service.h"
#include "channel/terminal/terminal_channel.h"
#include "gateway/gateway.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "support/child.h"

namespace deputy::app::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Serve : public ServiceTest {
 protected:
  Task<> asks_and_is_answered(Serving& serving) {
    co_await ask("hello?");
    co_await until([this] { return channel_->transcript("scripted:C1:1").contains("Here I am."); }, "the answer");
    port_ = serving.health_port;
    limits_ = serving.process.rules().limits;
    timezone_ = serving.process.settings().timezone;
  }
  ExitCode serve_a_request() {
    return serve([this](Serving& serving) { return asks_and_is_answered(serving); });
  }

  int port_ = 0;
  run::LimitSettings limits_;
  std::string timezone_;
};

TEST_F(Serve, AnswersOnItsChannelAndSaysWhatItRuns) {
  EXPECT_EQ(serve_a_request(), ExitCode::done);
  EXPECT_THAT(out_.str(), StartsWith("channel  scripted         ready\nmodel    default          ready: scripted\n"));
  EXPECT_THAT(out_.str(), HasSubstr("backend  logs             not set up: "));
  EXPECT_THAT(out_.str(), HasSubstr("\nlistening on http://127.0.0.1:" + std::to_string(port_) + "\n"));
  EXPECT_EQ(errors_.str(), "");
}

TEST_F(Serve, WithoutAChannelItNamesTheSettings) {
  missing_ = "set channels.scripted.token";
  EXPECT_EQ(serve_a_request(), ExitCode::failed);
  EXPECT_EQ(errors_.str(),
            "deputy: no network channel is set up, so there is nothing to serve (scripted: set "
            "channels.scripted.token)\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data")) << "it opened nothing";
}

TEST_F(Serve, RefusesToRunWritesWithoutAsking) {
  outside_.environment["DEPUTY_AUTO_CONFIRM"] = "1";
  EXPECT_EQ(serve_a_request(), ExitCode::failed);
  EXPECT_THAT(errors_.str(), HasSubstr("deputy: DEPUTY_AUTO_CONFIRM is set: "));
}

TEST_F(Serve, ReadsTheUsersFileAndNeverThatOfTheFolder) {
  context_.places.config.reset();
  folder_.write("work/deputy.yaml", "timezone: Nowhere/Atall\n");
  folder_.write("home/.config/deputy/deputy.yaml", std::string(kSettings) + "timezone: Europe/Berlin\n");
  EXPECT_EQ(serve_a_request(), ExitCode::done);
  EXPECT_EQ(timezone_, "Europe/Berlin");
  EXPECT_EQ(errors_.str(), "") << "it is not even mentioned";
}

TEST_F(Serve, KeepsTheLimitsOfAPerson) {
  EXPECT_EQ(serve_a_request(), ExitCode::done);
  EXPECT_EQ(limits_.runs_a_person, 3);
  EXPECT_EQ(limits_.requests_a_person, 60);
}

TEST_F(Serve, LeavesTheRunOfATerminalToItsTerminal) {
  context_.channel_kinds = {"scripted"};  // so that this process can read the settings too
  const std::string conversation = channel::terminal_conversation(os_user(), "left");
  {
    const auto terminal = Process::open(context_, {conversation});
    ASSERT_OK(terminal);
    ASSERT_OK((*terminal)->compose_requests());
    ASSERT_OK((*terminal)->wait((*terminal)->requests().start(local_caller(), {conversation, "finish this"})));
  }
  EXPECT_EQ(serve_a_request(), ExitCode::done);
  const auto reader = Process::open(context_, {conversation});
  ASSERT_OK(reader);
  store::RunFilter of_terminal;
  of_terminal.conversation = conversation;
  const auto runs = (*reader)->wait((*reader)->store().runs(of_terminal));
  ASSERT_OK(runs);
  ASSERT_EQ(runs->size(), 1);
  EXPECT_EQ(runs->front().state, store::RunStatus::open);
}

// Ends in every way a channel can, then stays.
class EndingChannel final : public channel::Channel {
 public:
  std::string_view name() const override { return "scripted"; }
  channel::Capabilities capabilities() const override { return {}; }
  Task<Result<>> run(channel::Receiver&) override {
    switch (++runs) {
      case 1:
        co_return Result<>{};
      case 2:
        co_return fail(ErrorKind::authentication, "the token was revoked", "set another one");
      case 3:
        throw std::runtime_error("a bug");
      default:
        for (;;) co_await sleep_for(kMaxWait);
    }
  }
  Task<Result<channel::MessageRef>> post(std::string conversation, channel::Message message) override {
    posts.emplace_back(std::move(conversation), std::move(message.markdown));
    co_return "m";
  }
  Task<Result<channel::ConversationContext>> context(std::string, channel::MessageRef, int) override {
    co_return channel::ConversationContext{};
  }
  Task<Result<policy::Identity>> who(policy::Account) override { co_return policy::Identity{}; }
  Task<Result<channel::Diagnosis>> diagnose() override { co_return channel::Diagnosis{}; }

  int runs = 0;
  std::vector<std::pair<std::string, std::string>> posts;
};

class EndingChannels : public Serve {
 protected:
  EndingChannels() { served_ = ending_; }

  Task<> sees_it_restarted(Serving& serving) {
    co_await until([this] { return ending_->runs == 4; }, "the fourth run");
    const auto& failures = serving.process.gateway().failures();
    EXPECT_EQ(failures.at("scripted").times, 3);
    EXPECT_EQ(failures.at("scripted").why, "a bug");
    co_await until([this] { return !ending_->posts.empty(); }, "the alert");
    const net::Response ready = co_await get(serving, "/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_EQ(ready.body, "scripted: it failed within the last minute and began again\n");
    const net::Response metrics = co_await get(serving, "/metrics");
    EXPECT_THAT(metrics.body, HasSubstr("deputy_loop_restarts_total{loop=\"scripted\"} 3\n"));
    EXPECT_THAT(metrics.body, HasSubstr("deputy_alerts_total{result=\"grouped\"} 2\n"));
  }

  std::shared_ptr<EndingChannel> ending_ = std::make_shared<EndingChannel>();
};

TEST_F(EndingChannels, BeginAgainAndOperatorsAreToldOnce) {
  EXPECT_EQ(serve([this](Serving& serving) { return sees_it_restarted(serving); }), ExitCode::done);
  EXPECT_THAT(ending_->posts,
              testing::ElementsAre(testing::Pair(
                  "scripted:C9", "`scripted` stopped working and begins again: the channel ended by itself")));
}

TEST(ServeCommand, WithoutANetworkChannelItEndsWithOneAndSaysWhy) {
  const TemporaryFolder folder;
  Child program({DEPUTY_PROGRAM, "--data", (folder / "data").string(), "serve"}, {"HOME=" + folder.path().string()});
  EXPECT_EQ(program.wait(), 1);
}

}  // namespace
}  // namespace deputy::app::test

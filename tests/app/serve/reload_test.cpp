#include "app/reload.h"

#include <fcntl.h>
#include <unistd.h>

#include "app/serve/service.h"
#include "app/system_prompt.h"
#include "base/log.h"
#include "gateway/gateway.h"
#include "run/plan/rules.h"
#include "toolkit/registry.h"

namespace deputy::app::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReloadOfAService : public ServiceTest {
 protected:
  static std::string with(const std::string& more) { return kSettings + more; }

  Task<> until_turns(Serving& serving, int turns) {
    co_await until([&serving, turns] { return serving.process.rules().limits.tool_turns == turns; }, "the new limit");
  }

  Task<> takes_a_renamed_file(Serving& serving) {
    const auto begun = std::chrono::steady_clock::now();
    write_settings(with("limits: {tool_turns: 7}\nlog: {level: error}\n"));
    co_await until_turns(serving, 7);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  }

  Task<> takes_a_file_behind_a_link(Serving& serving) {
    folder_.write("settings/v2.yaml", with("limits: {tool_turns: 7}\n"));
    std::filesystem::create_symlink("v2.yaml", folder_ / "settings/link");
    std::filesystem::rename(folder_ / "settings/link", file());
    co_await until_turns(serving, 7);
    folder_.write("settings/v3.yaml", with("limits: {tool_turns: 8}\n"));
    std::filesystem::create_symlink("v3.yaml", folder_ / "settings/link");
    std::filesystem::rename(folder_ / "settings/link", file());
    co_await until_turns(serving, 8);
    EXPECT_EQ(alerts(), "");
  }

  Task<> keeps_the_old_when_the_new_are_bad(Serving& serving) {
    write_settings(with("limits: {tool_turns: many}\n"));
    co_await until([this] { return !alerts().empty(); }, "the alert");
    EXPECT_THAT(alerts(), HasSubstr("The changed settings cannot be used, so the old ones stay: "));
    EXPECT_THAT(alerts(), HasSubstr("limits.tool_turns"));
    EXPECT_EQ(serving.process.rules().limits.tool_turns, 10);
    // What only the tools know is checked as well.
    write_settings(with("policy: {allowlist: [no_such_tool]}\n"));
    co_await until([this] { return alerts().contains("no_such_tool"); }, "the second alert");
    write_settings(with("limits: {tool_turns: 7}\n"));
    co_await until_turns(serving, 7);
  }

  Task<> waits_for_a_writer(Serving& serving) {
    const int half = ::open(file().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    const std::string text = with("limits: {tool_turns: 7}\n");
    EXPECT_EQ(::write(half, text.data(), text.size() - 8), static_cast<ssize_t>(text.size() - 8));
    for (int i = 0; i < 20; ++i) co_await sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(serving.process.rules().limits.tool_turns, 10) << "half a file does not count";
    EXPECT_EQ(::write(half, text.data() + text.size() - 8, 8), 8);
    ::close(half);
    co_await until_turns(serving, 7);
    EXPECT_EQ(alerts(), "");
  }

  Task<> says_what_needs_a_restart(Serving& serving) {
    write_settings(with("limits: {tool_turns: 7}\naws: {region: eu-west-1}\n"));
    co_await until_turns(serving, 7);
    co_await until([this] { return !alerts().empty(); }, "the alert");
    EXPECT_THAT(alerts(), HasSubstr("Settings have changed that count only after a restart: `aws.region`."));
  }

  Task<> moves_the_alert_channel(Serving& serving) {
    write_settings(
        "serve: {health: '127.0.0.1:0'}\nchannels: {scripted: {alert_channel: C8}}\nlimits: {tool_turns: 7}\n");
    co_await until_turns(serving, 7);
    EXPECT_TRUE(co_await serving.process.gateway().alert("the disk is full"));
    EXPECT_EQ(alerts(), "");
    EXPECT_THAT(channel_->transcript("scripted:C8"), HasSubstr("the disk is full"));
  }

  // Prompt and tools count from the next run on; the tools here are those of the settings.
  Task<> tells_the_next_run_another_prompt(Serving& serving) {
    co_await ask("hello?");
    co_await until([this] { return script_->requests().size() == 1; }, "the first request");
    folder_.write("settings/prompt.txt", "You are a pirate.");
    folder_.write("settings/services.yaml", "checkout: {}\n");
    write_settings(
        with("models: {system_prompt: {file: prompt.txt}}\nservices: {file: services.yaml}\n"
             "limits: {tool_turns: 7}\n"));
    co_await until([&serving] { return serving.process.settings().limits.tool_turns == 7; }, "the new settings");
    co_await until([&serving] { return !serving.process.system_prompt().text()->empty(); }, "the new prompt");
    co_await ask("hello again?", "scripted:C1:2");
    co_await until([this] { return script_->requests().size() == 2; }, "the second request");
    EXPECT_THAT(script_->requests()[0].system, Not(HasSubstr("pirate")));
    EXPECT_THAT(script_->requests()[1].system, HasSubstr("pirate"));
    const auto tool = serving.process.registry().find("list_services");
    EXPECT_OK(tool);
    if (tool) EXPECT_EQ((*tool)->spec().missing, "");
  }

  std::shared_ptr<ScriptedModel> script_;
};

TEST_F(ReloadOfAService, AFileThatIsRenamedOverCounts) {
  EXPECT_EQ(serve([this](Serving& serving) { return takes_a_renamed_file(serving); }), ExitCode::done);
  log::set_level(log::Level::info);
}

TEST_F(ReloadOfAService, AFileBehindALinkCounts) {
  EXPECT_EQ(serve([this](Serving& serving) { return takes_a_file_behind_a_link(serving); }), ExitCode::done);
}

TEST_F(ReloadOfAService, ABadFileKeepsTheOldSettingsAndAlerts) {
  EXPECT_EQ(serve([this](Serving& serving) { return keeps_the_old_when_the_new_are_bad(serving); }), ExitCode::done);
}

TEST_F(ReloadOfAService, AHalfWrittenFileIsWaitedFor) {
  EXPECT_EQ(serve([this](Serving& serving) { return waits_for_a_writer(serving); }), ExitCode::done);
}

TEST_F(ReloadOfAService, WhatNeedsARestartIsSaid) {
  EXPECT_EQ(serve([this](Serving& serving) { return says_what_needs_a_restart(serving); }), ExitCode::done);
}

TEST_F(ReloadOfAService, AlertsGoToTheAlertChannelOfTheMoment) {
  EXPECT_EQ(serve([this](Serving& serving) { return moves_the_alert_channel(serving); }), ExitCode::done);
}

TEST_F(ReloadOfAService, PromptAndToolsCountFromTheNextRunOn) {
  own_tools_ = false;
  script_ = ModelScript().then_says("Here I am.").then_says("Arr.").make();
  model_ = script_;
  EXPECT_EQ(serve([this](Serving& serving) { return tells_the_next_run_another_prompt(serving); }), ExitCode::done);
}

}  // namespace
}  // namespace deputy::app::test

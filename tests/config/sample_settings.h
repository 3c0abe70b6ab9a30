// Settings with every type of field, for the tests of the engine, and a folder with sources to load them from.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "config/load.h"
#include "support/temporary_folder.h"

namespace deputy::test {}
namespace deputy::config::test {
using namespace deputy::test;  // `test::` means both here

enum class Mode { ask, allow };
constexpr auto choices_of(Mode) {
  return std::to_array<std::pair<Mode, std::string_view>>({{Mode::ask, "ask"}, {Mode::allow, "allow"}});
}

struct ChannelSample {
  std::string mode = "quiet";
  Secret token;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ChannelSample::mode, "mode", "How it speaks");
    f.optional(&ChannelSample::token, "token", "Its token");
  }
};

struct SlackSample {
  Secret bot_token;
  std::string address = "https://slack.com";

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&SlackSample::bot_token, "bot_token", "The bot's token").from_variable("SLACK_BOT_TOKEN");
    f.optional(&SlackSample::address, "address", "Where Slack is").from_variable("SLACK_API_URL");
  }
};

struct ChannelsSample {
  SlackSample slack;
  std::map<std::string, ChannelSample> by_id;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ChannelsSample::slack, "slack", "Slack");
    f.rest(&ChannelsSample::by_id, "<id>", "One channel");
  }
};

struct LogSample {
  std::string level = "info";
  std::string format = "text";

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&LogSample::level, "level", "The least that is logged").one_of({"debug", "info"});
    f.optional(&LogSample::format, "format", "How");
  }
};

struct SampleSettings {
  int count = 3;
  Mode mode = Mode::ask;
  std::chrono::milliseconds timeout{30'000};
  std::vector<std::string> hosts;
  std::map<std::string, std::vector<std::string>> environments;
  LogSample log;
  ChannelsSample channels;

  template <class Fields>
  static void fields(Fields& f) {
    using S = SampleSettings;
    f.optional(&S::count, "count", "How many").in_range(0, 100);
    f.optional(&S::mode, "mode", "How to decide");
    f.optional(&S::timeout, "timeout", "How long");
    f.optional(&S::hosts, "hosts", "Which hosts");
    f.optional(&S::environments, "environments", "Names");
    f.optional(&S::log, "log", "Logging");
    f.optional(&S::channels, "channels", "Channels");
  }
};

/// A home, a project and a system folder in one temporary folder.
struct SampleWorld {
  deputy::test::TemporaryFolder folder;
  Environment environment;
  std::vector<Flag> flags;

  std::filesystem::path user_file() const { return folder / "home/deputy.yaml"; }
  std::filesystem::path project_file() const { return folder / "project/deputy.yaml"; }
  std::filesystem::path system_file() const { return folder / "etc/deputy.yaml"; }
  std::filesystem::path trusted_file() const { return folder / "data/trusted.json"; }

  void write_user(const std::string& text) const { folder.write("home/deputy.yaml", text); }
  void write_project(const std::string& text) const { folder.write("project/deputy.yaml", text); }
  void write_system(const std::string& text) const { folder.write("etc/deputy.yaml", text); }

  Sources sources(config::LoadMode mode = config::LoadMode::command) const {
    Sources sources;
    sources.places = {.mode = mode,
                      .files = {{Role::system, {system_file()}}, {Role::user, {user_file()}}},
                      .trusted_file = trusted_file(),
                      .working_dir = folder / "project"};
    if (mode == config::LoadMode::command) sources.places.files.push_back({Role::project, {project_file()}});
    sources.environment = environment;
    sources.flags = flags;
    return sources;
  }

  Loaded<SampleSettings> load(config::LoadMode mode = config::LoadMode::command) const {
    return config::load<SampleSettings>(sources(mode));
  }
};

/// Every problem as one line, for comparing whole lists.
inline std::vector<std::string> lines_of(const std::vector<LocatedProblem>& problems) {
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const LocatedProblem& problem : problems) lines.push_back(describe(problem));
  return lines;
}

}  // namespace deputy::config::test

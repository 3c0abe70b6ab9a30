// A folder of generated logs, the tools over it, and grep as the judge.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <thread>

#include "support/manual_clock.h"
#include "support/results.h"
#include "support/temporary_folder.h"
#include "tools/call_tool.h"
#include "tools/logs/files/files_backend.h"
#include "tools/logs/log_tools.h"

namespace deputy::tools {

inline const Timestamp kNow = *parse_timestamp("2026-11-15T05:00:00Z");

/// What a shell command prints.
inline std::string said_by(const std::string& command) {
  std::string said;
  std::array<char, 4096> buffer{};
  FILE* pipe = ::popen(command.c_str(), "r");
  while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) said += buffer.data();
  if (pipe != nullptr) ::pclose(pipe);
  return said;
}
inline std::int64_t number_said_by(const std::string& command) { return std::stoll("0" + said_by(command)); }

inline std::string iso(Timestamp at) { return format_timestamp(at); }

struct LogFolder {
  test::TemporaryFolder folder;
  test::ManualClock clock{kNow};
  Workers workers{"logs", {}};
  LogToolsSettings settings;
  std::map<std::string, std::vector<std::string>> environments{{"prod", {"production"}}, {"staging", {}}};
  std::shared_ptr<ServicesRegistry> registry;

  /// Written last at `written`; kNow unless told.
  void write(const std::string& name, const std::string& text, Timestamp written = kNow) const {
    const auto path = folder.write(name, text);
    touch(name, written);
  }
  void touch(const std::string& name, Timestamp written) const {
    said_by(fmt::format("touch -d @{} '{}'", to_millis(written) / 1000, (folder / name).string()));
  }
  void pack(const std::string& name) const { said_by(fmt::format("gzip '{}'", (folder / name).string())); }

  std::shared_ptr<LogBackend> backend() {
    settings.files.root = folder.path().string();
    return make_files_backend(settings, environments, workers);
  }
  LogToolParts parts() { return {choose_among(settings, {backend()}), registry, &clock, environments}; }
  std::shared_ptr<const toolkit::Tool> tool(std::string_view name) {
    for (const auto& tool : log_tools(parts())) {
      if (tool->spec().name == name) return tool;
    }
    throw std::logic_error("no such tool");
  }
  Result<toolkit::Output> call(std::string_view name, json::object arguments) {
    return test::call_tool(*tool(name), std::move(arguments));
  }
  std::int64_t matched(std::string_view name, json::object arguments) {
    const auto output = call(name, std::move(arguments));
    if (!output) ADD_FAILURE() << describe(output.error());
    return output ? output->data.at("matched").to_number<std::int64_t>() : -1;
  }
};

/// Lines of one service through `hours` before now, one each `step`, with an error now and then.
inline std::string service_lines(int hours, std::chrono::seconds step, int error_every) {
  std::string text;
  int number = 0;
  for (Timestamp at = kNow - std::chrono::hours(hours); at < kNow; at += step, ++number) {
    if (number % error_every == 0) {
      text += fmt::format("{} ERROR [w-{}] Upstream timeout after {} ms\n\tat a.b.C(C.java:{})\nCaused by: timeout\n",
                          iso(at), number % 7, number, number);
    } else {
      text += fmt::format("{} INFO [w-{}] handled order {} in {} ms\n", iso(at), number % 7, number * 31, number % 90);
    }
  }
  return text;
}

}  // namespace deputy::tools

// Makes the data of the demo: demo_generate FOLDER [--seed N] [--now TIME]. What was in the folder from an earlier time
// is replaced; anything else there is left alone.

#include <sys/stat.h>

#include <charconv>
#include <cstdio>
#include <fstream>

#include "clusters.h"
#include "logs.h"
#include "operations.h"
#include "records.h"
#include "repositories.h"

namespace {

using namespace deputy;
using namespace deputy::demo;

constexpr std::string_view kUsage = "usage: demo_generate FOLDER [--seed N] [--now 2026-11-15T04:10:00Z]\n";

struct Arguments {
  std::filesystem::path folder;
  World world;
};

std::optional<Arguments> read_arguments(int count, char** values) {
  if (count < 2 || count % 2 != 0) return std::nullopt;
  Arguments arguments{values[1], {SystemClock().now(), 1}};
  for (int at = 2; at < count; at += 2) {
    const std::string_view name = values[at], value = values[at + 1];
    if (name == "--seed") {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), arguments.world.seed);
      if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
    } else if (name == "--now") {
      const auto now = parse_timestamp(value);
      if (!now) return std::nullopt;
      arguments.world.now = *now;
    } else {
      return std::nullopt;
    }
  }
  arguments.world.now = std::chrono::floor<std::chrono::seconds>(arguments.world.now);
  return arguments;
}

// In a folder of its own: what holds settings and the workspace may not contain each other.
constexpr std::string_view kSettings =
    R"(# Settings of the demo, made by demo_generate. Paths start from this file's folder.
timezone: UTC
environments: {prod: [production, live], staging: [stage], dev: [development]}
services: {file: ../services.yaml}
tools:
  log_tools:
    backend: files
    files: {root: ../logs, paths: [{path: '{environment}/{service}.log'}]}
  ticket_tools:
    files: {file: ../tickets.json}
  pipeline_tools:
    backend: files
    files: {file: ../pipelines.json}
  alarm_tools:
    files: {alarms: ../alarms.json, metrics: ../metrics.json}
  incident_tools:
    files: {incidents: ../incidents.json, oncalls: ../oncalls.json}
  cluster_tools:
    files: {prod: ../clusters/prod.json, staging: ../clusters/staging.json, dev: ../clusters/dev.json}
  code_tools:
    repositories: {cast-core: ../repositories/cast-core, tide-billing: ../repositories/tide-billing}
  workspace_tools:
    root: ../runbooks
)";

void write_settings(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "deputy.yaml";
  std::ofstream(file) << kSettings;
  ::chmod(file.c_str(), 0600);
}

}  // namespace

int main(int count, char** values) {
  auto arguments = read_arguments(count, values);
  if (!arguments) {
    std::fputs(kUsage.data(), stderr);
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::absolute(arguments->folder);
  std::filesystem::create_directories(folder);
  for (const char* made : {"logs", "repositories"}) std::filesystem::remove_all(folder / made);
  write_services(folder / "services.yaml");
  write_logs(arguments->world, folder / "logs");
  write_records(arguments->world, folder);
  write_operations(arguments->world, folder);
  write_clusters(arguments->world, folder / "clusters");
  // People and tools may have changed these.
  if (!std::filesystem::exists(folder / "runbooks")) write_runbooks(folder / "runbooks");
  write_settings(folder / "settings");
  if (!write_repositories(arguments->world, folder / "repositories")) {
    std::fputs("demo_generate: git could not be run\n", stderr);
    return 1;
  }
  return 0;
}

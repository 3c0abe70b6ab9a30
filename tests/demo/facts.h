// What is true of a generated demo, taken from its files without the program: by grep, and by reading what the vendors'
// answers say.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json_pointer.h"
#include "support/temporary_folder.h"
#include "tools/logs/log_folder.h"

namespace deputy::test {

class DemoFacts {
 public:
  explicit DemoFacts(std::filesystem::path folder) : folder_(std::move(folder)) {}

  static void generate(const std::filesystem::path& folder, int seed) {
    ASSERT_EQ(tools::said_by(fmt::format("{} '{}' --seed {} 2>&1", DEMO_GENERATE, folder.string(), seed)), "");
  }

  std::filesystem::path settings() const { return folder_ / "settings/deputy.yaml"; }

  /// Who is called first for a policy.
  std::string on_call(const std::string& policy) const {
    for (const json::value& duty : items_in(read("oncalls.json"), "/oncalls")) {
      if (text_in(duty, "/escalation_policy/summary") == policy && text_in(duty, "/escalation_level") == "1")
        return text_in(duty, "/user/summary");
    }
    return "nobody";
  }

  std::vector<std::string> firing() const {
    std::vector<std::string> names;
    for (const json::value& rule : items_in(read("alarms.json"), "/data/groups/0/rules")) {
      if (text_in(rule, "/state") == "firing") names.push_back(text_in(rule, "/name"));
    }
    return names;
  }

  /// Keys of the tickets that are not done and mention timeouts.
  std::vector<std::string> open_tickets_about_timeouts() const {
    const std::string keys =
        tools::said_by(fmt::format("grep -i timeout '{}' | grep -v '\"status\":\"Done\"' | grep -o 'NL-[0-9]*'",
                                   (folder_ / "tickets.json").string()));
    std::vector<std::string> list;
    for (const std::string_view key : split(keys, "\n")) {
      if (!key.empty()) list.emplace_back(key);
    }
    return list;
  }

  /// The highest CPU of the container in the last hours, as the report writes numbers.
  std::string highest_cpu(const std::string& container, const std::string& environment, std::chrono::hours back) const {
    const double since = static_cast<double>(to_millis(SystemClock().now() - back)) / 1000;
    double highest = 0;
    for (const json::value& series : items_in(read("metrics.json"), "/data/result")) {
      if (!text_in(series, "/metric/__name__").starts_with("cpu") ||
          text_in(series, "/metric/container") != container || text_in(series, "/metric/environment") != environment)
        continue;
      for (const json::value& sample : items_in(series, "/values")) {
        if (std::stod(text_in(sample, "/0")) >= since) highest = std::max(highest, std::stod(text_in(sample, "/1")));
      }
    }
    return fmt::format("{:.4g}", highest);
  }

  /// Restarts by pod of an app in prod.
  std::map<std::string, int> restarts(const std::string& app) const {
    std::map<std::string, int> pods;
    for (const json::value& object : items_in(read("clusters/prod.json"), "/items")) {
      if (text_in(object, "/kind") != "Pod" || text_in(object, "/metadata/labels/app") != app) continue;
      int& count = pods[text_in(object, "/metadata/name")];
      for (const json::value& container : items_in(object, "/status/containerStatuses"))
        count += std::stoi(text_in(container, "/restartCount"));
    }
    return pods;
  }

  /// How often grep finds the line with this in the service's log of the last days, by a pattern of its time.
  std::string logged(const std::string& service, const std::string& pattern) const {
    return std::to_string(tools::number_said_by(
        fmt::format("zcat -f '{}'/logs/prod/{}.log* | grep -c '{}'", folder_.string(), service, pattern)));
  }
  /// Pipelines of a service that failed; an entry is a line.
  std::string failed_pipelines(const std::string& service) const {
    return std::to_string(
        tools::number_said_by(fmt::format("grep 'northlight/{}/pipelines/' '{}' | grep -c '\"state\":\"failed\"'",
                                          service, (folder_ / "pipelines.json").string())));
  }

  /// The day before today, as ISO writes it.
  static std::string yesterday() { return format_timestamp(SystemClock().now() - std::chrono::days(1)).substr(0, 10); }

 private:
  json::value read(const std::string& file) const { return json::parse(read_file(folder_ / file)); }

  std::filesystem::path folder_;
};

}  // namespace deputy::test

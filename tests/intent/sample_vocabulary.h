// A made-up shop's words for the tests, at half past eleven on a Wednesday in winter, one hour ahead of UTC.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "intent/intent.h"

namespace deputy::intent {

inline Timestamp utc(int month, int day, int hour, int minute, int year = 2026) {
  using namespace std::chrono;
  return sys_days{std::chrono::year{year} / month / day} + hours{hour} + minutes{minute};
}

/// Tools of a shop: some read, one changes something.
inline std::vector<KnownTool> sample_tools() {
  using enum ParameterKind;
  const KnownParameter service_wanted{"service", service, false};
  const KnownParameter service_needed{"service", service, true};
  const KnownParameter in{"environment", environment, false};
  const KnownParameter since{"from", from, false};
  const KnownParameter until{"to", to, false};
  return {
      {"count_errors",
       {{"errors", "exception", "fail", "broken"},
        {},
        {"errors in {service} {environment}"},
        "Counting errors of {service}"},
       true,
       {service_wanted, in, since, until}},
      {"describe_service",
       {{"service info", "about", "owner"}, {}, {}, "Looking up {service}"},
       true,
       {service_needed}},
      {"find_lines",
       {{"logs", "errors"}, {}, {}, "Searching logs of {service}"},
       true,
       {{"query", query, true}, service_wanted, in, since, until, {"limit", count, false}}},
      {"read_lines",
       {{"logs", "line"}, {}, {}, "Reading logs of {service}"},
       true,
       {service_needed, in, since, until, {"limit", count, false}}},
      {"read_task", {{"background task", "task"}, {}, {}, ""}, true, {{"task_id", id, true}}},
      {"restart", {{"service"}, {"restart", "reboot"}, {}, "Restarting {service}"}, false, {service_needed, in}},
      {"run_command", {{"command"}, {"run", "execute"}, {}, "Running a command"}, false, {{"line", command, true}}},
      {"search_past", {{"history", "asked", "before"}, {}, {}, ""}, true, {{"query", query, true}}},
      {"services", {{"services"}, {}, {}, "Listing services"}, true, {}},
  };
}

inline Vocabulary sample_vocabulary() {
  Vocabulary words;
  words.services = {{"cast-core", "Cast Core Service", {"castc"}},
                    {"checkout", "Checkout API", {"cart", "check-out-web"}},
                    {"auth", "Identity Provider", {"login-service", "idp"}},
                    {"search", "Product Search", {}},
                    {"payments-gateway", "Payments Gateway", {"payments", "pg"}},
                    {"payments-gateway-worker", "", {}},
                    {"core", "Core Platform", {}},
                    {"legal-service", "", {}}};
  words.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}, {"dev", {"development"}}};
  words.tools = sample_tools();
  words.now = utc(11, 18, 10, 30);
  words.utc_offset = [](Timestamp) { return std::chrono::hours(1); };
  return words;
}

/// Everything that parameters hold, on one line: what is empty is left out.
inline std::string in_one_line(const Parameters& parameters) {
  std::string line;
  const auto add = [&line](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    if (!line.empty()) line += ' ';
    line += fmt::format("{}={}", name, value);
  };
  const auto minute = [](std::optional<Timestamp> at) {
    return at ? format_timestamp(*at).substr(0, 16) : std::string();
  };
  add("services", join(parameters.services, ","));
  add("env", parameters.environment.value_or(""));
  const TimeRange& time = parameters.time_range;
  add("from", minute(time.from));
  add("to", minute(time.to));
  add("back", time.hours_back ? std::to_string(*time.hours_back) : "");
  add("says", time.description.empty() ? "" : "'" + time.description + "'");
  add("problem", time.problem.empty() ? "" : "'" + time.problem + "'");
  add("tickets", join(parameters.ticket_ids, ","));
  add("prs", join(parameters.pr_ids, ","));
  add("incidents", join(parameters.incident_ids, ","));
  add("urls", join(parameters.urls, ","));
  add("text", parameters.text.empty() ? "" : "'" + parameters.text + "'");
  add("messages", parameters.message_count ? std::to_string(*parameters.message_count) : "");
  return line;
}

struct Row {
  std::string_view request;
  std::string_view expected;
};

inline void expect_all(std::initializer_list<Row> rows) {
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, expected] : rows)
    EXPECT_EQ(in_one_line(extract(request, words).parameters), expected) << request;
}

}  // namespace deputy::intent

#include "operations.h"

#include <fmt/format.h>

#include <fstream>

#include "base/json.h"

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;
using std::chrono::minutes;

const std::vector<std::string> kEngineers{"Ana Lopez", "Bo Lindgren", "Cy Okafor", "Dee Marsh"};

void write(const std::filesystem::path& file, const json::value& document) {
  std::ofstream(file) << json::serialize(document) << "\n";
}

/// An alerting rule as Prometheus' API shows it.
struct Rule {
  std::string name, service, summary, severity;
  std::string state;  // firing, pending, inactive
  minutes since = 0min;
};

json::object rule_of(const Rule& rule, const World& world) {
  const json::object annotations{{"summary", rule.summary}};
  json::array alerts;
  if (rule.state != "inactive") {
    alerts.push_back(json::object{{"labels", json::object{{"alertname", rule.name},
                                                          {"severity", rule.severity},
                                                          {"service", rule.service},
                                                          {"environment", "prod"}}},
                                  {"annotations", annotations},
                                  {"state", rule.state},
                                  {"activeAt", format_timestamp(world.now - rule.since)},
                                  {"value", "1e+00"}});
  }
  return {{"type", "alerting"},
          {"name", rule.name},
          {"state", rule.state},
          {"health", "ok"},
          {"duration", 300},
          {"labels", json::object{{"severity", rule.severity}, {"service", rule.service}, {"environment", "prod"}}},
          {"annotations", annotations},
          {"alerts", std::move(alerts)},
          {"lastEvaluation", format_timestamp(world.now - 10s)}};
}

json::object alarms(const World& world) {
  const std::vector<Rule> rules{
      {"PaymentErrorsHigh", "cast-core", "Payments of cast-core fail: timeouts to the payment gateway", "critical",
       "firing", 118min},
      {"PodRestartsHigh", "cast-core", "Pods of cast-core restart again and again", "warning", "firing", 96min},
      {"QueueGrows", "pulse-notify", "The queue of pulse-notify grows", "warning", "pending", 4min},
      {"FreeConnectionsLow", "tide-billing", "tide-billing has few free connections", "critical", "inactive"},
      {"MemoryHigh", "lens-transcoder", "lens-transcoder needs more memory than it asks for", "critical", "inactive"},
      {"ServerErrorsHigh", "harbor-web", "harbor-web answers with server errors", "critical", "inactive"}};
  json::array list;
  for (const Rule& rule : rules) list.push_back(rule_of(rule, world));
  const json::object group{{"name", "northlight"}, {"file", "/etc/prometheus/northlight.yml"}, {"rules", list}};
  return {{"status", "success"}, {"data", json::object{{"groups", json::array{group}}}}};
}

/// What a series measures, a minute at a time.
struct Measured {
  std::string name, environment, service, container;
  double usual = 0;  // about so much
  double noise = 0;  // and up to so much more
};

constexpr int kMinutes = 24 * 60;

/// While payments time out, the container that pays waits and tries again.
double extra(const Measured& series, int minutes_ago) {
  const bool waits = minutes_ago >= 85 && minutes_ago <= 127;
  return series.container == "checkout" && series.environment == "prod" && waits ? series.usual * 1.5 : 0;
}

json::object series_of(const Measured& series, const World& world, Chance& chance) {
  const std::int64_t last = to_millis(world.now) / 60'000 * 60;
  json::array values;
  for (int ago = kMinutes; ago >= 0; --ago) {
    const double value =
        series.usual + series.noise * static_cast<double>(chance.below(1000)) / 1000 + extra(series, ago);
    values.push_back(json::array{last - ago * 60, fmt::format("{:.4g}", value)});
  }
  return {{"metric", json::object{{"__name__", series.name},
                                  {"environment", series.environment},
                                  {"service", series.service},
                                  {"container", series.container}}},
          {"values", std::move(values)}};
}

json::object metrics(const World& world, Chance& chance) {
  json::array result;
  for (const std::string environment : {"prod", "staging"}) {
    for (const DemoService& service : services()) {
      std::vector<std::string> containers{"main"};
      if (service.key == "cast-core") containers.emplace_back("checkout");
      for (const std::string& container : containers) {
        const double cores = 0.15 + static_cast<double>(chance.below(25)) / 100;
        const double bytes = 2e8 + 1e7 * static_cast<double>(chance.below(30));
        result.push_back(
            series_of({"cpu_usage_cores", environment, service.key, container, cores, cores / 5}, world, chance));
        result.push_back(
            series_of({"memory_usage_bytes", environment, service.key, container, bytes, bytes / 50}, world, chance));
      }
    }
  }
  return {{"status", "success"}, {"data", json::object{{"resultType", "matrix"}, {"result", std::move(result)}}}};
}

struct Policy {
  std::string id, name;
};
const Policy kPayments{"PPAY7K2", "Payments"};
const Policy kStreams{"PSTR4M9", "Streams"};
const Policy kPlatform{"PPLA3T1", "Platform"};

struct Trouble {
  std::string id;
  int number = 0;
  std::string service, title, status;
  Policy policy;
  minutes began, lasted;
  std::string note;
};

json::object reference(const std::string& id, const std::string& name) { return {{"id", id}, {"summary", name}}; }

json::object incident_of(const Trouble& one, const std::string& engineer, const World& world) {
  const Timestamp created = world.now - one.began;
  json::object incident{{"id", one.id},
                        {"incident_number", one.number},
                        {"title", one.title},
                        {"status", one.status},
                        {"urgency", "high"},
                        {"created_at", format_timestamp(created)},
                        {"service", reference("P" + one.id.substr(2), one.service)},
                        {"escalation_policy", reference(one.policy.id, one.policy.name)},
                        {"assignments", json::array{json::object{{"assignee", reference("PUSER01", engineer)}}}},
                        {"notes", json::array{json::object{{"content", one.note},
                                                           {"created_at", format_timestamp(created + 12min)},
                                                           {"user", reference("PUSER01", engineer)}}}}};
  if (one.status == "acknowledged")
    incident["acknowledgements"] = json::array{
        json::object{{"at", format_timestamp(created + 3min)}, {"acknowledger", reference("PUSER01", engineer)}}};
  if (one.status == "resolved") incident["resolved_at"] = format_timestamp(created + one.lasted);
  return incident;
}

json::object incidents(const World& world, const std::string& on_call) {
  const std::vector<Trouble> troubles{
      {"PT31CQ7", 31, "cast-core", "Payments fail in prod", "acknowledged", kPayments, 117min, 0min,
       "The gateway is slow since the deploy of 3.12.0; looking at its timeout."},
      {"PT30BX2", 30, "tide-billing", "No free connections in prod", "resolved", kPayments, 27h - 10min, 55min,
       "Rolled back to 4.6.2; the pool is free again."},
      {"PT28LM5", 28, "lens-transcoder", "Transcoder restarts in prod", "resolved", kStreams, 72h, 75min,
       "Killed for lack of memory; the limit was raised."}};
  json::array list;
  for (const Trouble& one : troubles) list.push_back(incident_of(one, on_call, world));
  return {{"incidents", std::move(list)}, {"limit", 100}, {"offset", 0}, {"more", false}};
}

json::object oncalls(const World& world, const std::string& payments, Chance& chance) {
  json::array list;
  const auto add = [&](const Policy& policy, int level, const std::string& who, std::chrono::hours left) {
    list.push_back(json::object{{"escalation_policy", reference(policy.id, policy.name)},
                                {"escalation_level", level},
                                {"schedule", reference("S" + policy.id.substr(1) + std::to_string(level),
                                                       policy.name + (level == 1 ? " primary" : " secondary"))},
                                {"user", reference("PUSER01", who)},
                                {"start", format_timestamp(world.now - (24h - left))},
                                {"end", format_timestamp(world.now + left)}});
  };
  add(kPayments, 1, payments, 9h);
  add(kPayments, 2, chance.one_of(kEngineers), 9h);
  add(kStreams, 1, chance.one_of(kEngineers), 15h);
  add(kPlatform, 1, chance.one_of(kEngineers), 15h);
  return {{"oncalls", std::move(list)}, {"limit", 100}, {"offset", 0}, {"more", false}};
}

}  // namespace

void write_operations(const World& world, const std::filesystem::path& folder) {
  Chance chance(world.seed + 2);
  const std::string payments = chance.one_of(kEngineers);
  write(folder / "alarms.json", alarms(world));
  write(folder / "incidents.json", incidents(world, payments));
  write(folder / "oncalls.json", oncalls(world, payments, chance));
  write(folder / "metrics.json", metrics(world, chance));
}

}  // namespace deputy::demo

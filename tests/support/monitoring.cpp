#include "support/monitoring.h"

#include <fmt/format.h>

#include <stdexcept>

#include "support/node.h"

namespace deputy::test {

namespace {

constexpr const char* kRules = R"(groups:
- name: shop
  rules:
  - alert: QueueTooLong
    expr: shop_queue_length > 40
    labels: {severity: critical}
    annotations: {summary: 'Queue {{ $labels.queue }} has {{ $value }} entries'}
  - alert: Noisy
    expr: vector(1)
  - alert: QueueGrows
    expr: shop_queue_length > 5
    for: 1h
  - alert: QueueOverflow
    expr: shop_queue_length > 1000
)";

std::string scrape_config(const std::string& exporter, const std::string& alertmanager) {
  const auto host = [](const std::string& url) { return url.substr(std::string("http://").size()); };
  return fmt::format(R"(global: {{scrape_interval: 200ms, evaluation_interval: 200ms}}
rule_files: [rules.yml]
scrape_configs:
- job_name: shop
  static_configs: [{{targets: ['{}']}}]
alerting:
  alertmanagers:
  - static_configs: [{{targets: ['{}']}}]
)",
                     host(exporter), host(alertmanager));
}

}  // namespace

MonitoringPeer::MonitoringPeer(const std::string& token, int busy) {
  child_ = std::make_unique<Child>(node_program("monitoring_peer.js", {token, std::to_string(busy)}));
  const auto line = child_->read_line();
  if (!line || !line->starts_with("port ")) throw std::runtime_error("the peer did not start");
  url_ = "http://127.0.0.1:" + line->substr(5);
}

Monitoring::Monitoring() {
  folder_.write("alertmanager.yml", "route: {receiver: none}\nreceivers: [{name: none}]\n");
  alertmanager_url_ = start({"prometheus-alertmanager", "--config.file=alertmanager.yml", "--storage.path=alertmanager",
                             "--web.listen-address=127.0.0.1:0", "--cluster.listen-address="},
                            alertmanager_);
  folder_.write("rules.yml", kRules);
  folder_.write("prometheus.yml", scrape_config(exporter_.url(), alertmanager_url_));
  prometheus_url_ = start({"prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=prometheus",
                           "--web.listen-address=127.0.0.1:0",
                           // An alarm that fires before it has found Alertmanager is lost until it is sent again.
                           "--rules.alert.resend-delay=200ms"},
                          prometheus_);
}

Monitoring::~Monitoring() = default;

// They log to standard error, and there the port they took.
std::string Monitoring::start(std::vector<std::string> program, std::unique_ptr<Child>& child) const {
  constexpr std::string_view kAddress = "msg=\"Listening on\" address=";
  const std::string name = program.front();
  program.insert(program.begin(), {"/bin/sh", "-c", R"(cd "$0" && exec "$@" 2>&1)", folder_.path().string()});
  child = std::make_unique<Child>(std::move(program));
  while (const auto line = child->read_line()) {
    const std::size_t at = line->find(kAddress);
    if (at != std::string::npos) return "http://" + line->substr(at + kAddress.size());
  }
  throw std::runtime_error(name + " did not start: run scripts/setup");
}

}  // namespace deputy::test

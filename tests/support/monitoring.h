// The real Prometheus and Alertmanager, over a service that exports a few metrics (tests/peers/monitoring_peer.js):
//
//   shop_requests_total{code}    a counter
//   shop_queue_length{queue}     mail: 7, pay: 42
//   shop_broken                  not a number
//
// Alarms: `QueueTooLong` fires for pay, `Noisy` fires always, `QueueGrows` is pending for both, `QueueOverflow` is
// fine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/child.h"
#include "support/temporary_folder.h"

namespace deputy::test {

/// A peer alone: the exporter, and a monitoring system behind a token.
class MonitoringPeer {
 public:
  /// Refuses the first `busy` queries with 503 and a wait of a second.
  explicit MonitoringPeer(const std::string& token = "none", int busy = 0);
  std::string url() const { return url_; }

 private:
  std::unique_ptr<Child> child_;
  std::string url_;
};

/// Starting it takes about a second; the first samples and alarms come a moment later.
class Monitoring {
 public:
  Monitoring();
  ~Monitoring();

  const std::string& prometheus() const { return prometheus_url_; }
  const std::string& alertmanager() const { return alertmanager_url_; }

 private:
  std::string start(std::vector<std::string> program, std::unique_ptr<Child>& child) const;

  TemporaryFolder folder_;
  MonitoringPeer exporter_;
  std::unique_ptr<Child> alertmanager_;
  std::unique_ptr<Child> prometheus_;
  std::string alertmanager_url_;
  std::string prometheus_url_;
};

}  // namespace deputy::test

// The account of tests/peers/aws_ops.js, and what reaches it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/aws/account.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy::test {

inline constexpr const char* kAwsKeyId = "AKIDEXAMPLE";
inline constexpr const char* kAwsSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
inline constexpr const char* kAwsRegion = "eu-central-1";

inline config::Environment aws_environment(const std::string& secret = kAwsSecret) {
  return {{"AWS_ACCESS_KEY_ID", kAwsKeyId}, {"AWS_SECRET_ACCESS_KEY", secret}, {"AWS_EC2_METADATA_DISABLED", "true"}};
}

class AwsOps {
 public:
  /// At `now` the time stands still there; without it, its clock is the machine's.
  explicit AwsOps(std::optional<Timestamp> now = {}) {
    std::vector<std::string> arguments{kAwsKeyId, kAwsSecret, kAwsRegion};
    if (now) arguments.push_back(format_timestamp(*now));
    child_ = std::make_unique<Child>(node_program("aws_ops.js", std::move(arguments)));
    const auto line = child_->read_line();
    if (!line || !line->starts_with("port ")) throw std::runtime_error("the peer did not start");
    url_ = "http://127.0.0.1:" + line->substr(5);
  }

  const std::string& url() const { return url_; }
  clients::aws::Settings settings() const { return {.region = kAwsRegion, .endpoint_url = url_}; }

  /// What it has said since the last call: `asked …` and, for a rule that was broken, `broken …`.
  std::vector<std::string> said() {
    std::vector<std::string> lines;
    while (auto line = child_->read_line_within(std::chrono::milliseconds(0))) lines.push_back(*std::move(line));
    return lines;
  }

 private:
  std::unique_ptr<Child> child_;
  std::string url_;
};

/// An account whose calls go to `http` and no further, with this secret.
inline std::shared_ptr<clients::aws::Account> account_over(net::HttpClient& http, const Clock& clock,
                                                           const asio::any_io_executor& loop,
                                                           std::string_view secret = kAwsSecret) {
  return std::make_shared<clients::aws::Account>(
      clients::aws::Settings{.region = kAwsRegion, .endpoint_url = "http://127.0.0.1:1"},
      aws_environment(std::string(secret)), http, clock, loop);
}

}  // namespace deputy::test

// Calls to the AWS services that speak JSON: an operation that a header names, or a path. Retries of reads, rate
// limits, bounds and errors are those of clients/rest; what AWS's error codes mean is the table in json_api.cpp.
//
// To add a service: its value of JsonService below, its address in settings.h.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "clients/aws/settings.h"
#include "clients/aws/signed_client.h"
#include "clients/rest/api.h"

namespace deputy::clients::aws {

enum class JsonProtocol {
  json_1_0,
  json_1_0_after_query,  // errors keep the codes of the service's older protocol, in a header
  json_1_1,
  rest,  // an operation is a path
};

struct JsonService {
  Service service;
  std::string_view name;     // in messages
  std::string_view signing;  // the name that requests are signed for
  std::string_view actions;  // before the colon of its IAM actions
  JsonProtocol protocol;
  std::string_view target = {};  // before the operation's name in X-Amz-Target
};

inline constexpr JsonService kCloudWatch{Service::cloudwatch,
                                         "CloudWatch",
                                         "monitoring",
                                         "cloudwatch",
                                         JsonProtocol::json_1_0_after_query,
                                         "GraniteServiceVersion20100801"};
inline constexpr JsonService kCloudWatchLogs{Service::cloudwatch_logs, "CloudWatch Logs", "logs", "logs",
                                             JsonProtocol::json_1_1,   "Logs_20140328"};
inline constexpr JsonService kEcs{
    Service::ecs, "ECS", "ecs", "ecs", JsonProtocol::json_1_1, "AmazonEC2ContainerServiceV20141113"};
inline constexpr JsonService kKnowledgeBases{Service::bedrock_agent_runtime, "Bedrock Knowledge Bases", "bedrock",
                                             "bedrock", JsonProtocol::rest};

struct Operation {
  std::string_view name;  // "StartQuery"; with the service's `actions` the permission that it needs
  json::object body = {};
  std::string path = {};   // for JsonProtocol::rest, encoded
  bool only_reads = true;  // and may be done twice: it is tried again where that can help
  std::chrono::milliseconds limit = std::chrono::seconds(30);
  std::size_t most = 8UL * 1024 * 1024;  // bytes of the response
};

class JsonApi {
 public:
  /// Where the service is. An error, such as no region, is what every call answers.
  struct Place {
    std::string region;
    std::string url;
  };

  /// Client and clock outlive it. There is one for each service: it is the rate limiter.
  JsonApi(const JsonService& service, Result<Place> place, SignedClient& client, const Clock& clock);

  Task<Result<json::value>> call(Operation operation);

  std::string_view name() const { return service_.name; }
  /// Region and address, for ToolSpec::target.
  json::object target() const;
  const Result<Place>& place() const { return place_; }
  /// An answer that is not what was asked for: `what` follows the service's name.
  Error unusable(std::string_view what) const;

 private:
  JsonService service_;
  Result<Place> place_;
  std::unique_ptr<net::HttpClient> signing_;
  std::unique_ptr<rest::Api> api_;  // null: there is no place
};

}  // namespace deputy::clients::aws

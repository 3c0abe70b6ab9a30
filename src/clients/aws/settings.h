// Settings for AWS: region, profile, other addresses; and the addresses of its services. Keys are not settings: chain.h
// finds them as every AWS tool does.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"
#include "net/url.h"

namespace deputy::clients::aws {

void check_region(const std::string& region, FieldReader& reader);

struct Settings {
  std::string region;
  std::string profile;
  std::string endpoint_url;
  std::string endpoint_url_bedrock_agent_runtime;
  std::string endpoint_url_bedrock_runtime;
  std::string endpoint_url_cloudwatch;
  std::string endpoint_url_cloudwatch_logs;
  std::string endpoint_url_ecs;
  std::string endpoint_url_s3;
  std::string endpoint_url_sts;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::region, "region",
               "The AWS region, such as eu-central-1; else AWS_DEFAULT_REGION, else the profile's")
        .from_variable("AWS_REGION")
        .check_with(check_region);
    f.optional(&S::profile, "profile", "The AWS profile to take credentials and region from")
        .from_variable("AWS_PROFILE");
    f.optional(&S::endpoint_url, "endpoint_url", "The address of AWS services, instead of their usual ones")
        .from_variable("AWS_ENDPOINT_URL")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_bedrock_agent_runtime, "endpoint_url_bedrock_agent_runtime",
               "The address of Bedrock's knowledge bases alone")
        .from_variable("AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_bedrock_runtime, "endpoint_url_bedrock_runtime", "The address of Bedrock alone")
        .from_variable("AWS_ENDPOINT_URL_BEDROCK_RUNTIME")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_cloudwatch, "endpoint_url_cloudwatch",
               "The address of CloudWatch alone: alarms and metrics")
        .from_variable("AWS_ENDPOINT_URL_CLOUDWATCH")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_cloudwatch_logs, "endpoint_url_cloudwatch_logs", "The address of CloudWatch Logs alone")
        .from_variable("AWS_ENDPOINT_URL_CLOUDWATCH_LOGS")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_ecs, "endpoint_url_ecs", "The address of ECS alone")
        .from_variable("AWS_ENDPOINT_URL_ECS")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_s3, "endpoint_url_s3", "The address of S3 alone")
        .from_variable("AWS_ENDPOINT_URL_S3")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_sts, "endpoint_url_sts", "The address of STS alone, which issues the keys of roles")
        .from_variable("AWS_ENDPOINT_URL_STS")
        .check_with(net::check_base_url);
  }
};

// Addresses of services. Pure.

enum class Service { bedrock_agent_runtime, bedrock_runtime, cloudwatch, cloudwatch_logs, ecs, s3, sts };

bool is_region(std::string_view text);

/// "amazonaws.com", or its counterpart in China.
std::string_view domain_of(std::string_view region);

/// The address that settings give for this service, else for all; empty when there is none. Without a trailing slash.
std::string set_endpoint(const Settings& settings, Service service);

/// The address from settings, else the service's own in `region`, which must be a valid one.
Result<std::string> endpoint(const Settings& settings, Service service, std::string_view region);

}  // namespace deputy::clients::aws

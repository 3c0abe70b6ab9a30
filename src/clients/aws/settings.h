// What settings say of AWS: the region, the profile, other addresses. Keys are no settings: they come by the chain that
// every AWS tool knows (chain.h).
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
  std::string endpoint_url_bedrock_runtime;
  std::string endpoint_url_s3;
  std::string endpoint_url_sts;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Settings;
    f.optional(&S::region, "region",
               "The AWS region, such as eu-central-1; else AWS_DEFAULT_REGION, else the profile's")
        .from_variable("AWS_REGION")
        .check_with(check_region);
    f.optional(&S::profile, "profile", "The profile of the AWS files that credentials and region are taken from")
        .from_variable("AWS_PROFILE");
    f.optional(&S::endpoint_url, "endpoint_url", "Where AWS services are reached instead of at their usual addresses")
        .from_variable("AWS_ENDPOINT_URL")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_bedrock_runtime, "endpoint_url_bedrock_runtime", "The same for Bedrock alone")
        .from_variable("AWS_ENDPOINT_URL_BEDROCK_RUNTIME")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_s3, "endpoint_url_s3", "The same for S3 alone")
        .from_variable("AWS_ENDPOINT_URL_S3")
        .check_with(net::check_base_url);
    f.optional(&S::endpoint_url_sts, "endpoint_url_sts", "The same for STS alone, which gives out the keys of roles")
        .from_variable("AWS_ENDPOINT_URL_STS")
        .check_with(net::check_base_url);
  }
};

// Where AWS services are. Pure.

enum class Service { bedrock_runtime, s3, sts };

bool is_region(std::string_view text);

/// "amazonaws.com", or what China has instead.
std::string_view domain_of(std::string_view region);

/// What settings say of this service, else of all; empty where they say nothing. Without a slash at its end.
std::string set_endpoint(const Settings& settings, Service service);

/// The one that is set, else the service's own in this region, which must be one.
Result<std::string> endpoint(const Settings& settings, Service service, std::string_view region);

}  // namespace deputy::clients::aws

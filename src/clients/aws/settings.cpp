#include "clients/aws/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "net/url.h"

namespace deputy::clients::aws {

void check_region(const std::string& region, FieldReader& reader) {
  if (!region.empty() && !is_region(region)) {
    reader.problem("a region has only lower-case letters, digits and hyphens", "write it like eu-central-1");
  }
}

namespace {

struct ServiceAddress {
  Service service;
  std::string_view host;
  std::string Settings::* own;
};

constexpr auto kAddresses = std::to_array<ServiceAddress>({
    {Service::bedrock_agent_runtime, "bedrock-agent-runtime", &Settings::endpoint_url_bedrock_agent_runtime},
    {Service::bedrock_runtime, "bedrock-runtime", &Settings::endpoint_url_bedrock_runtime},
    {Service::cloudwatch, "monitoring", &Settings::endpoint_url_cloudwatch},
    {Service::cloudwatch_logs, "logs", &Settings::endpoint_url_cloudwatch_logs},
    {Service::ecs, "ecs", &Settings::endpoint_url_ecs},
    {Service::s3, "s3", &Settings::endpoint_url_s3},
    {Service::sts, "sts", &Settings::endpoint_url_sts},
});

const ServiceAddress& address_of(Service service) {
  return *std::ranges::find(kAddresses, service, &ServiceAddress::service);
}

}  // namespace

bool is_region(std::string_view text) {
  const auto allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return !text.empty() && text.size() <= 40 && !text.starts_with('-') && !text.ends_with('-') &&
         std::ranges::all_of(text, allowed);
}

std::string_view domain_of(std::string_view region) {
  return region.starts_with("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

std::string set_endpoint(const Settings& settings, Service service) {
  const std::string& own = settings.*address_of(service).own;
  std::string_view url = own.empty() ? settings.endpoint_url : own;
  while (url.ends_with('/')) url.remove_suffix(1);
  return std::string(url);
}

Result<std::string> endpoint(const Settings& settings, Service service, std::string_view region) {
  std::string set = set_endpoint(settings, service);
  if (!set.empty()) {
    TRY(net::allow_base_url(set));
    return set;
  }
  if (!is_region(region)) {
    return fail(ErrorKind::not_configured, "no AWS region is set",
                "set `aws.region`, AWS_REGION, or a region in the AWS profile");
  }
  return fmt::format("https://{}.{}.{}", address_of(service).host, region, domain_of(region));
}

}  // namespace deputy::clients::aws

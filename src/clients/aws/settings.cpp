#include "clients/aws/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "net/url.h"

namespace deputy::clients::aws {

void check_region(const std::string& region, FieldReader& reader) {
  if (!region.empty() && !is_region(region)) {
    reader.problem("a region has only lower-case letters, digits and hyphens", "write it like eu-central-1");
  }
}

namespace {

std::string_view host_name(Service service) {
  switch (service) {
    case Service::bedrock_runtime:
      return "bedrock-runtime";
    case Service::s3:
      return "s3";
    case Service::sts:
      return "sts";
  }
  return {};
}

const std::string& own_setting(const Settings& settings, Service service) {
  switch (service) {
    case Service::bedrock_runtime:
      return settings.endpoint_url_bedrock_runtime;
    case Service::s3:
      return settings.endpoint_url_s3;
    case Service::sts:
      break;
  }
  return settings.endpoint_url_sts;
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
  const std::string& own = own_setting(settings, service);
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
  return fmt::format("https://{}.{}.{}", host_name(service), region, domain_of(region));
}

}  // namespace deputy::clients::aws

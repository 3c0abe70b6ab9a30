// The role of the instance, by its metadata service (IMDSv2): a token first, then with it the role's name and its
// keys. Only a service that has no tokens is asked without one. Where nobody answers within a second there is none.
#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/text.h"
#include "clients/aws/endpoints.h"
#include "clients/aws/issued.h"

namespace deputy::clients::aws {

namespace {

constexpr std::string_view kUsual = "http://169.254.169.254";
constexpr std::string_view kUsualIpv6 = "http://[fd00:ec2::254]";
constexpr std::string_view kRoles = "/latest/meta-data/iam/security-credentials/";
constexpr std::string_view kOrigin = "the instance's metadata service";

std::string variable(const config::Environment& environment, std::string_view name) {
  const std::string* value = config::find_variable(environment, name);
  return value == nullptr ? std::string() : *value;
}

Result<std::string> address_of(const config::Environment& environment) {
  std::string set = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  while (set.ends_with('/')) set.pop_back();
  if (set.empty()) {
    const bool is_ipv6 = to_lower(variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")) == "ipv6";
    return std::string(is_ipv6 ? kUsualIpv6 : kUsual);
  }
  const auto url = net::parse_url(set);
  if (!url) {
    return fail(ErrorKind::not_configured, "AWS_EC2_METADATA_SERVICE_ENDPOINT is no URL", url.error().message);
  }
  return set;
}

net::Request request_to(std::string url) {
  constexpr auto kShort = std::chrono::seconds(1);
  return {.url = std::move(url),
          .headers = {},
          .timeouts = {.connect = kShort, .idle = kShort, .total = kShort},
          .most_body = 64UL * 1024,
          .proxy = net::ProxyUse::never};
}

// A token; empty where the service is an old one that has none; nothing where there is no service.
Task<Result<std::optional<Secret>>> token_from(const Surroundings& around, std::string base) {
  net::Request request = request_to(base + "/latest/api/token");
  request.method = "PUT";
  request.headers.push_back({"x-aws-ec2-metadata-token-ttl-seconds", "21600"});
  auto response = co_await around.http.send(std::move(request));
  if (!response) co_return std::optional<Secret>();
  const bool disabled = to_lower(variable(around.environment, "AWS_EC2_METADATA_V1_DISABLED")) == "true";
  const bool has_no_tokens = response->status == 403 || response->status == 404 || response->status == 405;
  if (has_no_tokens && !disabled) co_return Secret();
  if (response->status != 200) co_return std::optional<Secret>();
  co_return Secret(std::string(trim(response->body)));
}

Task<Result<net::Response>> look(const Surroundings& around, std::string url, Secret token) {
  net::Request request = request_to(std::move(url));
  if (!token.empty()) request.headers.push_back({"x-aws-ec2-metadata-token", token.reveal()});
  co_return co_await around.http.send(std::move(request));
}

bool is_role(std::string_view name) {
  const auto allowed = [](char c) { return is_letter_or_digit(c) || std::string_view("+=,.@_-").contains(c); };
  return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, allowed);
}

}  // namespace

Task<Result<Found>> from_instance(const Surroundings& around, const Profiles&) {
  if (to_lower(variable(around.environment, "AWS_EC2_METADATA_DISABLED")) == "true") co_return Found{};
  CO_TRY(const std::string base, address_of(around.environment));
  CO_TRY(const std::optional<Secret> token, co_await token_from(around, base));
  if (!token) co_return Found{};
  const auto roles = co_await look(around, base + std::string(kRoles), *token);
  if (!roles || roles->status != 200) co_return Found{};  // no service, or an instance without a role
  const std::string role(trim(roles->body.substr(0, roles->body.find('\n'))));
  if (!is_role(role)) co_return fail(ErrorKind::upstream, fmt::format("{} named no role", kOrigin));
  CO_TRY(const net::Response keys, co_await look(around, base + std::string(kRoles) + role, *token));
  if (keys.status != 200) {
    co_return std::unexpected(
        Error{ErrorKind::upstream, fmt::format("{} answered with {}", kOrigin, keys.status), {}, true});
  }
  co_return read_issued(keys.body, std::string(kOrigin));
}

}  // namespace deputy::clients::aws

#include "clients/aws/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "clients/aws/settings.h"
#include "config/files.h"
#include "net/url.h"

namespace deputy::clients::aws {

Result<Credentials> read_issued(std::string_view text, std::string origin) {
  const auto broken = [&] { return fail(ErrorKind::upstream, fmt::format("{} gave no AWS credentials", origin)); };
  const auto object = parse_json_object(text);
  if (!object) return broken();
  Credentials credentials{
      {text_at(*object, "AccessKeyId"), Secret(text_at(*object, "SecretAccessKey")), Secret(text_at(*object, "Token"))},
      {},
      origin};
  if (credentials.key.access_key_id.empty() || credentials.key.secret.empty()) return broken();
  if (const std::string expires = text_at(*object, "Expiration"); !expires.empty()) {
    const auto at = parse_timestamp(expires);
    if (!at) return broken();
    credentials.expires = *at;
  }
  return credentials;
}

// The container.

namespace {

constexpr std::string_view kContainerAddress = "http://169.254.170.2";
// ECS, EKS over IPv4, EKS over IPv6.
constexpr auto kContainerHosts = std::to_array<std::string_view>({"169.254.170.2", "169.254.170.23", "fd00:ec2::23"});
constexpr std::string_view kContainer = "the container's credentials endpoint";
constexpr std::size_t kMaxToken = 20'000;
constexpr int kTries = 3;

std::unexpected<Error> wrong(std::string message, std::string hint) {
  return fail(ErrorKind::not_configured, std::move(message), std::move(hint));
}

Result<Secret> token_of(const config::Environment& environment) {
  std::string token;
  // Read each time, because the token is rotated.
  if (const std::string* file = config::find_variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    TRY(config::FileContent content, config::read_bounded(*file, kMaxToken));
    token = std::move(content.text);
  } else if (const std::string* text = config::find_variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN")) {
    token = *text;
  }
  if (token.find_first_of("\r\n") != std::string::npos) {
    return wrong("the token for the container's credentials contains a line end",
                 "write AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE without one");
  }
  return Secret(std::move(token));
}

Task<Result<net::Response>> ask(const AwsContext& around, net::Request request) {
  Result<net::Response> response;
  for (int i = 0; i < kTries; ++i) {
    response = co_await around.http.send(request);
    if (response && response->status < 500) break;
  }
  co_return response;
}

}  // namespace

Result<std::optional<net::Url>> container_address(const config::Environment& environment) {
  const std::string* relative = config::find_variable(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string* full = config::find_variable(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative == nullptr && full == nullptr) return std::nullopt;
  if (relative != nullptr && !relative->starts_with('/')) {
    return wrong("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with a slash",
                 "write a path such as /v2/credentials");
  }
  const std::string text = relative != nullptr ? std::string(kContainerAddress) + *relative : *full;
  const auto url = net::parse_url(text);
  if (!url) return wrong("AWS_CONTAINER_CREDENTIALS_FULL_URI is not a valid URL", url.error().message);
  const bool is_listed = contains(kContainerHosts, url->host);
  if (url->scheme != "https" && !net::is_this_machine(*url) && !is_listed) {
    return wrong("AWS_CONTAINER_CREDENTIALS_FULL_URI names a host that is not allowed for credentials",
                 "use https, an address of this machine, or the one that ECS or EKS sets");
  }
  return *url;
}

Task<Result<MaybeCredentials>> from_container(const AwsContext& around, const Profiles&) {
  CO_TRY(const std::optional<net::Url> url, container_address(around.environment));
  if (!url) co_return MaybeCredentials{};
  CO_TRY(const Secret token, token_of(around.environment));
  net::Request request{.url = url->text,
                       .headers = {{"Accept", "application/json"}},
                       .timeouts = {.connect = std::chrono::seconds(2),
                                    .idle = std::chrono::seconds(2),
                                    .total = std::chrono::seconds(4)},
                       .max_body = 64UL * 1024,
                       .proxy = net::ProxyUse::never};
  if (!token.empty()) request.headers.push_back({"Authorization", token.reveal()});
  CO_TRY(const net::Response response, co_await ask(around, std::move(request)));
  if (response.status != 200) {
    co_return std::unexpected(Error{ErrorKind::authentication,
                                    fmt::format("{} answered with status {}", kContainer, response.status),
                                    "check the role of the task or the service account", response.status >= 500});
  }
  co_return read_issued(response.body, std::string(kContainer));
}

// The role of the instance, from its metadata service (IMDSv2): first a token, then the role's name and its keys. Only
// a service without tokens is asked without one. When nobody answers within a second, there is no service.

namespace {

constexpr std::string_view kInstanceAddress = "http://169.254.169.254";
constexpr std::string_view kInstanceAddressIpv6 = "http://[fd00:ec2::254]";
constexpr std::string_view kRoles = "/latest/meta-data/iam/security-credentials/";
constexpr std::string_view kInstance = "the instance's metadata service";

std::string variable(const config::Environment& environment, std::string_view name) {
  const std::string* value = config::find_variable(environment, name);
  return value == nullptr ? std::string() : *value;
}

Result<std::string> address_of(const config::Environment& environment) {
  std::string set = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  while (set.ends_with('/')) set.pop_back();
  if (set.empty()) {
    const bool is_ipv6 = to_lower(variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")) == "ipv6";
    return std::string(is_ipv6 ? kInstanceAddressIpv6 : kInstanceAddress);
  }
  const auto url = net::parse_url(set);
  if (!url) {
    return fail(ErrorKind::not_configured, "AWS_EC2_METADATA_SERVICE_ENDPOINT is not a valid URL", url.error().message);
  }
  return set;
}

net::Request request_to(std::string url) {
  constexpr auto kShort = std::chrono::seconds(1);
  return {.url = std::move(url),
          .headers = {},
          .timeouts = {.connect = kShort, .idle = kShort, .total = kShort},
          .max_body = 64UL * 1024,
          .proxy = net::ProxyUse::never};
}

// The token; empty when the service is an old one without tokens; nothing when there is no service.
Task<Result<std::optional<Secret>>> token_from(const AwsContext& around, std::string base) {
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

Task<Result<net::Response>> look(const AwsContext& around, std::string url, Secret token) {
  net::Request request = request_to(std::move(url));
  if (!token.empty()) request.headers.push_back({"x-aws-ec2-metadata-token", token.reveal()});
  co_return co_await around.http.send(std::move(request));
}

bool is_role(std::string_view name) {
  const auto allowed = [](char c) { return is_letter_or_digit(c) || std::string_view("+=,.@_-").contains(c); };
  return !name.empty() && name.size() <= 128 && std::ranges::all_of(name, allowed);
}

}  // namespace

Task<Result<MaybeCredentials>> from_instance(const AwsContext& around, const Profiles&) {
  if (to_lower(variable(around.environment, "AWS_EC2_METADATA_DISABLED")) == "true") co_return MaybeCredentials{};
  CO_TRY(const std::string base, address_of(around.environment));
  CO_TRY(const std::optional<Secret> token, co_await token_from(around, base));
  if (!token) co_return MaybeCredentials{};
  const auto roles = co_await look(around, base + std::string(kRoles), *token);
  if (!roles || roles->status != 200) co_return MaybeCredentials{};  // no service, or an instance without a role
  const std::string role(trim(roles->body.substr(0, roles->body.find('\n'))));
  if (!is_role(role)) co_return fail(ErrorKind::upstream, fmt::format("{} gave no valid role name", kInstance));
  CO_TRY(const net::Response keys, co_await look(around, base + std::string(kRoles) + role, *token));
  if (keys.status != 200) {
    co_return std::unexpected(
        Error{ErrorKind::upstream, fmt::format("{} answered with status {}", kInstance, keys.status), {}, true});
  }
  co_return read_issued(keys.body, std::string(kInstance));
}

}  // namespace deputy::clients::aws

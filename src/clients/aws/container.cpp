#include "clients/aws/container.h"

#include <array>

#include "base/contains.h"
#include "base/text.h"
#include "clients/aws/issued.h"
#include "config/files.h"
#include "net/base_url.h"

namespace deputy::clients::aws {

namespace {

constexpr std::string_view kUsual = "http://169.254.170.2";
// ECS, EKS over IPv4, EKS over IPv6.
constexpr auto kHosts = std::to_array<std::string_view>({"169.254.170.2", "169.254.170.23", "fd00:ec2::23"});
constexpr std::string_view kOrigin = "the container's credentials endpoint";
constexpr std::size_t kMostToken = 20'000;
constexpr int kTries = 3;

std::unexpected<Error> wrong(std::string message, std::string hint) {
  return fail(ErrorKind::not_configured, std::move(message), std::move(hint));
}

Result<Secret> token_of(const config::Environment& environment) {
  std::string token;
  // Read each time: whoever writes the file changes it.
  if (const std::string* file = config::find_variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    TRY(config::FileContent content, config::read_bounded(*file, kMostToken));
    token = std::move(content.text);
  } else if (const std::string* text = config::find_variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN")) {
    token = *text;
  }
  if (token.find_first_of("\r\n") != std::string::npos) {
    return wrong("the token for the container's credentials has a line end in it",
                 "write AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE without one");
  }
  return Secret(std::move(token));
}

Task<Result<net::Response>> ask(const Surroundings& around, net::Request request) {
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
    return wrong("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with a slash", "it is a path");
  }
  const std::string text = relative != nullptr ? std::string(kUsual) + *relative : *full;
  const auto url = net::parse_url(text);
  if (!url) return wrong("AWS_CONTAINER_CREDENTIALS_FULL_URI is no URL", url.error().message);
  const bool is_listed = contains(kHosts, url->host);
  if (url->scheme != "https" && !net::is_this_machine(*url) && !is_listed) {
    return wrong("AWS_CONTAINER_CREDENTIALS_FULL_URI names a host that credentials are not asked from",
                 "use https, an address of this machine, or the one that ECS or EKS sets");
  }
  return *url;
}

Task<Result<Found>> from_container(const Surroundings& around, const Profiles&) {
  CO_TRY(const std::optional<net::Url> url, container_address(around.environment));
  if (!url) co_return Found{};
  CO_TRY(const Secret token, token_of(around.environment));
  net::Request request{.url = url->text,
                       .headers = {{"Accept", "application/json"}},
                       .timeouts = {.connect = std::chrono::seconds(2),
                                    .idle = std::chrono::seconds(2),
                                    .total = std::chrono::seconds(4)},
                       .most_body = 64UL * 1024,
                       .proxy = net::ProxyUse::never};
  if (!token.empty()) request.headers.push_back({"Authorization", token.reveal()});
  CO_TRY(const net::Response response, co_await ask(around, std::move(request)));
  if (response.status != 200) {
    co_return std::unexpected(Error{ErrorKind::authentication,
                                    fmt::format("{} answered with {}", kOrigin, response.status),
                                    "check the role of the task or the service account", response.status >= 500});
  }
  co_return read_issued(response.body, std::string(kOrigin));
}

}  // namespace deputy::clients::aws

#include "clients/aws/json_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace deputy::clients::aws {

namespace {

using Kind = ErrorKind;

constexpr std::string_view kCheckKeys =
    "check the AWS credentials that Deputy uses: key id, secret, and session token where there is one";
constexpr std::string_view kRenewKeys = "the AWS session has expired: get new credentials";
constexpr std::string_view kCheckClock = "check the clock of this machine";
constexpr std::string_view kCheckRegion = "check the name, and that aws.region is the region it is in";
constexpr std::string_view kWrongKey = "it does not accept the credentials";
constexpr std::string_view kMayNot = "the key or role that Deputy uses may not do this";

constexpr auto kMeanings = std::to_array<rest::Meaning>({
    {.code = "AccessDenied", .kind = Kind::permission, .message = kMayNot},
    {.code = "AccessDeniedException", .kind = Kind::permission, .message = kMayNot},
    {.code = "NotAuthorized", .kind = Kind::permission, .message = kMayNot},
    {.code = "UnauthorizedOperation", .kind = Kind::permission, .message = kMayNot},
    {.code = "ExpiredToken", .kind = Kind::authentication, .message = kWrongKey, .hint = kRenewKeys},
    {.code = "ExpiredTokenException", .kind = Kind::authentication, .message = kWrongKey, .hint = kRenewKeys},
    {.code = "IncompleteSignature", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "InvalidAccessKeyId", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "InvalidClientTokenId", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "InvalidSignatureException", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "MissingAuthenticationToken", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "MissingAuthenticationTokenException",
     .kind = Kind::authentication,
     .message = kWrongKey,
     .hint = kCheckKeys},
    {.code = "RequestExpired", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckClock},
    {.code = "SignatureDoesNotMatch", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "UnrecognizedClientException", .kind = Kind::authentication, .message = kWrongKey, .hint = kCheckKeys},
    {.code = "LimitExceededException", .kind = Kind::rate_limit},
    {.code = "RequestLimitExceeded", .kind = Kind::rate_limit},
    {.code = "ServiceQuotaExceededException", .kind = Kind::rate_limit},
    {.code = "Throttling", .kind = Kind::rate_limit},
    {.code = "ThrottlingException", .kind = Kind::rate_limit},
    {.code = "TooManyRequestsException", .kind = Kind::rate_limit},
    {.code = "ClusterNotFoundException",
     .kind = Kind::not_found,
     .message = "there is no such cluster",
     .hint = "check tools.alarm_tools.cloudwatch.clusters, and that aws.region is the cluster's region"},
    {.code = "ResourceNotFound", .kind = Kind::not_found, .hint = kCheckRegion},
    {.code = "ResourceNotFoundException", .kind = Kind::not_found, .hint = kCheckRegion},
    {.code = "MalformedQueryException",
     .kind = Kind::invalid_input,
     .message = "it does not understand the query",
     .hint = "correct the query as the message says; search for plain words instead of a regular expression"},
    {.code = "UnknownOperationException",
     .kind = Kind::upstream,
     .message = "it does not know this operation",
     .hint = "check aws.endpoint_url: it may be the address of another service"},
});

// The message of a refused signature may repeat what was signed; it is quoted of other refusals only.
rest::VendorError error_of(const net::Response& refused) {
  ServiceError error = read_service_error(refused.headers, refused.body);
  std::ranges::replace_if(error.message, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return {std::move(error.code), std::move(error.message)};
}

/// Signs what rest::Api sends.
class Signing final : public net::HttpClient {
 public:
  Signing(SignedClient& client, net::SigningScope scope) : client_(client), scope_(std::move(scope)) {}

  Task<Result<net::Response>> send(net::Request request) override { return client_.send(std::move(request), scope_); }
  Task<Result<std::unique_ptr<net::ResponseStream>>> open(net::Request) override {
    co_return fail(ErrorKind::internal, "calls in JSON are not streamed");
  }

 private:
  SignedClient& client_;
  net::SigningScope scope_;
};

std::string_view content_type(JsonProtocol protocol) {
  switch (protocol) {
    case JsonProtocol::json_1_0:
    case JsonProtocol::json_1_0_after_query:
      return "application/x-amz-json-1.0";
    case JsonProtocol::json_1_1:
      return "application/x-amz-json-1.1";
    case JsonProtocol::rest:
      break;
  }
  return "application/json";
}

rest::VendorName vendor_of(const JsonService& service) {
  return {.name = std::string(service.name),
          .address_setting = "aws.region and aws.endpoint_url",
          .token_setting = "the AWS key that Deputy uses",
          .meanings = kMeanings,
          .read_error = error_of};
}

}  // namespace

JsonApi::JsonApi(const JsonService& service, Result<Place> place, SignedClient& client, const Clock& clock)
    : service_(service), place_(std::move(place)) {
  if (!place_) return;
  signing_ = std::make_unique<Signing>(client, net::SigningScope{place_->region, std::string(service.signing)});
  api_ = std::make_unique<rest::Api>(rest::Account{.vendor = vendor_of(service), .base_url = place_->url}, *signing_,
                                     clock);
}

json::object JsonApi::target() const {
  if (!place_) return {};
  return {{"region", place_->region}, {"url", place_->url}};
}

Error JsonApi::unusable(std::string_view what) const { return rest::unusable(vendor_of(service_), what); }

Task<Result<json::value>> JsonApi::call(Operation operation) {
  if (!api_) co_return std::unexpected(place_.error());
  rest::Call call{.method = "POST",
                  .path = operation.path.empty() ? "/" : std::move(operation.path),
                  .body = std::move(operation.body),
                  .headers = {{"Content-Type", std::string(content_type(service_.protocol))}},
                  .only_reads = operation.only_reads,
                  .limit = operation.limit,
                  .most = operation.most};
  if (!service_.target.empty())
    call.headers.push_back({"X-Amz-Target", fmt::format("{}.{}", service_.target, operation.name)});
  if (service_.protocol == JsonProtocol::json_1_0_after_query) call.headers.push_back({"X-Amzn-Query-Mode", "true"});
  Result<json::value> answer = co_await api_->call(std::move(call));
  if (!answer && answer.error().kind == ErrorKind::permission) {
    answer.error().hint =
        fmt::format("allow {}:{} for the key or role that Deputy uses", service_.actions, operation.name);
  }
  co_return answer;
}

}  // namespace deputy::clients::aws

#include "clients/aws/signed_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "clients/aws/xml.h"
#include "net/retry_after.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMaxRefusal = 64UL * 1024;

bool is_success(int status) { return status >= 200 && status < 300; }

constexpr std::size_t kMaxMessage = 300;
constexpr std::chrono::milliseconds kMaxSkew = std::chrono::minutes(5);

struct Known {
  std::string_view code;
  ErrorKind kind;
  bool retryable;
  std::string_view hint;
};

constexpr std::string_view kAskForAccess = "allow this action for the key or role that Deputy uses";
constexpr std::string_view kCheckKeys =
    "check the AWS credentials: key id, secret, and session token where there is one";
constexpr std::string_view kRenewKeys = "the AWS session has expired: get new credentials";
constexpr std::string_view kCheckClock = "check the clock of this machine";
constexpr std::string_view kCheckName = "check the name and the region";
constexpr std::string_view kCheckAddress = "check aws.region and aws.endpoint_url";
constexpr std::string_view kWait = "wait and retry, or ask for less";
constexpr std::string_view kTryLater = "try again later";
constexpr std::chrono::milliseconds kUnknownWait{1000};  // it refused and did not say for how long

constexpr auto kKnown = std::to_array<Known>({
    {"AccessDenied", ErrorKind::permission, false, kAskForAccess},
    {"AccessDeniedException", ErrorKind::permission, false, kAskForAccess},
    {"AllAccessDisabled", ErrorKind::permission, false, kAskForAccess},
    {"ExpiredToken", ErrorKind::authentication, false, kRenewKeys},
    {"ExpiredTokenException", ErrorKind::authentication, false, kRenewKeys},
    {"IDPCommunicationError", ErrorKind::upstream, true, kTryLater},
    {"InvalidAccessKeyId", ErrorKind::authentication, false, kCheckKeys},
    {"InvalidClientTokenId", ErrorKind::authentication, false, kCheckKeys},
    {"InvalidIdentityToken", ErrorKind::authentication, false, "check the web identity token"},
    {"InvalidSignatureException", ErrorKind::authentication, false, kCheckKeys},
    {"MissingAuthenticationToken", ErrorKind::authentication, false, kCheckKeys},
    {"NoSuchBucket", ErrorKind::not_found, false, "check the name of the bucket and the region"},
    {"NoSuchKey", ErrorKind::not_found, false, "check the key of the object"},
    {"RequestExpired", ErrorKind::authentication, false, kCheckClock},
    {"RequestInTheFuture", ErrorKind::authentication, false, kCheckClock},
    {"RequestTimeTooSkewed", ErrorKind::authentication, false, kCheckClock},
    {"SignatureDoesNotMatch", ErrorKind::authentication, false, kCheckKeys},
    {"SlowDown", ErrorKind::rate_limit, true, kWait},
    {"Throttling", ErrorKind::rate_limit, true, kWait},
    {"ThrottlingException", ErrorKind::rate_limit, true, kWait},
    {"TooManyRequestsException", ErrorKind::rate_limit, true, kWait},
    {"UnrecognizedClientException", ErrorKind::authentication, false, kCheckKeys},
});

Known by_status(int status) {
  if (status == 401) return {"", ErrorKind::authentication, false, kCheckKeys};
  if (status == 403) return {"", ErrorKind::permission, false, kAskForAccess};
  if (status == 404 || status == 410) return {"", ErrorKind::not_found, false, kCheckName};
  if (status == 429) return {"", ErrorKind::rate_limit, true, kWait};
  if (status == 408 || status == 504) return {"", ErrorKind::timeout, true, kTryLater};
  if (status >= 500) return {"", ErrorKind::upstream, true, kTryLater};
  if (status >= 300 && status < 400) return {"", ErrorKind::upstream, false, kCheckAddress};
  return {"", ErrorKind::invalid_input, false, "correct the request as the message says"};
}

std::string first_text(const json::object& object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (std::string text = text_at(object, key); !text.empty()) return text;
  }
  return {};
}

bool is_about_time(std::string_view code) {
  return code == "RequestTimeTooSkewed" || code == "RequestExpired" || code == "RequestInTheFuture";
}

bool is_about_signature(std::string_view code) {
  return code == "SignatureDoesNotMatch" || code == "InvalidSignatureException";
}

bool is_about_expiry(std::string_view code) {
  return code == "ExpiredToken" || code == "ExpiredTokenException" || code == "TokenRefreshRequired";
}

}  // namespace

Task<Result<std::string>> read_refusal(net::ResponseStream& stream) {
  std::string body;
  while (body.size() < kMaxRefusal) {
    CO_TRY(const std::string piece, co_await stream.read());
    if (piece.empty()) break;
    body += piece;
  }
  body.resize(std::min(body.size(), kMaxRefusal));
  co_return body;
}

Task<Result<SignedClient::Signed>> SignedClient::sign(net::Request request, net::SigningScope scope,
                                                      net::SigningOptions options) {
  CO_TRY(Credentials credentials, co_await credentials_.get());
  const Timestamp at = clock_.now() + skew_;
  CO_TRY(net::sign(request, credentials.key, scope, at, options));
  co_return Signed{std::move(request), std::move(credentials), at};
}

bool SignedClient::mend(const Signed& sent, const std::vector<net::Header>& headers, std::string_view body) {
  switch (remedy_for(read_service_error(headers, body), headers, sent.at)) {
    case Remedy::renew_credentials:
      credentials_.refused(sent.credentials);
      return true;
    case Remedy::correct_clock: {
      const auto theirs = net::parse_http_date(net::find_header(headers, "date").value_or(""));
      if (!theirs) return false;
      skew_ = *theirs - clock_.now();
      log::warning("our clock differs from AWS's", {{"ahead_ms", skew_.count()}});
      return true;
    }
    case Remedy::none:
      break;
  }
  return false;
}

Task<Result<net::Response>> SignedClient::send(net::Request request, net::SigningScope scope,
                                               net::SigningOptions options) {
  CO_TRY(Signed first, co_await sign(request, scope, options));
  CO_TRY(net::Response response, co_await http_.send(first.request));
  if (is_success(response.status) || !mend(first, response.headers, response.body)) co_return response;
  CO_TRY(Signed second, co_await sign(std::move(request), std::move(scope), options));
  co_return co_await http_.send(std::move(second.request));
}

Task<Result<Opened>> SignedClient::open(net::Request request, net::SigningScope scope, net::SigningOptions options) {
  for (bool may_try_again = true;; may_try_again = false) {
    CO_TRY(Signed sent, co_await sign(request, scope, options));
    CO_TRY(auto stream, co_await http_.open(sent.request));
    Opened opened{stream->status(), stream->headers(), {}, {}};
    if (is_success(opened.status)) {
      opened.stream = std::move(stream);
      co_return opened;
    }
    CO_TRY(opened.refusal, co_await read_refusal(*stream));
    if (!may_try_again || !mend(sent, opened.headers, opened.refusal)) co_return opened;
  }
}

std::string_view bare_code(std::string_view code) {
  code = trim(code.substr(0, code.find(':')));
  const std::size_t name = code.rfind('#');
  return name == std::string_view::npos ? code : code.substr(name + 1);
}

ServiceError read_service_error(const std::vector<net::Header>& headers, std::string_view body) {
  ServiceError error;
  error.code = bare_code(net::find_header(headers, "x-amzn-errortype").value_or(""));
  if (error.code.empty()) {  // "Throttling;Sender": the code that the service had before it spoke JSON
    const std::string_view both = net::find_header(headers, "x-amzn-query-error").value_or("");
    error.code = trim(both.substr(0, both.find(';')));
  }
  const std::string_view text = trim(body);
  if (text.starts_with('{')) {
    if (const auto object = parse_json_object(text)) {
      if (error.code.empty()) error.code = bare_code(first_text(*object, {"__type", "code", "Code"}));
      error.message = first_text(*object, {"message", "Message", "errorMessage"});
    }
  } else if (text.starts_with('<')) {
    if (const auto texts = read_xml(text)) {
      if (error.code.empty()) error.code = find_text(*texts, "Error/Code").value_or("");
      error.message = find_text(*texts, "Error/Message").value_or("");
    }
  }
  error.code = cut_characters(error.code, 100);
  error.message = cut_with_mark(trim(error.message), kMaxMessage);
  return error;
}

Error as_error(std::string_view who, int status, const std::vector<net::Header>& headers, const ServiceError& refused,
               Timestamp now) {
  const auto* const found = std::ranges::find(kKnown, refused.code, &Known::code);
  const Known known = found == kKnown.end() ? by_status(status) : *found;
  std::string message = fmt::format("{} refused with {}", who, status);
  if (!refused.code.empty()) message += " " + refused.code;
  // The message about a wrong signature may repeat what was signed, including the session token.
  const bool may_tell = known.kind == ErrorKind::authentication;
  if (!refused.message.empty() && !may_tell) message += ": " + refused.message;
  Error error{known.kind, std::move(message), std::string(known.hint), known.retryable};
  if (known.kind == ErrorKind::rate_limit) error.retry_after = net::retry_after(headers, now).value_or(kUnknownWait);
  return error;
}

Remedy remedy_for(const ServiceError& refused, const std::vector<net::Header>& headers, Timestamp signed_at) {
  if (is_about_expiry(refused.code)) return Remedy::renew_credentials;
  const auto theirs = net::parse_http_date(net::find_header(headers, "date").value_or(""));
  if (!theirs) return Remedy::none;
  if (is_about_time(refused.code)) return Remedy::correct_clock;
  const auto off = *theirs > signed_at ? *theirs - signed_at : signed_at - *theirs;
  return is_about_signature(refused.code) && off > kMaxSkew ? Remedy::correct_clock : Remedy::none;
}

}  // namespace deputy::clients::aws

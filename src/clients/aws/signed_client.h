// Requests to AWS, signed: with the credentials of now, by the clock of the other side. A request that was refused
// because our clock is off, or because the credentials have just expired, is sent a second time, once. Everything else
// is the caller's: what a refusal means, retries, rate limits.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "clients/aws/credentials.h"
#include "net/http.h"
#include "net/sigv4.h"

namespace deputy::clients::aws {

/// A response whose body comes as a stream, or the whole body of one that is no success.
struct Opened {
  int status = 0;
  std::vector<net::Header> headers;
  std::string refusal;                          // the body of any status but 2xx, cut
  std::unique_ptr<net::ResponseStream> stream;  // of 2xx
};

class SignedClient {
 public:
  /// All of them outlive it.
  SignedClient(net::HttpClient& http, CredentialSource& credentials, const Clock& clock)
      : http_(http), credentials_(credentials), clock_(clock) {}

  Task<Result<net::Response>> send(net::Request request, net::SigningScope scope, net::SigningOptions options = {});
  Task<Result<Opened>> open(net::Request request, net::SigningScope scope, net::SigningOptions options = {});

  const Clock& clock() const { return clock_; }

 private:
  struct Signed {
    net::Request request;
    Credentials credentials;
    Timestamp at;
  };

  Task<Result<Signed>> sign(net::Request request, net::SigningScope scope, net::SigningOptions options);
  /// True when a second try may do better.
  bool mend(const Signed& sent, const std::vector<net::Header>& headers, std::string_view body);

  net::HttpClient& http_;
  CredentialSource& credentials_;
  const Clock& clock_;
  std::chrono::milliseconds skew_{0};  // how much their clock is ahead of ours
};

/// The whole of a stream, or its beginning: for bodies that are shown to nobody but a parser of errors.
Task<Result<std::string>> read_refusal(net::ResponseStream& stream);

// What AWS says when it refuses: one code and one message, wherever the service puts them. Pure.

struct ServiceError {
  std::string code;     // "ThrottlingException", without namespace or address; empty when none is given
  std::string message;  // for people, cut; empty when none is given

  bool operator==(const ServiceError&) const = default;
};

/// From the header x-amzn-errortype, a JSON body (`__type`, `code`, `message`) or an XML one (Error/Code).
ServiceError read_service_error(const std::vector<net::Header>& headers, std::string_view body);

/// "aws.foo#Name:http://…" is "Name".
std::string_view bare_code(std::string_view code);

/// The error of a response with this status that is no success: kind by code and status, `retryable` and `retry_after`
/// as the response allows, and a hint for people where one helps. `who` begins the sentence: "S3", "AWS STS".
Error as_error(std::string_view who, int status, const std::vector<net::Header>& headers, const ServiceError& refused,
               Timestamp now);

/// What may help a request that was refused, once.
enum class Remedy { none, correct_clock, renew_credentials };
Remedy remedy_for(const ServiceError& refused, const std::vector<net::Header>& headers, Timestamp signed_at);

}  // namespace deputy::clients::aws

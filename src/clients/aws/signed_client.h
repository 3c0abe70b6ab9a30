// Sends signed requests to AWS, with the current credentials and AWS's clock, and reads AWS's errors. A request that
// was refused because our clock is wrong, or because the credentials have just expired, is sent again, once. The caller
// handles everything else: other refusals, retries, rate limits.
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

/// A response with a streamed body, or the body of one that was not successful.
struct Opened {
  int status = 0;
  std::vector<net::Header> headers;
  std::string refusal;                          // the body of any status except 2xx, cut
  std::unique_ptr<net::ResponseStream> stream;  // for 2xx
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
  /// Corrects the clock or drops expired credentials; true when a second try may succeed.
  bool mend(const Signed& sent, const std::vector<net::Header>& headers, std::string_view body);

  net::HttpClient& http_;
  CredentialSource& credentials_;
  const Clock& clock_;
  std::chrono::milliseconds skew_{0};  // how far their clock is ahead of ours
};

/// The whole stream, or its beginning: for bodies that only an error parser reads.
Task<Result<std::string>> read_refusal(net::ResponseStream& stream);

/// An AWS error: one code and one message, wherever the service puts them.
struct ServiceError {
  std::string code;     // "ThrottlingException", without namespace or address; empty when none is given
  std::string message;  // for people, cut; empty when none is given

  bool operator==(const ServiceError&) const = default;
};

/// From the headers x-amzn-errortype or x-amzn-query-error, a JSON body (`__type`, `code`, `message`) or an XML one
/// (Error/Code).
ServiceError read_service_error(const std::vector<net::Header>& headers, std::string_view body);

/// "Name" for "aws.foo#Name:http://…".
std::string_view bare_code(std::string_view code);

/// The Error for an unsuccessful response: kind by code and status, `retryable` and `retry_after` as the response
/// allows, and a hint for people if one helps. `who` begins the sentence: "S3", "AWS STS".
Error as_error(std::string_view who, int status, const std::vector<net::Header>& headers, const ServiceError& refused,
               Timestamp now);

/// A correction that may make a refused request succeed; tried once.
enum class Remedy { none, correct_clock, renew_credentials };
Remedy remedy_for(const ServiceError& refused, const std::vector<net::Header>& headers, Timestamp signed_at);

}  // namespace deputy::clients::aws

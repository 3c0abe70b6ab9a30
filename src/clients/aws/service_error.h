// What AWS says when it refuses: one code and one message, wherever the service puts them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::clients::aws {

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

// What a vendor's refusal means: a category, a sentence and a hint to act on. Every vendor gets the defaults for the
// statuses of HTTP; a vendor's own table refines them. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::clients::rest {

/// One row of a vendor's table: what a status, a code of the vendor, or both mean. The first row that fits is taken.
struct Meaning {
  int status = 0;              // 0: any
  std::string_view code = {};  // as in VendorError; empty: any
  ErrorKind kind = ErrorKind::upstream;
  std::string_view message = {};  // why, in a few words; empty: the vendor's own message is enough
  std::string_view hint = {};     // what a person can do; empty: the default for the kind
};

/// The code and message in the body of a refusal, wherever it puts them; empty when there are none.
struct VendorError {
  std::string code;     // "index_not_found_exception", "Forbidden", "2001"
  std::string message;  // one line, cut

  bool operator==(const VendorError&) const = default;
};

/// A vendor as its errors name it.
struct VendorName {
  std::string name;                        // "GitHub"
  std::string address_setting;             // to check when it answers nothing of use: "tools.pipeline_tools.github.url"
  std::string token_setting;               // to check when it accepts no token; empty: it takes none
  std::span<const Meaning> meanings = {};  // outlives every call
  std::string rights_header = {};          // names the rights that a refused call needs; empty: the vendor has none
  VendorError (*read_error)(const net::Response& refused) = nullptr;  // null: read_vendor_error of the body
};

/// Reads the usual shapes: `message`, `error` as text or object, `errors`, `errorMessages`, a JSON string, plain text.
VendorError read_vendor_error(std::string_view body);

/// How long to wait when a response means that the account's rate limit is used up: 429, or 403 that says so in its
/// headers. By `retry-after`, else by `x-ratelimit-reset` or `ratelimit-reset` (a time or seconds), else a second.
std::optional<std::chrono::milliseconds> rate_limit_wait(const net::Response& response, Timestamp now);
/// The same, and where the vendor's own table says that it is one.
std::optional<std::chrono::milliseconds> rate_limit_wait(const VendorName& vendor, const net::Response& response,
                                                         Timestamp now);

/// The error of a response that is not a success.
Error refusal(const VendorName& vendor, const net::Response& response, Timestamp now);

/// The error of a call that got no response, with the vendor's name and a hint.
Error no_response(const VendorName& vendor, Error error);

/// A success whose body is not what was asked for: `what` follows the vendor's name, "did not answer with JSON".
Error unusable(const VendorName& vendor, std::string_view what);

Error rate_limited(const VendorName& vendor, std::chrono::milliseconds wait);

}  // namespace deputy::clients::rest

// AWS Signature Version 4 in the Authorization header: the canonical request and its signature. Pure: keys and time are
// passed in; clients/aws finds the keys.
//
// Callers use `sign`; the steps before it are exposed for their tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/secret.h"
#include "net/http.h"

namespace deputy::net {

struct SigningScope {
  std::string region;
  std::string service;
};

struct SigningKey {
  std::string access_key_id;
  Secret secret;
  Secret session_token;  // empty: none
};

/// How the path of the request is written in the canonical request.
enum class CanonicalPath {
  normal,   // without . and .. and double slashes, each byte that is not unreserved encoded again: most services
  encoded,  // encoded again, otherwise unchanged
  as_sent,  // for S3, whose keys may contain all of these
};
enum class PayloadHash { left_out, in_a_header };  // S3 requires x-amz-content-sha256
enum class SessionToken { is_signed, added_after };

struct SigningOptions {
  CanonicalPath path = CanonicalPath::normal;
  PayloadHash payload_hash = PayloadHash::left_out;
  SessionToken session_token = SessionToken::is_signed;
};

/// A request as it is sent, with `host` among its headers.
struct Signable {
  std::string method;
  std::string path;   // "/model/x%3A0/invoke"
  std::string query;  // without its question mark
  std::vector<Header> headers;
  std::string payload_hash;  // SHA-256 in hexadecimal
};

/// "host;x-amz-date": the headers that are signed. Headers that are added or changed on the way are not.
std::string signed_headers(const std::vector<Header>& headers);
std::string canonical_request(const Signable& request, CanonicalPath path);
std::string string_to_sign(std::string_view canonical, const SigningScope& scope, Timestamp now);
std::string signature(std::string_view text, const SigningKey& key, const SigningScope& scope, Timestamp now);

/// Adds x-amz-date, Authorization and related headers, replacing those of an earlier signature. The request then has
/// the URL that was signed, and its path is sent unchanged. Sign last: any later change invalidates the signature.
Result<> sign(Request& request, const SigningKey& key, const SigningScope& scope, Timestamp now,
              SigningOptions options = {});

/// Encodes each byte except A-Z a-z 0-9 - _ . ~ as %XX, for a path segment or a name or value of a query or form.
std::string percent_encode(std::string_view text);

}  // namespace deputy::net

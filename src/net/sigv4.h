// AWS Signature Version 4 in the Authorization header: what a request is to whoever checks it, and its signature. Pure:
// keys and the time are given. Where the keys come from is the matter of clients/aws.
//
// `sign` is what callers use; the steps before it are here for their tests.
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

/// How the path that goes over the wire stands in the canonical request.
enum class CanonicalPath {
  normal,   // without . and .. and double slashes, each byte that is not unreserved encoded (once more): most services
  encoded,  // encoded once more, otherwise as it is
  as_sent,  // S3, whose keys may hold all of these
};
enum class PayloadHash { left_out, in_a_header };  // S3 wants x-amz-content-sha256
enum class SessionToken { is_signed, added_after };

struct SigningOptions {
  CanonicalPath path = CanonicalPath::normal;
  PayloadHash payload_hash = PayloadHash::left_out;
  SessionToken session_token = SessionToken::is_signed;
};

/// A request as it goes over the wire, `host` among its headers.
struct Signable {
  std::string method;
  std::string path;   // "/model/x%3A0/invoke"
  std::string query;  // without its question mark
  std::vector<Header> headers;
  std::string payload_hash;  // SHA-256 in hexadecimal
};

/// "host;x-amz-date": the headers that are signed. Those that are made or changed on the way are not.
std::string signed_headers(const std::vector<Header>& headers);
std::string canonical_request(const Signable& request, CanonicalPath path);
std::string string_to_sign(std::string_view canonical, const SigningScope& scope, Timestamp now);
std::string signature(std::string_view text, const SigningKey& key, const SigningScope& scope, Timestamp now);

/// Adds x-amz-date, Authorization and what else belongs to it; those of an earlier signing are replaced. The request
/// then has the URL that was signed, and its path goes out as it is. Sign last: any later change makes it void.
Result<> sign(Request& request, const SigningKey& key, const SigningScope& scope, Timestamp now,
              SigningOptions options = {});

/// Each byte but A-Z a-z 0-9 - _ . ~ as %XX: a segment of a path, a name or value of a query or a form.
std::string percent_encode(std::string_view text);

}  // namespace deputy::net

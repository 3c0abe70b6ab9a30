// A URL taken apart as libcurl will: what is checked here is what is asked for later. Pure.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::net {

inline constexpr std::size_t kLongestUrl = 8000;

struct Url {
  std::string scheme;  // http or https
  std::string host;    // small letters; an IPv6 address without its brackets
  int port = 0;
  std::string text;  // the whole, in its normal form and without a fragment

  bool operator==(const Url&) const = default;

  /// "example.com:8443": all of a URL that an error may name.
  std::string place() const;
  /// The host when it is an address and no name.
  std::optional<boost::asio::ip::address> address() const;
  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

/// What becomes of `.` and `..` in a path.
enum class UrlPath {
  normal,  // they are resolved
  as_is,   // every byte goes out as it stands, for requests whose signature covers them
};

/// http and https only, no user or password in it, no control characters. Numbers that mean an IPv4 address (0x7f.1)
/// come out as that address. Errors are of kind invalid_input and do not repeat the URL.
Result<Url> parse_url(std::string_view text, UrlPath path = UrlPath::normal);

/// What `reference` (a Location header) means in a page at `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

}  // namespace deputy::net

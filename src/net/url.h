// A URL taken apart as libcurl will: what is checked here is what is asked for later. Pure.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
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

// Addresses of APIs as settings name them: with or without a slash at the end; plain http only on this machine.

/// Whether a URL names a loopback address or `localhost`.
bool is_this_machine(const Url& url);

/// https, or plain http to this machine; without a query.
Result<> allow_base_url(std::string_view url);

/// The same for FieldBuilder::check_with; nothing is as good as an address.
void check_base_url(const std::string& url, FieldReader& reader);

// Which hosts are reached without the proxy. Pure.

/// True for this machine, whatever is listed: elsewhere its name would be another machine's, and what is said to it in
/// plain http the proxy's to read.
/// Entries as in NO_PROXY: "*", a host and all below it ("example.com", ".example.com"), an address, a network
/// ("10.0.0.0/8"); each may end in ":port". What cannot be read matches nothing.
bool goes_direct(const Url& url, std::span<const std::string> no_proxy);

/// A list as NO_PROXY writes it, divided at commas and spaces.
std::vector<std::string> split_no_proxy(std::string_view text);

}  // namespace deputy::net

// URLs, parsed exactly as libcurl will, so that the URL that was checked is the one requested; addresses of APIs; and
// the hosts that bypass the proxy. Pure.
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

inline constexpr std::size_t kMaxUrl = 8000;

struct Url {
  std::string scheme;  // http or https
  std::string host;    // lower case; an IPv6 address without its brackets
  int port = 0;
  std::string text;  // the whole URL, normalised and without a fragment

  bool operator==(const Url&) const = default;

  /// "example.com:8443": the only part of a URL that an error may show.
  std::string place() const;
  /// The host when it is an address rather than a name.
  std::optional<boost::asio::ip::address> address() const;
  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

/// Treatment of `.` and `..` in a path.
enum class UrlPath {
  normal,  // resolved
  as_is,   // every byte is sent unchanged, for requests whose signature covers them
};

/// The character that the escape at this place means, such as `/` for %2F; none where there is no whole escape.
std::optional<char> escaped_at(std::string_view text, std::size_t at);

/// Accepts http and https only, without user, password or control characters. Numbers that mean an IPv4 address
/// (0x7f.1) become that address. Errors are of kind invalid_input and do not repeat the URL.
Result<Url> parse_url(std::string_view text, UrlPath path = UrlPath::normal);

/// Resolves `reference` (a Location header) against `base`.
Result<Url> resolve_url(const Url& base, std::string_view reference);

/// True when a URL names a loopback address or `localhost`.
bool is_this_machine(const Url& url);

/// Accepts the address of an API as settings give it: https, or plain http to this machine; without a query; with or
/// without a slash at the end.
Result<> allow_base_url(std::string_view url);

/// The same for FieldBuilder::check_with; an empty address is accepted.
void check_base_url(const std::string& url, FieldReader& reader);

/// True when a host is reached without the proxy. This machine always is: for the proxy its name would mean the proxy's
/// own machine, and the proxy could read plain http. Entries are as in NO_PROXY: "*", a host and its subdomains
/// ("example.com", ".example.com"), an address, a network ("10.0.0.0/8"); each may end in ":port". An invalid entry
/// matches nothing.
bool goes_direct(const Url& url, std::span<const std::string> no_proxy);

/// Splits a list as in NO_PROXY, at commas and spaces.
std::vector<std::string> split_no_proxy(std::string_view text);

}  // namespace deputy::net

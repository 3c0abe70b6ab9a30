#include "net/url.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <charconv>
#include <memory>

#include "base/text.h"
#include "net/address.h"

namespace deputy::net {

namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using UrlHandle = std::unique_ptr<CURLU, FreeUrl>;

// A user is refused even when empty. Bytes beyond ASCII are encoded in path and query; a host has none.
constexpr unsigned kReading = CURLU_DISALLOW_USER | CURLU_URLENCODE;

std::unexpected<Error> not_a_url(std::string why) {
  return fail(ErrorKind::invalid_input, fmt::format("this URL cannot be used: {}", why),
              "write the full URL, such as https://example.com/page");
}

// RFC 3986, 6.2.2: characters that need no escape have none, the other escapes are in capitals. Before dots are
// resolved, because `%2e` is one.
std::string with_needed_escapes(std::string_view text) {
  std::string normal;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> c = escaped_at(text, i);
    if (!c) {
      normal += text[i];
      continue;
    }
    if (is_letter_or_digit(*c) || std::string_view("-._~").contains(*c)) {
      normal += *c;
    } else {
      normal += fmt::format("%{:02X}", static_cast<unsigned char>(*c));
    }
    i += 2;
  }
  return normal;
}

Result<> read(const UrlHandle& url, std::string_view given, UrlPath path = UrlPath::normal) {
  const std::string text = path == UrlPath::normal ? with_needed_escapes(given) : std::string(given);
  if (text.size() > kMaxUrl) return not_a_url(fmt::format("it has more than {} bytes", kMaxUrl));
  const auto is_bad = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == '\\'; };
  if (std::ranges::any_of(text, is_bad)) return not_a_url("it contains a space or a control character");
  switch (curl_url_set(url.get(), CURLUPART_URL, text.c_str(),
                       path == UrlPath::as_is ? kReading | CURLU_PATH_AS_IS : kReading)) {
    case CURLUE_OK:
      return {};
    case CURLUE_USER_NOT_ALLOWED:
      return not_a_url("it contains a user or password");
    case CURLUE_UNSUPPORTED_SCHEME:
      return not_a_url("only http and https are supported");
    case CURLUE_BAD_PORT_NUMBER:
      return not_a_url("its port is invalid");
    default:
      return not_a_url("it is malformed");
  }
}

std::string part_of(const UrlHandle& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

Result<Url> take_apart(const UrlHandle& handle) {
  Url url;
  curl_url_set(handle.get(), CURLUPART_FRAGMENT, nullptr, 0);
  url.scheme = to_lower(part_of(handle, CURLUPART_SCHEME));
  if (url.scheme != "http" && url.scheme != "https") return not_a_url("only http and https are supported");
  url.host = to_lower(part_of(handle, CURLUPART_HOST));
  if (url.host.size() > 1 && url.host.ends_with('.')) url.host.pop_back();  // the same host to a name server
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) > '~';
  };
  if (url.host.empty() || std::ranges::any_of(url.host, is_bad)) return not_a_url("its host is not a plain name");
  // An IPv6 zone names a network interface of this machine.
  if (url.host.contains('%') || !part_of(handle, CURLUPART_ZONEID).empty()) return not_a_url("its host has a zone");
  curl_url_set(handle.get(), CURLUPART_HOST, url.host.c_str(), 0);
  if (url.host.starts_with('[') && url.host.ends_with(']')) url.host = url.host.substr(1, url.host.size() - 2);
  const std::string port = part_of(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (url.port < 1 || url.port > 65535) return not_a_url("its port is invalid");
  url.text = part_of(handle, CURLUPART_URL, CURLU_NO_DEFAULT_PORT);
  if (url.text.empty()) return not_a_url("it is malformed");
  return url;
}

namespace ip = boost::asio::ip;

bool in_network(const ip::address& address, const std::string& network) {
  boost::system::error_code error;
  if (address.is_v4()) {
    const auto range = ip::make_network_v4(network, error).canonical();
    return !error && ip::network_v4(address.to_v4(), range.prefix_length()).canonical() == range;
  }
  const auto range = ip::make_network_v6(network, error).canonical();
  return !error && ip::network_v6(address.to_v6(), range.prefix_length()).canonical() == range;
}

bool matches(const Url& url, std::string_view entry) {
  if (entry == "*") return true;
  const std::size_t colon = entry.rfind(':');
  const bool is_v6 = entry.find(':') != colon && !entry.contains(']');
  if (colon != std::string_view::npos && !is_v6 && entry.substr(colon - (colon > 0 ? 1 : 0), 2) != "::") {
    int port = 0;
    const std::string_view digits = entry.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error == std::errc() && end == digits.data() + digits.size()) {
      if (port != url.port) return false;
      entry = entry.substr(0, colon);
    }
  }
  if (entry.starts_with('[') && entry.ends_with(']')) entry = entry.substr(1, entry.size() - 2);
  if (const auto address = url.address()) {
    if (entry.contains('/')) return in_network(*address, std::string(entry));
    boost::system::error_code error;
    const auto other = ip::make_address(std::string(entry), error);
    return !error && other == *address;
  }
  if (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty()) return false;
  const std::string name = to_lower(entry);
  return url.host == name || url.host.ends_with("." + name);
}

}  // namespace

std::optional<char> escaped_at(std::string_view text, std::size_t at) {
  if (text[at] != '%' || at + 2 >= text.size()) return std::nullopt;
  unsigned value = 0;
  const char* const end = text.data() + at + 3;
  const auto [parsed, error] = std::from_chars(text.data() + at + 1, end, value, 16);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return static_cast<char>(value);
}

std::string Url::place() const {
  return host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::optional<boost::asio::ip::address> Url::address() const {
  boost::system::error_code error;
  auto address = boost::asio::ip::make_address(host, error);
  if (error) return std::nullopt;
  return address;
}

Result<Url> parse_url(std::string_view text, UrlPath path) {
  // libcurl accepts one slash too many and takes the path for a host.
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos || text.substr(scheme_end + 3).starts_with('/')) {
    return not_a_url("it does not begin with http:// or https:// and a host");
  }
  const UrlHandle handle(curl_url());
  TRY(read(handle, text, path));
  return take_apart(handle);
}

Result<Url> resolve_url(const Url& base, std::string_view reference) {
  const UrlHandle handle(curl_url());
  TRY(read(handle, base.text));
  if (!reference.empty()) TRY(read(handle, reference));
  return take_apart(handle);
}

bool is_this_machine(const Url& url) {
  const auto address = url.address();
  return address ? kind_of(*address) == AddressKind::loopback : url.host == "localhost";
}

Result<> allow_base_url(std::string_view url) {
  TRY(const Url parsed, parse_url(url));
  if (parsed.text.contains('?')) return fail(ErrorKind::invalid_input, "the address of an API must not have a query");
  if (parsed.scheme == "https" || is_this_machine(parsed)) return {};
  return fail(ErrorKind::invalid_input, "plain http is allowed to this machine only",
              "write the address with https://");
}

void check_base_url(const std::string& url, FieldReader& reader) {
  if (url.empty()) return;
  if (const Result<> allowed = allow_base_url(url); !allowed)
    reader.problem(allowed.error().message, allowed.error().hint);
}

bool goes_direct(const Url& url, std::span<const std::string> no_proxy) {
  return is_this_machine(url) ||
         std::ranges::any_of(no_proxy, [&](const std::string& entry) { return matches(url, trim(entry)); });
}

std::vector<std::string> split_no_proxy(std::string_view text) {
  std::vector<std::string> entries;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(", \t");
    if (end != 0) entries.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return entries;
}

}  // namespace deputy::net

#include "net/proxy.h"

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <charconv>

#include "base/text.h"
#include "net/base_url.h"

namespace deputy::net {

namespace {

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

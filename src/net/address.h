// Classifies internet addresses: the one table that decides which are public. Pure.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string_view>

namespace deputy::net {

enum class AddressKind {
  global,         // reachable from anywhere: the only kind that is not special
  unspecified,    // 0.0.0.0/8, ::
  loopback,       // 127/8, ::1
  private_use,    // 10/8, 172.16/12, 192.168/16, fec0::/10
  shared,         // 100.64/10: carriers' networks, and services of cloud providers
  link_local,     // 169.254/16, fe80::/10: cloud metadata
  unique_local,   // fc00::/7
  multicast,      // 224/4, ff00::/8
  documentation,  // 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20
  benchmarking,   // 198.18/15, 2001:2::/48
  reserved,       // 192.0.0/24, 192.88.99/24, 240/4, and IPv6 outside 2000::/3
};

/// An address that embeds another one (IPv4-mapped and IPv4-compatible, NAT64, 6to4, Teredo, ISATAP) has the kind of
/// the embedded one.
AddressKind kind_of(const boost::asio::ip::address& address);

/// For messages: "a loopback address".
std::string_view describe(AddressKind kind);

}  // namespace deputy::net

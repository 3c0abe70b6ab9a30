#include "net/address.h"

#include <array>
#include <cstdint>
#include <utility>

namespace deputy::net {

namespace {

namespace ip = boost::asio::ip;
using Kind = AddressKind;

struct Range4 {
  std::uint32_t begin;
  int bits;
  Kind kind;
};

constexpr std::uint32_t v4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24U | b << 16U | c << 8U | d;
}

// The first match counts. From IANA's registry of special-purpose addresses.
constexpr auto kRanges4 = std::to_array<Range4>({
    {v4(0, 0, 0, 0), 8, Kind::unspecified},
    {v4(10, 0, 0, 0), 8, Kind::private_use},
    {v4(100, 64, 0, 0), 10, Kind::shared},
    {v4(127, 0, 0, 0), 8, Kind::loopback},
    {v4(169, 254, 0, 0), 16, Kind::link_local},
    {v4(172, 16, 0, 0), 12, Kind::private_use},
    {v4(192, 0, 0, 0), 24, Kind::reserved},
    {v4(192, 0, 2, 0), 24, Kind::documentation},
    {v4(192, 88, 99, 0), 24, Kind::reserved},
    {v4(192, 168, 0, 0), 16, Kind::private_use},
    {v4(198, 18, 0, 0), 15, Kind::benchmarking},
    {v4(198, 51, 100, 0), 24, Kind::documentation},
    {v4(203, 0, 113, 0), 24, Kind::documentation},
    {v4(224, 0, 0, 0), 4, Kind::multicast},
    {v4(240, 0, 0, 0), 4, Kind::reserved},
});

Kind kind_of_v4(std::uint32_t address) {
  for (const Range4& range : kRanges4) {
    if (((address ^ range.begin) >> (32U - static_cast<unsigned>(range.bits))) == 0) return range.kind;
  }
  return Kind::global;
}

using Bytes = ip::address_v6::bytes_type;

std::uint32_t v4_at(const Bytes& bytes, std::size_t at) {
  return v4(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
}

bool begins(const Bytes& bytes, std::initializer_list<unsigned char> prefix) {
  return std::equal(prefix.begin(), prefix.end(), bytes.begin());
}

Kind kind_of_v6(const ip::address_v6& address) {
  const Bytes bytes = address.to_bytes();
  if (address.is_unspecified()) return Kind::unspecified;
  if (address.is_loopback()) return Kind::loopback;
  // Addresses that embed an IPv4 address.
  if (begins(bytes, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff})) return kind_of_v4(v4_at(bytes, 12));
  if (begins(bytes, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})) return kind_of_v4(v4_at(bytes, 12));
  if (begins(bytes, {0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) return kind_of_v4(v4_at(bytes, 12));
  if (begins(bytes, {0x20, 0x02})) return kind_of_v4(v4_at(bytes, 2));
  if (begins(bytes, {0x20, 0x01, 0, 0})) return kind_of_v4(v4_at(bytes, 12) ^ 0xffffffffU);  // Teredo inverts it
  if (begins(bytes, {0xfe, 0x80})) return Kind::link_local;
  if ((bytes[8] & 0xfdU) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe) {  // ISATAP
    if (const Kind inner = kind_of_v4(v4_at(bytes, 12)); inner != Kind::global) return inner;
  }
  if (bytes[0] == 0xff) return Kind::multicast;
  if ((bytes[0] & 0xfeU) == 0xfc) return Kind::unique_local;
  if (bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80) return Kind::link_local;
  if (bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0xc0) return Kind::private_use;
  if (begins(bytes, {0x20, 0x01, 0x0d, 0xb8})) return Kind::documentation;
  if (bytes[0] == 0x3f && bytes[1] == 0xff && (bytes[2] & 0xf0U) == 0) return Kind::documentation;
  if (begins(bytes, {0x20, 0x01, 0, 2, 0, 0})) return Kind::benchmarking;
  if ((bytes[0] & 0xe0U) != 0x20) return Kind::reserved;
  return Kind::global;
}

}  // namespace

AddressKind kind_of(const ip::address& address) {
  return address.is_v4() ? kind_of_v4(address.to_v4().to_uint()) : kind_of_v6(address.to_v6());
}

std::string_view describe(AddressKind kind) {
  switch (kind) {
    case Kind::global:
      return "a public address";
    case Kind::unspecified:
      return "an unspecified address";
    case Kind::loopback:
      return "a loopback address";
    case Kind::private_use:
    case Kind::unique_local:
      return "a private address";
    case Kind::shared:
      return "a shared address of a carrier or a cloud";
    case Kind::link_local:
      return "a link-local address";
    case Kind::multicast:
      return "a multicast address";
    case Kind::documentation:
      return "an address for documentation";
    case Kind::benchmarking:
      return "an address for benchmarks";
    case Kind::reserved:
      return "a reserved address";
  }
  std::unreachable();
}

}  // namespace deputy::net

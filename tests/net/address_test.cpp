#include "net/address.h"

#include <gtest/gtest.h>

namespace deputy::net {
namespace {

using Kind = AddressKind;

struct Row {
  const char* address;
  Kind kind;
};

TEST(Address, IsOfTheKindThatTheRegistrySays) {
  const Row rows[] = {
      {"8.8.8.8", Kind::global},
      {"1.1.1.1", Kind::global},
      {"9.255.255.255", Kind::global},
      {"11.0.0.0", Kind::global},
      {"0.0.0.0", Kind::unspecified},
      {"0.1.2.3", Kind::unspecified},
      {"10.0.0.1", Kind::private_use},
      {"10.255.255.255", Kind::private_use},
      {"100.63.255.255", Kind::global},
      {"100.64.0.0", Kind::shared},
      {"100.100.100.200", Kind::shared},
      {"100.127.255.255", Kind::shared},
      {"100.128.0.0", Kind::global},
      {"127.0.0.1", Kind::loopback},
      {"127.255.255.255", Kind::loopback},
      {"169.254.169.254", Kind::link_local},
      {"172.15.255.255", Kind::global},
      {"172.16.0.0", Kind::private_use},
      {"172.31.255.255", Kind::private_use},
      {"172.32.0.0", Kind::global},
      {"192.0.0.170", Kind::reserved},
      {"192.0.2.7", Kind::documentation},
      {"192.88.99.1", Kind::reserved},
      {"192.168.0.1", Kind::private_use},
      {"198.17.255.255", Kind::global},
      {"198.18.0.1", Kind::benchmarking},
      {"198.19.255.255", Kind::benchmarking},
      {"198.51.100.1", Kind::documentation},
      {"203.0.113.1", Kind::documentation},
      {"223.255.255.255", Kind::global},
      {"224.0.0.1", Kind::multicast},
      {"239.255.255.255", Kind::multicast},
      {"240.0.0.1", Kind::reserved},
      {"255.255.255.255", Kind::reserved},
      {"2606:4700:4700::1111", Kind::global},
      {"2a00:1450::1", Kind::global},
      {"::", Kind::unspecified},
      {"::1", Kind::loopback},
      {"::ffff:127.0.0.1", Kind::loopback},
      {"::ffff:10.1.2.3", Kind::private_use},
      {"::ffff:8.8.8.8", Kind::global},
      {"::127.0.0.1", Kind::loopback},
      {"64:ff9b::169.254.169.254", Kind::link_local},
      {"64:ff9b::8.8.8.8", Kind::global},
      {"64:ff9b:1::1", Kind::reserved},
      {"2002:7f00:1::", Kind::loopback},
      {"2002:a9fe:a9fe::1", Kind::link_local},
      {"2002:808:808::1", Kind::global},
      {"2001:0:1:2:3:4:80ff:fffe", Kind::loopback},  // Teredo: 127.0.0.1 inverted
      {"2001:470::5efe:192.168.0.1", Kind::private_use},
      {"fe80::1", Kind::link_local},
      {"febf::1", Kind::link_local},
      {"fec0::1", Kind::private_use},
      {"fc00::1", Kind::unique_local},
      {"fdff::1", Kind::unique_local},
      {"fd00:ec2::254", Kind::unique_local},
      {"ff02::1", Kind::multicast},
      {"2001:db8::1", Kind::documentation},
      {"3fff:fff::1", Kind::documentation},
      {"2001:2::1", Kind::benchmarking},
      {"4000::1", Kind::reserved},
      {"100::1", Kind::reserved},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(kind_of(boost::asio::ip::make_address(row.address)), row.kind) << row.address;
  }
}

}  // namespace
}  // namespace deputy::net

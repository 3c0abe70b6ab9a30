// Which hosts are reached without the proxy. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "net/url.h"

namespace deputy::net {

/// Entries as in NO_PROXY: "*", a host and all below it ("example.com", ".example.com"), an address, a network
/// ("10.0.0.0/8"); each may end in ":port". What cannot be read matches nothing.
bool goes_direct(const Url& url, std::span<const std::string> no_proxy);

/// A list as NO_PROXY writes it, divided at commas and spaces.
std::vector<std::string> split_no_proxy(std::string_view text);

}  // namespace deputy::net

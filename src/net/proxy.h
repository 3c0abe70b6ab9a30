// Which hosts are reached without the proxy. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "net/url.h"

namespace deputy::net {

/// True for this machine, whatever is listed: elsewhere its name would be another machine's, and what is said to it in
/// plain http the proxy's to read.
/// Entries as in NO_PROXY: "*", a host and all below it ("example.com", ".example.com"), an address, a network
/// ("10.0.0.0/8"); each may end in ":port". What cannot be read matches nothing.
bool goes_direct(const Url& url, std::span<const std::string> no_proxy);

/// A list as NO_PROXY writes it, divided at commas and spaces.
std::vector<std::string> split_no_proxy(std::string_view text);

}  // namespace deputy::net

// Addresses in running text: finding URLs and the hosts they lead to.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace deputy {

/// Hosts in lower case, without a port.
using Hosts = std::set<std::string, std::less<>>;

/// The start of a text: the size of a word that may be the scheme of an address, and of the address where it is one.
struct AddressScan {
  std::size_t word = 0;     // at least 1
  std::size_t address = 0;  // 0: the word is no more than a word
};
/// `text` begins with a letter.
AddressScan scan_address(std::string_view text);

/// The host of an http or https address; nothing for any other text, and for an address that could be read in two ways
/// (a user name, a backslash, characters beyond ASCII in its host).
std::optional<std::string> host_of(std::string_view address);

/// Adds the hosts of all addresses in a text of any kind.
void add_hosts(std::string_view text, Hosts& hosts);

}  // namespace deputy

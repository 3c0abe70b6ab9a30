// Finding addresses in running text.
#pragma once

#include <cstddef>
#include <string_view>

namespace deputy::channel {

/// What begins at the start of `text`: the size of a word that may be the scheme of an address, and of the address
/// where it is one. `text` begins with a letter.
struct AddressScan {
  std::size_t word = 0;     // at least 1
  std::size_t address = 0;  // 0: the word is no more than a word
};
AddressScan scan_address(std::string_view text);

}  // namespace deputy::channel

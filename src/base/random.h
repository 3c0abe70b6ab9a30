// Bytes nobody can guess: for salts, codes and tokens.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace deputy {

/// Fills `bytes` from the operating system's generator; ends the process when there is none, because nothing may go on
/// with less.
void fill_random(std::span<unsigned char> bytes);

std::string random_bytes(std::size_t count);

}  // namespace deputy

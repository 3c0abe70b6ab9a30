#include "base/random.h"

#include <openssl/rand.h>

#include <cstdlib>

namespace deputy {

void fill_random(std::span<unsigned char> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) std::abort();
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  fill_random({reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()});
  return bytes;
}

}  // namespace deputy

#include "base/secret.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <cstdlib>

namespace deputy {

// Copies and wipes: moving a short string leaves its bytes where they were.
Secret::Secret(Secret&& other) noexcept : value_(other.value_) {  // NOLINT(performance-move-constructor-init)
  other.wipe();
}

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    value_ = other.value_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    *this = static_cast<const Secret&>(other);
    other.wipe();
  }
  return *this;
}

Secret::~Secret() { wipe(); }

bool Secret::equals(std::string_view other) const {
  return value_.size() == other.size() && CRYPTO_memcmp(value_.data(), other.data(), other.size()) == 0;
}

void Secret::wipe() {
  OPENSSL_cleanse(value_.data(), value_.size());
  value_.clear();
}

void fill_random(std::span<unsigned char> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) std::abort();
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  fill_random({reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()});
  return bytes;
}

Secret hmac_sha256(const Secret& key, std::string_view text) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned length = 0;
  if (HMAC(EVP_sha256(), key.reveal().data(), static_cast<int>(key.reveal().size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(),
           reinterpret_cast<unsigned char*>(digest.data()), &length) == nullptr) {
    std::abort();  // nothing weaker is acceptable
  }
  digest.resize(length);
  return Secret(std::move(digest));
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

}  // namespace deputy

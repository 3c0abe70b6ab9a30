#include "base/ids.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "base/secret.h"
#include "base/text.h"

namespace deputy {

namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // Crockford's: no I, L, O, U
constexpr std::size_t kTimeBytes = 6;
using Bytes = std::array<std::uint8_t, 16>;

void put_time(Bytes& bytes, Timestamp at) {
  auto millis = static_cast<std::uint64_t>(to_millis(at));
  for (std::size_t i = kTimeBytes; i-- > 0; millis >>= 8) bytes[i] = static_cast<std::uint8_t>(millis);
}

// Increments the random part. It cannot overflow in practice: the top bit of a fresh one is cleared.
void add_one(Bytes& bytes) {
  for (std::size_t i = bytes.size(); i-- > kTimeBytes;) {
    if (++bytes[i] != 0) return;
  }
}

int value_of(char c) {
  if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
  const std::size_t at = kAlphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

Ulid Ulid::make(Timestamp at) {
  static std::mutex mutex;
  static Bytes last{};
  Ulid id;
  put_time(id.bytes_, at);
  const std::lock_guard lock(mutex);
  const bool time_moved_on = std::lexicographical_compare(last.begin(), last.begin() + kTimeBytes, id.bytes_.begin(),
                                                          id.bytes_.begin() + kTimeBytes);
  if (time_moved_on) {
    fill_random(std::span(id.bytes_).subspan<kTimeBytes>());
    id.bytes_[kTimeBytes] &= 0x7F;
  } else {
    id.bytes_ = last;  // the clock has not advanced or went back: keep the order
    add_one(id.bytes_);
  }
  last = id.bytes_;
  return id;
}

Ulid Ulid::derive(Timestamp at, std::string_view seed) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(seed.data()), seed.size(), digest.data());
  Ulid id;
  put_time(id.bytes_, at);
  std::copy_n(digest.begin(), id.bytes_.size() - kTimeBytes, id.bytes_.begin() + kTimeBytes);
  return id;
}

Result<Ulid> Ulid::parse(std::string_view text) {
  const auto refused = [&] {
    return fail(ErrorKind::invalid_input, fmt::format("`{}` is not an id", cut_with_mark(text, 40)));
  };
  if (text.size() != kLength || value_of(text[0]) > 7) return refused();
  Ulid id;
  unsigned pending = 0;
  int pending_bits = -2;  // 26 characters are 130 bits: the first two are padding
  std::size_t at = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) return refused();
    pending = (pending << 5) | static_cast<unsigned>(value);
    pending_bits += 5;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      id.bytes_[at++] = static_cast<std::uint8_t>(pending >> pending_bits);
      pending &= (1U << pending_bits) - 1;
    }
  }
  return id;
}

std::string Ulid::text() const {
  std::string text;
  text.reserve(kLength);
  unsigned pending = 0;
  int pending_bits = 2;
  for (const std::uint8_t byte : bytes_) {
    pending = (pending << 8) | byte;
    pending_bits += 8;
    while (pending_bits >= 5) {
      pending_bits -= 5;
      text += kAlphabet[(pending >> pending_bits) & 31U];
    }
    pending &= (1U << pending_bits) - 1;
  }
  return text;
}

std::size_t Ulid::hash() const {
  std::size_t low = 0;
  std::memcpy(&low, bytes_.data() + bytes_.size() - sizeof low, sizeof low);
  return low;
}

Timestamp Ulid::time() const {
  std::int64_t millis = 0;
  for (std::size_t i = 0; i < kTimeBytes; ++i) millis = (millis << 8) | bytes_[i];
  return from_millis(millis);
}

}  // namespace deputy

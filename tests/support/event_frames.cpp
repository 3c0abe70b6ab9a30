#include "support/event_frames.h"

#include <array>
#include <cstdint>

namespace deputy::test {

namespace {

// Bit by bit as the standard defines it: what is judged uses a library.
std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::string big_endian(std::size_t bytes, std::uint64_t value) {
  std::string text;
  for (std::size_t i = bytes; i > 0; --i) text += static_cast<char>(value >> (8 * (i - 1)) & 0xFFU);
  return text;
}

EventHeaders headers_of(std::string_view message_type, std::string_view type_name, std::string_view type) {
  return {{std::string(type_name), event_text(type)},
          {":content-type", event_text("application/json")},
          {":message-type", event_text(message_type)}};
}

}  // namespace

std::string event_text(std::string_view text) { return "\x07" + big_endian(2, text.size()) + std::string(text); }

std::string event_number(int type, std::size_t bytes, std::uint64_t value) {
  return static_cast<char>(type) + big_endian(bytes, value);
}

std::string event_prelude(std::uint64_t total, std::uint64_t headers) {
  const std::string lengths = big_endian(4, total) + big_endian(4, headers);
  return lengths + big_endian(4, crc32_of(lengths));
}

std::string event_frame(const EventHeaders& headers, std::string_view payload) {
  std::string block;
  for (const auto& [name, value] : headers) {
    block += static_cast<char>(name.size());
    block += name;
    block += value;
  }
  std::string frame = event_prelude(16 + block.size() + payload.size(), block.size());
  frame += block;
  frame += payload;
  return frame + big_endian(4, crc32_of(frame));
}

std::string event_of_type(std::string_view type, std::string_view payload) {
  return event_frame(headers_of("event", ":event-type", type), payload);
}

std::string exception_of_type(std::string_view type, std::string_view payload) {
  return event_frame(headers_of("exception", ":exception-type", type), payload);
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8U | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : kDigits[group >> (18 - 6 * j) & 63U];
  }
  return text;
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  std::string pair;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    pair += digit;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return bytes;
}

}  // namespace deputy::test

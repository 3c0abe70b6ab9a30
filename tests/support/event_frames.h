// Writes AWS event-stream frames, for what reads them: lengths, headers and both checksums, by code of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace deputy::test {

/// A header's bytes behind its name: the type and the value.
std::string event_text(std::string_view text);
std::string event_number(int type, std::size_t bytes, std::uint64_t value);

using EventHeaders = std::vector<std::pair<std::string, std::string>>;

/// The first twelve bytes of a frame: its length, that of its headers, and their checksum.
std::string event_prelude(std::uint64_t total, std::uint64_t headers);

/// One frame, whole. The second part of a header is as the functions above make it.
std::string event_frame(const EventHeaders& headers, std::string_view payload);

/// A frame as services send it: `:message-type` event, `:event-type`, `:content-type` JSON.
std::string event_of_type(std::string_view type, std::string_view payload);
std::string exception_of_type(std::string_view type, std::string_view payload);

/// By hand, because what reads it uses a library.
std::string to_base64(std::string_view bytes);

/// The bytes that these digits are; spaces between them do not count.
std::string from_hex(std::string_view digits);

}  // namespace deputy::test

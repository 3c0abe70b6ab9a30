// JSON on top of Boost.JSON: bounded parsing that returns a Result, a canonical form and its digest.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy {

namespace json = boost::json;

/// Doubles from here on do not fit an int64.
constexpr double kTwoTo63 = 9'223'372'036'854'775'808.0;

/// Boost's strings as std::string_view.
inline std::string_view as_view(const json::string& text) { return {text.data(), text.size()}; }
inline std::string_view as_view(json::string_view text) { return {text.data(), text.size()}; }

/// Parses one whole document, at most 32 levels deep; an error gives the position. The last of duplicate keys counts. A
/// number too large for a double is refused: it would become infinite, which JSON cannot express.
Result<json::value> parse_json(std::string_view text);
Result<json::object> parse_json_object(std::string_view text);

/// The one spelling of a value: keys sorted by their bytes, no spaces, 4 and 4.0 alike. Equal values have equal
/// canonical text.
std::string canonical_json(const json::value& value);

/// The value as a whole number, however it is spelt: 4, 4.0, 4e0. Nothing when it is not one or does not fit an int64.
std::optional<std::int64_t> as_whole(const json::value& value);

/// The object under a key; null when there is none or it is something else. It lives as long as `object`.
const json::object* find_object(const json::object& object, std::string_view key);

/// The text under a key; empty when there is none or it is something else.
std::string text_at(const json::object& object, std::string_view key);

/// Text as it is, anything else as JSON.
std::string as_text(const json::value& value);

/// "text", "whole number", "list" …: the kind of a value, for error messages.
std::string_view kind_in_words(const json::value& value);

/// SHA-256 in hexadecimal.
std::string sha256_hex(std::string_view bytes);

}  // namespace deputy

// What follows `Bearer` and `Basic`, told from prose about them ("bearer token", "basic authentication").
#pragma once

#include <string_view>

namespace deputy::redact {

/// A credential, not a word: with a digit, or longer than words are.
bool is_bearer_value(std::string_view value);

/// Base64 of `name:password`.
bool is_basic_value(std::string_view value);

}  // namespace deputy::redact

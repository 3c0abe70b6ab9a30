// Whether a name says that its value is a secret. Pure; decided on the words of the name (`db_password`,
// `clientSecret`, `X-Api-Key`), so that `max_tokens`, `token_count` and `next_token` are ordinary.
//
// To add a name: a word in the tables of names.cpp and a row in names_test.cpp; when no word of kNameHints occurs in
// it, add one there.
#pragma once

#include <string_view>

namespace deputy::redact {

enum class NameKind {
  ordinary,
  hint,        // says little by itself (`key`, `auth`): only a value that is long and random counts
  secret,      // a token, an API key, a client secret
  password,    // chosen by people, so also a short value counts
  passphrase,  // a password that may be a sentence
};

NameKind kind_of_name(std::string_view name);

/// A pattern (RE2, case folded) that hits inside every name that is not ordinary. It never matches white space.
extern const std::string_view kNameHints;

/// A character that a name can consist of.
constexpr bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

}  // namespace deputy::redact

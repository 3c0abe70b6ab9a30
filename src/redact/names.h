// Decides if a name says that its value is a secret. Pure; decides by the words of the name (`db_password`,
// `clientSecret`, `X-Api-Key`), so that `max_tokens`, `token_count` and `next_token` are ordinary.
//
// To add a name: a word in the tables of names.cpp and a row in names_test.cpp. If no word of kNameHints occurs in it,
// add one there.
#pragma once

#include <span>
#include <string_view>

#include "base/text.h"

namespace deputy::redact {

/// From weak to strong: the stronger the name, the less its value must look like a secret.
enum class NameKind {
  ordinary,
  faint,       // says almost nothing (`key`): only a long value of lower-case, upper-case letters and digits counts
  hint,        // says little by itself (`auth`, `app_key`): only a long random value counts
  pass,        // `pass`, `pw`: a password when written like one, else a word or a test result
  reference,   // `secret`, `credentials`: a secret, or the name of one that is kept elsewhere
  secret,      // a token, an API key, a client secret
  password,    // chosen by people, so a short value counts too
  passphrase,  // a password that may be a sentence
};

NameKind kind_of_name(std::string_view name);

/// True for a word that makes the word `key` after it a secret: `API key`, `secret access key`. There are fewer of them
/// than inside one name: a `storage key` is a location, a `signing key` is shown by its fingerprint.
bool owns_secret_key(std::string_view word);

/// The keys of `{name: DB_PASSWORD, value: …}` and its variants: `value`, `ParameterValue`; `name`, `Key`.
bool is_value_key(std::string_view name);
bool is_name_key(std::string_view name);

/// A pattern (RE2, case-insensitive) that matches inside every name that is not ordinary, and in `value:`. It never
/// matches white space.
extern const std::string_view kNameHints;

/// A character that may be part of a name.
constexpr bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; }

/// A table of words that a name or a value is compared with.
using Words = std::span<const std::string_view>;

}  // namespace deputy::redact

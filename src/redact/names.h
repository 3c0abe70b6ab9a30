// Whether a name says that its value is a secret. Pure; decided on the words of the name (`db_password`,
// `clientSecret`, `X-Api-Key`), so that `max_tokens`, `token_count` and `next_token` are ordinary.
//
// To add a name: a word in the tables of names.cpp and a row in names_test.cpp; when no word of kNameHints occurs in
// it, add one there.
#pragma once

#include <span>
#include <string_view>

#include "base/text.h"

namespace deputy::redact {

/// In order of how little a value must look like a secret to be one.
enum class NameKind {
  ordinary,
  faint,       // says next to nothing (`key`): only a long value of small and capital letters and digits counts
  hint,        // says little by itself (`auth`, `app_key`): only a value that is long and random counts
  pass,        // `pass`, `pw`: a password where it is written like one, else a word or the outcome of a test
  reference,   // `secret`, `credentials`: a secret, or the name of one that is kept elsewhere
  secret,      // a token, an API key, a client secret
  password,    // chosen by people, so also a short value counts
  passphrase,  // a password that may be a sentence
};

NameKind kind_of_name(std::string_view name);

/// True for a word that makes the word `key` after it a secret: `API key`, `secret access key`. Fewer than those that
/// do in one name: a `storage key` is a place, a `signing key` is shown by its fingerprint.
bool owns_secret_key(std::string_view word);

/// The keys of `{name: DB_PASSWORD, value: …}` and its relatives: `value`, `ParameterValue`; `name`, `Key`.
bool is_value_key(std::string_view name);
bool is_name_key(std::string_view name);

/// A pattern (RE2, case folded) that hits inside every name that is not ordinary, and in `value:`. It never matches
/// white space.
extern const std::string_view kNameHints;

/// A character that a name can consist of.
constexpr bool is_name_character(char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; }

// The tables of words that a name or a value is judged by.

using Words = std::span<const std::string_view>;

}  // namespace deputy::redact

// Decides if the value next to a secret-like name is a secret. Pure, and linear in the value.
#pragma once

#include <string_view>

#include "redact/names.h"

namespace deputy::redact {

/// A secret-like name and the way it and its value are written.
struct NamedValue {
  enum class Form {
    equals,         // name=value
    spaced_equals,  // name = value
    colon,          // name: value
    flag,           // --name value
    prose,          // the name is value
    beside,         // name value
    apart,          // | name | value |
  };
  NameKind name = NameKind::ordinary;
  Form form = Form::equals;
  bool quoted = false;      // the value is in quotes or in an XML element
  bool structured = false;  // the name is in quotes, or after a bracket or a comma
  bool alone = false;       // only a comment follows the value on its line
  bool first = false;       // only indentation precedes the name on its line
};

bool is_secret_value(const NamedValue& setting, std::string_view value);

/// True for placeholders: `${VAR}`, `<your token>`, `env:NAME`, `file:PATH`, `***`, `null`, `os.getenv("X")` …
bool is_placeholder(std::string_view value);

/// True for at least 8 characters that nobody would write as a word: letters and digits mixed.
bool looks_random(std::string_view value);

/// looks_random, and not words and numbers joined together, such as `K8sNodeNotReady2026Alert`.
bool looks_generated(std::string_view value);

/// `hunter2`, not `reset`: for a password between words, where a plain word would just be the next word.
bool has_word_with_digit(std::string_view value);

/// `test_login2`, `tests/oauth2.test.js`: short words joined together, as programs name their tests.
bool is_name_of_test(std::string_view value);

}  // namespace deputy::redact

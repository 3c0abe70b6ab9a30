// Whether a value next to a secret-like name is a secret. Pure, and linear in the value.
#pragma once

#include <string_view>

#include "redact/names.h"

namespace deputy::redact {

/// How a name and its value are written.
struct Setting {
  enum class Form {
    equals,         // name=value
    spaced_equals,  // name = value
    colon,          // name: value
    flag,           // --name value
    prose,          // the name is value
    beside,         // name value
    apart,          // | name | value |, name -> value, name for bo: value
  };
  NameKind name = NameKind::ordinary;
  Form form = Form::equals;
  bool quoted = false;      // the value stands in quotes or in an XML element
  bool structured = false;  // the name stands in quotes, or after a bracket or a comma
  bool alone = false;       // nothing but a comment follows the value on its line
  bool first = false;       // nothing but indentation stands before the name on its line
};

bool is_secret_value(const Setting& setting, std::string_view value);

/// True for what only stands for a value: `${VAR}`, `<your token>`, `env:NAME`, `file:PATH`, `***`, `null`,
/// `os.getenv("X")` …
bool is_placeholder(std::string_view value);

/// True for at least 8 characters that nobody would write as a word: letters and digits mixed.
bool looks_random(std::string_view value);

/// looks_random, and not `K8sNodeNotReady2026Alert`: words and numbers run together.
bool looks_generated(std::string_view value);

/// `hunter2`, not `reset`: for a password between words, where a plain word would be the next of them.
bool has_word_with_digit(std::string_view value);

/// `test_login2`, `tests/oauth2.test.js`: small words in parts, as programs name what they test.
bool is_name_of_test(std::string_view value);

}  // namespace deputy::redact

// Forms as browsers and webhooks send them (application/x-www-form-urlencoded), and queries, which have the same shape.
// Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deputy::net {

struct FormField {
  std::string name;
  std::string value;

  bool operator==(const FormField&) const = default;
};

struct FormLimits {
  std::size_t bytes = 1024UL * 1024;
  std::size_t fields = 1000;
};

/// The fields in their order; a name may come more than once. Empty pieces (`a=1&&b=2`) are skipped; a piece without
/// `=` has an empty value. A broken escape, text that is not UTF-8, and more than the limits are errors of kind
/// invalid_input, which never show a name or value.
Result<std::vector<FormField>> parse_form(std::string_view text, FormLimits limits = {});

/// The reverse of parse_form for text that is valid UTF-8; a field without name and value is sent as `=`.
std::string build_form(std::span<const FormField> fields);

/// The value of the first field of this name (case-sensitive), or nothing.
std::optional<std::string_view> find_field(std::span<const FormField> fields, std::string_view name);

/// Decodes `%41` in a part of a path; `+` stays as it is.
Result<std::string> percent_decode(std::string_view text);

}  // namespace deputy::net

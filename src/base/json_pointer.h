// Reads values out of a JSON document by pointer (RFC 6901): `text_in(run, "/head_commit/author/name")`. A value that
// is missing or of another kind is empty, because documents of other programs may lack anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace deputy {

/// Null when there is nothing. It lives as long as `document`.
const json::value* find_in(const json::value& document, std::string_view pointer);

/// Text as it is, a number or a boolean as it is written; else empty.
std::string text_in(const json::value& document, std::string_view pointer);
std::optional<std::int64_t> whole_in(const json::value& document, std::string_view pointer);
bool is_true_in(const json::value& document, std::string_view pointer);

/// The items of a list, which live as long as `document`; else none.
const json::array& items_in(const json::value& document, std::string_view pointer);

}  // namespace deputy

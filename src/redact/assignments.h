// Secrets that are secrets because of the name next to them: `password=hunter2`, `--token x`, `"client_secret": "…"`,
// `{"name": "DB_PASSWORD", "value": "…"}`, `<password>…</password>`. How they are written is in writing.h, values on
// the next line are in next_line.h.
#pragma once

#include <string_view>
#include <vector>

#include "redact/context.h"
#include "redact/finding.h"

namespace deputy::redact {

inline constexpr std::string_view kNamed = "named";

/// Adds what is found in `text` to `found`.
void find_assignments(std::string_view text, const Context& context, std::vector<Finding>& found);

}  // namespace deputy::redact

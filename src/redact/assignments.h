// Secrets that are secrets because of the name next to them: `password=hunter2`, `--token x`, `"client_secret": "…"`,
// `{"name": "DB_PASSWORD", "value": "…"}`, `<password>…</password>`. How they are written is in writing.h, values on
// the next line are in next_line.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "redact/detect.h"
#include "redact/marker.h"

namespace deputy::redact {

inline constexpr std::string_view kNamed = "named";

/// Adds what is found in `text` to `found`.
void find_assignments(std::string_view text, const Context& context, std::vector<Finding>& found);

// Names that have their value on the next line:
//
//   - name: DB_PASSWORD        password: |          AWS_SECRET_ACCESS_KEY:
//     value: hunter2             hunter2              wJalr…

/// What the last line of `piece` leaves to the next one. What it was itself asked for is in `context`: the value of
/// `value: |` comes a line later still.
Asked asks_next_line(std::string_view piece, const Context& context);

/// Whether a line that begins with `beginning` can hold what is asked for; nothing while more of it is needed to tell.
std::optional<bool> may_answer(std::string_view beginning, const Asked& asked);

/// The secret in the line that follows the name.
std::optional<Range> find_answer(std::string_view line, const Asked& asked);

}  // namespace deputy::redact

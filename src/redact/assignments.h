// Secrets that are secrets because of the name next to them: `password=hunter2`, `--token x`, `"client_secret": "…"`,
// `{"name": "DB_PASSWORD", "value": "…"}`, `<password>…</password>`. syntax.h reads how they are written. The value may
// also be on the line after its name:
//
//   - name: DB_PASSWORD        password: |          AWS_SECRET_ACCESS_KEY:
//     value: hunter2             hunter2              wJalr…
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "redact/detect.h"
#include "redact/marker.h"

namespace deputy::redact {

inline constexpr std::string_view kNamed = "named";

/// Appends the secrets in `text` to `found`, and to `in_base64` the values beside secret-like names that are no secrets
/// as they are written but may be one in base64.
void find_assignments(std::string_view text, const Context& context, std::vector<Finding>& found,
                      std::vector<Range>& in_base64);

/// The value that the last line of `piece` expects on the next line. `context` holds what that line was itself asked
/// for: the value of `value: |` comes one line later still.
AwaitedValue asks_next_line(std::string_view piece, const Context& context);

/// True when a line that begins with `beginning` can hold the expected value; nothing while more of the line is needed.
std::optional<bool> may_answer(std::string_view beginning, const AwaitedValue& asked);

/// The secret in the line after the name.
std::optional<Range> find_answer(std::string_view line, const AwaitedValue& asked);

}  // namespace deputy::redact

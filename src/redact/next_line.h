// Names that have their value on the next line:
//
//   - name: DB_PASSWORD        password: |          AWS_SECRET_ACCESS_KEY:
//     value: hunter2             hunter2              wJalr…
#pragma once

#include <optional>
#include <string_view>

#include "redact/context.h"
#include "redact/finding.h"

namespace deputy::redact {

/// What the last line of `piece` leaves to the next one. What it was itself asked for is in `context`: the value of
/// `value: |` comes a line later still.
Asked asks_next_line(std::string_view piece, const Context& context);

/// Whether a line that begins with `beginning` can hold what is asked for; nothing while more of it is needed to tell.
std::optional<bool> may_answer(std::string_view beginning, const Asked& asked);

/// The secret in the line that follows the name.
std::optional<Range> find_answer(std::string_view line, const Asked& asked);

}  // namespace deputy::redact

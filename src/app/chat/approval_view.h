// An approval as a chat asks it: what would be done, exactly, and what may be typed. Pure. What typed words do is
// answering.h's to say; here is only what it does not know, `x`.
#pragma once

#include <string>

#include "channel/terminal/ansi_text.h"
#include "interaction/approval.h"
#include "toolkit/spec.h"

namespace deputy::app {

enum class Much { folded, whole };

/// The tool and where it works, the exact command of one that runs commands, every other argument, and what it will
/// change. Everything from outside is escaped so that two different calls never look the same. `spec` is null for a
/// tool that is there no more.
std::string approval_lines(const interaction::Approval& approval, const toolkit::ToolSpec* spec, Much much,
                           channel::Colours colours);

/// "[y]es / [n]o / [a]lways / e(x)plain"; without `always` where no grant can be given.
std::string approval_choices(const interaction::Approval& approval);

/// What `a` would let through, for `x`.
std::string grant_words(const interaction::Approval& approval, const toolkit::ToolSpec* spec);

bool is_explain(std::string_view typed);
/// A no without a reason: the chat asks for one.
bool is_bare_no(std::string_view typed);

}  // namespace deputy::app

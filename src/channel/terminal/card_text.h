// The text of interactions in a terminal: an approval, a question, how it ended, and what may be typed. All commands
// use it, so that they look the same. Pure; all text from outside is escaped, so that two different calls never look
// the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "channel/card.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

enum class Much { folded, whole };

/// An approval as shown above its choices: the tool and its environment, the exact command if it runs one, every other
/// argument, what it will change, why it asks, and what `always` would allow beyond these arguments. Every row begins
/// with a sign of ours, whatever its text contains:
/// `?` a card, `│` a line of it, `┊` the rest of a line that is wider than `width` columns.
std::string approval_lines(const ShownApproval& shown, Much much, Colours colours, std::size_t width);

/// "[y]es / [n]o / [a]lways / e(x)plain"; without `always` if no grant can be given.
std::string approval_choices(const interaction::Approval& approval);

/// The prompt below it, which repeats the tool and its target: "shell make test? [y]es / …". The choices are a row of
/// their own where both do not fit into `width` columns.
std::string approval_prompt(const ShownApproval& shown, std::size_t width = kAnyWidth);

/// That `always` is not offered, where it is not; part of what `x` shows.
std::string grant_words(const ShownApproval& shown);

/// An approval in the list of pending ones: who asks for what, every argument in full, and what it will change.
std::string listed_approval(const interaction::Approval& approval, std::size_t width = kAnyWidth);

/// The next question of a form, with its options numbered.
std::string question_lines(const interaction::Form& form, const interaction::Draft& draft);

/// A pending interaction and when it expires; `draft` says which question of a form comes next.
std::string waiting_text(const Card& card, const ShownInteraction& shown, const interaction::Draft& draft,
                         std::size_t width = kAnyWidth);
/// A pending interaction with all its questions, for somebody who answers later.
std::string whole_text(const Card& card, const ShownInteraction& shown, std::size_t width = kAnyWidth);
/// What a script writes to answer an approval; nothing for a form.
std::string how_to_approve(const ShownInteraction& shown);
/// The draft of a form before anything is answered.
interaction::Draft first_draft(const ShownInteraction& shown);
Timestamp expires_at(const ShownInteraction& shown);

/// The answers of a form, printed once it is answered.
std::string answers_text(const interaction::Form& form, const interaction::FormResult& result);

/// How the interaction ended: "Denied by Bo at 2026-11-16 09:11 UTC.". One line without a line break; empty while it is
/// pending.
std::string settled_line(const Card& card, InteractionId id);

}  // namespace deputy::channel

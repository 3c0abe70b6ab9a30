// How what waits for people looks in a terminal: an approval, a question, how either ended, and what may be typed.
// Every command that asks asks in these looks. Pure; everything from outside is escaped, so that two different calls
// never look the same.
#pragma once

#include <string>
#include <vector>

#include "channel/card.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

enum class Much { folded, whole };

/// As it is asked where the choices stand below: the tool and where it works, the exact command of one that runs
/// commands, every other argument, what it will change, and why it asks.
std::string approval_lines(const ShownApproval& shown, Much much, Colours colours);

/// "[y]es / [n]o / [a]lways / e(x)plain"; without `always` where no grant can be given.
std::string approval_choices(const interaction::Approval& approval);

/// What `a` would let through, for `x`.
std::string grant_words(const ShownApproval& shown);

/// As it is listed among what waits: who asks for what, every argument whole, and what it will change.
std::string listed_approval(const interaction::Approval& approval);

/// The question that comes next, with its options by number.
std::string question_lines(const interaction::Form& form, const interaction::Draft& draft);

/// An interaction as a command shows it, with its end: `draft` says which question of a form comes next.
std::string waiting_text(const Card& card, const ShownInteraction& shown, const interaction::Draft& draft);
/// All that is asked, for who answers it later.
std::string whole_text(const Card& card, const ShownInteraction& shown);
/// Before anybody has answered any of it.
interaction::Draft first_draft(const ShownInteraction& shown);
Timestamp expires_at(const ShownInteraction& shown);

/// What was answered, for the lines that stay.
std::string answers_text(const interaction::Form& form, const interaction::FormResult& result);

/// How that interaction of the card ended, "Denied by Bo at 2026-11-16 09:11 UTC.": one line, without its end. Empty
/// while it waits.
std::string settled_line(const Card& card, InteractionId id);

}  // namespace deputy::channel

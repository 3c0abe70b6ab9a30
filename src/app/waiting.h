// An interaction that waits for people, as a command shows it: plain text (channel/terminal/card_look.h) with the exact
// command that answers it, or JSON. Pure.
#pragma once

#include <string>

#include "app/context.h"
#include "base/json.h"
#include "interaction/draft.h"
#include "interaction/state.h"
#include "run/journal/interaction_body.h"

namespace deputy::app {

/// `deputy … interactions answer ID`, with the flags this invocation was given, quoted for a shell.
std::string answering_command(const Context& context, const store::InteractionRow& row);

/// Before anybody has answered any of it.
interaction::Draft first_draft(const run::InteractionBody& asking);

/// Where it stands; `draft` says which question of a form comes next.
std::string waiting_text(const store::InteractionRow& row, const run::InteractionBody& asking,
                         const interaction::Zone& zone, const interaction::Draft& draft);
/// All that is asked, for who answers it later.
std::string whole_text(const store::InteractionRow& row, const run::InteractionBody& asking,
                       const interaction::Zone& zone);
/// How to answer it later.
std::string how_to_answer(const run::InteractionBody& asking, const std::string& command);

json::object waiting_json(const store::InteractionRow& row, const run::InteractionBody& asking,
                          const std::string& command);

}  // namespace deputy::app

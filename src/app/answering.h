// What typed words do to an interaction: which control they press, and what they fill in. Pure.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "channel/terminal/terminal_channel.h"
#include "interaction/draft.h"
#include "run/journal/interaction_body.h"

namespace deputy::app {

using channel::Press;

/// More of the form is to be answered: the question that comes next.
struct More {
  interaction::Draft draft;
};

using ReadAnswer = std::variant<Press, More, Error>;

/// A form takes one text a question, in order, as interaction/typed.h reads them. An approval takes `yes`, `no` with or
/// without a reason, or `always`, which approves for the conversation. `run`, where it is given, is the one that a hint
/// says how to stop.
ReadAnswer read_answer(const run::InteractionBody& asking, const std::vector<std::string>& texts,
                       std::optional<RunId> run = std::nullopt);

/// A form that was answered another way: all of it, or skipped where it is not completed.
Press press_of(const run::InteractionBody& asking, const interaction::FormResult& result);

}  // namespace deputy::app

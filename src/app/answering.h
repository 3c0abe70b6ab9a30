// What typed words do to an interaction: which control they press, and what they fill in. Pure.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "interaction/draft.h"
#include "interaction/questions.h"
#include "interaction/tokens.h"
#include "run/asking.h"

namespace deputy::app {

struct Press {
  std::string token;
  std::string words;                                // the reason of a denial
  std::map<std::string, interaction::Given> given;  // of a form, by question label
};

/// More of the form is to be answered: the question that comes next.
struct More {
  interaction::Draft draft;
};

using ReadAnswer = std::variant<Press, More, Error>;

/// A form takes one text a question, in order, as interaction/typed.h reads them. An approval takes `yes`, `no` with or
/// without a reason, or `always`, which approves for the conversation.
ReadAnswer read_answer(const run::Asking& asking, const std::vector<std::string>& texts);

/// A form that was answered another way: all of it, or skipped where it is not completed.
Press press_of(const run::Asking& asking, const interaction::FormResult& result);

}  // namespace deputy::app

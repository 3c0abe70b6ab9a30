// What the turns of a request hold for a planner that keeps nothing itself: who wants what, what was done about it and
// what came of that. Read anew each time, so that a run that goes on in another process goes on the same way.
//
// The request is the text before the "Extracted context" section in the last turn of the user's that holds no result;
// text beside results is a note and adds to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "intent/intent.h"
#include "model/model.h"

namespace deputy::model::offline {

inline constexpr std::string_view kAskUser = "ask_user";

enum class Outcome {
  succeeded,
  needs_environment,
  denied,  // by a person, a rule, or because nobody answered
  may_have_happened,
  no_such_service,  // another tool would say the same
  not_set_up,       // it says which setting is missing
  failed,
};

/// A call of this request that has been answered.
struct Done {
  Call call;
  std::string text;  // of its result
  Outcome outcome = Outcome::succeeded;
  std::size_t turn = 0;  // which of the assistant's turns since the request
};

/// What people said to forms.
struct FormAnswers {
  std::map<std::string, std::string> by_label;
  std::vector<std::string> asked;  // labels
  std::string not_answered;        // why the last form was not; empty: it was, or there was none
};

struct Conversation {
  std::string request;  // in the person's words, notes included
  intent::Intent intent;
  bool intent_was_given = false;  // by whoever knows the vocabulary, not by reading the request alone
  std::vector<Done> done;         // oldest first, forms not among them
  FormAnswers answers;
  std::vector<std::string> environments;  // that a result or the intent named to choose from
  std::size_t turns = 0;                  // of the assistant's since the request
};

/// Any request.
Conversation read_conversation(const Request& request);

/// The names that a text offers to choose from: "… known: prod, staging" or "Which environment: prod or staging?".
std::vector<std::string> choices_named(std::string_view text);

}  // namespace deputy::model::offline

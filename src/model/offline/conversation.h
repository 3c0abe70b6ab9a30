// What the turns of a request hold for a planner that keeps nothing itself: who wants what, what was done about it,
// what came of that, and what was called for the request before it. Read anew each time, so that a run that goes on in
// another process goes on the same way.
//
// The request is the text before the "Extracted context" section in the last turn of the user's that holds no result;
// text beside results is a note and adds to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "intent/intent.h"
#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

inline constexpr std::string_view kAskUser = "ask_user";

enum class Outcome {
  succeeded,
  denied,  // by a person, a rule, or because nobody answered
  may_have_happened,
  failed,
};

/// A call of this request that has been answered.
struct Done {
  Call call;
  std::string text;  // of its result
  Outcome outcome = Outcome::succeeded;
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
  std::vector<Done> done;  // oldest first, forms not among them
  FormAnswers answers;
  std::vector<std::string> environments;  // to choose from, as the intent names them
  std::size_t turns = 0;                  // of the assistant's since the request
  std::vector<Call> before;               // what the latest earlier request ended with
  std::string today;                      // "2026-11-18", where the turn says it
};

/// Any request.
Conversation read_conversation(const Request& request, const toolkit::Registry& registry);

/// The names that a question offers to choose from: "Which environment: prod, dev or staging?".
std::vector<std::string> choices_named(std::string_view text);

}  // namespace deputy::model::offline

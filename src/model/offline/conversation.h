// Reads the turns for a planner that keeps no state: the request, the calls made for it and their results, and the
// calls of the request before it. It is read again on each turn, so a run continues the same way in another process.
//
// The request is the text before the "Extracted context" section in the last user turn without results. Text next to
// results is a note and is added to the request.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "intent/intent.h"
#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

/// Stands below the first answer of a conversation.
inline constexpr std::string_view kSignature =
    "_This is the offline planner: it picks tools by rule and quotes what they say. Set a model key, such as "
    "`ANTHROPIC_API_KEY`, for real answers._";
inline constexpr std::string_view kAskUser = "ask_user";

enum class CallEnd {
  succeeded,
  denied,  // by a person, a rule, or because nobody answered
  may_have_happened,
  failed,
};

/// A call for this request that has a result.
struct Done {
  Call call;
  std::string text;  // of its result
  CallEnd outcome = CallEnd::succeeded;
};

/// What people answered in forms.
struct FormAnswers {
  std::map<std::string, std::string> by_label;
  std::vector<std::string> asked;  // labels
  std::string not_answered;        // why the last form was not answered; empty if it was, or if there was none
};

struct Conversation {
  std::string request;  // in the person's words, notes included
  intent::Intent intent;
  std::vector<Done> done;  // oldest first, without forms
  FormAnswers answers;
  std::vector<std::string> environments;  // the choices that the intent offers
  std::size_t turns = 0;                  // assistant turns since the request
  std::vector<Call> before;               // the last calls made before this request
  std::string today;                      // "2026-11-18"; empty if the turn does not say it
  bool has_signed = false;                // an earlier answer said that it is the offline planner's
};

Conversation read_conversation(const Request& request, const toolkit::Registry& registry);

/// The names that a question offers to choose from: "Which environment: prod, dev or staging?".
std::vector<std::string> choices_named(std::string_view text);

}  // namespace deputy::model::offline

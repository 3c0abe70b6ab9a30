// What handlers leave to the layer above, answered: a question to the model, a page of a kept result, past runs,
// background tasks. A child run is no such thing: its answer comes as mail.
//
// To add a kind: toolkit::DelegateKind, and a line in delegates.cpp.
#pragma once

#include "run/drive/dependencies.h"
#include "run/drive/in_flight.h"
#include "run/journal/entry_call.h"

namespace deputy::run {

/// What is asked, and for whom, as values.
struct DelegateWork {
  RunId run;
  std::string conversation;
  std::string requester;
  Delegated delegated;
  std::string same_readers = {};  // how keys of conversations begin that this one's readers see too; empty: none
};

/// Who answers a delegate of kind `model`: the fast model where there is one.
std::shared_ptr<model::Model> model_for_delegates(const RunDependencies& dependencies);

/// What it is asked, from the payload {system, prompt, data, max_tokens}: cut where it is too long, and what it is
/// about between tags that name it as data, halved so often. A payload has been redacted when it was journalled.
Result<model::Request> model_question(const json::object& payload, int halvings = 0);

/// `delegate_answered`; what cannot be answered ends the handler with an error, behind what was paid for it.
Task<TaskResult> answer_delegate(const RunDependencies& dependencies, DelegateWork work);

}  // namespace deputy::run

// Answers delegates, which handlers leave to the layer above: a question to the model, a page of a kept result, past
// runs, background tasks, what may be read for this answer. A child run is not answered here: its answer comes as mail.
//
// To add a kind: toolkit::DelegateKind, and a line in delegates.cpp.
#pragma once

#include "run/drive/dependencies.h"
#include "run/drive/in_flight.h"
#include "run/journal/entry_call.h"

namespace deputy::run {

/// A delegate and whom it is for, as values.
struct DelegateWork {
  RunId run;
  std::string conversation;
  std::string requester;
  Delegated delegated;
  std::string account = {};              // key of the account that asked
  json::object place = {};               // where it was asked, as journals hold it
  std::vector<AttachedFile> files = {};  // that came with the request
};

/// The model that answers a delegate of kind `model`: the fast one where there is one.
std::shared_ptr<model::Model> model_for_delegates(const RunDependencies& dependencies);

/// The question to that model, from the payload {system, prompt, data, max_tokens}: cut where it is too long, with the
/// data between tags that name it as such, cut in half `halvings` times. A payload was redacted when it was journalled.
Result<model::Request> model_question(const json::object& payload, int halvings = 0);

/// Gives `delegate_answered`. A question without an answer ends the handler with an error, after the entry of its cost.
Task<TaskResult> answer_delegate(const RunDependencies& dependencies, DelegateWork work);

}  // namespace deputy::run

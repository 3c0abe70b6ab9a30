// What handlers leave to the layer above, answered: a question to the model, a page of a kept result, past runs,
// background tasks. A child run is no such thing: its answer comes as mail.
//
// To add a kind: toolkit::DelegateKind, and a line in delegates.cpp.
#pragma once

#include "run/entry.h"
#include "run/services.h"
#include "run/works.h"

namespace deputy::run {

/// What is asked, and for whom, as values.
struct DelegateWork {
  RunId run;
  std::string conversation;
  std::string requester;
  Delegated delegated;
  std::string same_readers = {};  // how keys of conversations begin that this one's readers see too; empty: none
};

/// `delegate_answered`; what cannot be answered ends the handler with an error.
Task<Outcome> answer_delegate(const Services& services, DelegateWork work);

}  // namespace deputy::run

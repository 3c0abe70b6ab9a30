// Who may see what a run reads: the facts that policy/visibility.h judges by, looked up as the platforms say now.
#pragma once

#include <optional>
#include <string>

#include "policy/visibility.h"
#include "run/drive/dependencies.h"
#include "run/journal/entry_mail.h"

namespace deputy::run {

/// A place as visibility judges it for the viewer. `account` is who talks with Deputy there if only one person does;
/// empty: the platform is asked.
Task<policy::SeenConversation> seen_conversation(Lookups& lookups, policy::Place place, std::string account,
                                                 policy::Viewer viewer);

/// The same for a place as journals hold it. One that cannot be read is nobody's.
Task<policy::SeenConversation> seen_conversation(Lookups& lookups, json::object place, std::string account,
                                                 policy::Viewer viewer);

/// The readers of an answer, and the person it is for.
struct Audience {
  policy::Viewer requester;
  policy::SeenConversation answer;

  bool may_use(const policy::SeenConversation& source) const { return policy::may_be_used(source, requester, answer); }
};
/// `account` and `place` are those of the request.
Task<Audience> audience_of(const RunDependencies& dependencies, std::string account, json::object place);

/// The request of a run, from its journal; nothing if it is gone or cannot be read.
Task<Result<std::optional<Received>>> request_of_run(store::Store& store, RunId run);

}  // namespace deputy::run

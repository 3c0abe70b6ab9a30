// Acts on what is due: expiries, reminders, and forms that may be shown now. Dues that only send mail are handled by
// the store. An expiry is an answer like any other: the first one wins.
#pragma once

#include <functional>

#include "gateway/inbound/dependencies.h"

namespace deputy::gateway {

class Dues {
 public:
  /// `on_mail` is called when a journal may have a new entry.
  Dues(InboundDependencies& parts, std::function<void()> on_mail) : parts_(parts), on_mail_(std::move(on_mail)) {}

  /// Calls `take` now and then every second, until it is cancelled.
  Task<> run();

  /// Acts on everything due now. A due that fails is logged and retried later.
  Task<Result<>> take();

 private:
  Task<Result<>> act(store::DueRow due);
  Task<Result<>> expire(store::DueRow due, store::InteractionRow row);
  /// Removes a due whose interaction has ended.
  Task<Result<>> end(store::DueRow due, std::string conversation);

  InboundDependencies& parts_;
  std::function<void()> on_mail_;
};

}  // namespace deputy::gateway

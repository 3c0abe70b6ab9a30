// What happens at a time: expiries, reminders, and forms whose turn may have come. Dues with mail are the store's
// doing. An expiry is an answer like any other: whoever is first wins.
#pragma once

#include <functional>

#include "gateway/inbound/dependencies.h"

namespace deputy::gateway {

class Dues {
 public:
  /// `on_mail` is told when journals may have got an entry.
  Dues(InboundDependencies& parts, std::function<void()> on_mail) : parts_(parts), on_mail_(std::move(on_mail)) {}

  /// At once and then each second, until it is cancelled.
  Task<> run();

  /// Takes what is due now. One that fails is logged and comes again.
  Task<Result<>> take();

 private:
  Task<Result<>> act(store::DueRow due);
  Task<Result<>> expire(store::DueRow due, store::InteractionRow row);
  Task<Result<>> remind(store::DueRow due, store::InteractionRow row);
  /// Nothing is waited for any more.
  Task<Result<>> end(store::DueRow due, std::string conversation);

  InboundDependencies& parts_;
  std::function<void()> on_mail_;
};

}  // namespace deputy::gateway

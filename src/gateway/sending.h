// One piece through one channel, bounded whatever the channel does.
#pragma once

#include "channel/channel.h"
#include "gateway/pieces.h"

namespace deputy::gateway {

inline constexpr std::chrono::seconds kLongestSend{30};

/// What takes longer, or throws, is in doubt.
template <class T>
Task<Result<T>> bounded(Task<Result<T>> task) {
  std::exception_ptr thrown;
  try {
    co_return co_await with_timeout(kLongestSend, std::move(task));
  } catch (...) {
    thrown = std::current_exception();
  }
  co_return fail(ErrorKind::timeout, "the channel failed: " + what_of(thrown));
}

/// The ref of the message that shows it now; empty for a sign.
Task<Result<channel::MessageRef>> send_piece(Piece piece, channel::DeliveryKey key, channel::Channel& channel);

/// With Way::first_line: the line itself, or the whole edited into the line that stands.
Piece in_two_steps(Piece piece, const std::optional<channel::MessageRef>& first_line);

}  // namespace deputy::gateway

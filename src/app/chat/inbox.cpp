#include "app/chat/inbox.h"

#include <boost/asio/as_tuple.hpp>

namespace deputy::app {

void Inbox::push(Event event) {
  const bool again = event.kind == Event::Kind::look && !events_.empty() && events_.back().kind == Event::Kind::look;
  if (!again) events_.push_back(std::move(event));
  wake_.cancel();
}

Task<Event> Inbox::next() {
  while (events_.empty()) {
    wake_.expires_at(std::chrono::steady_clock::time_point::max());
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  Event event = std::move(events_.front());
  events_.pop_front();
  co_return event;
}

}  // namespace deputy::app

// One attempt of a provider over a scripted client: what it gave and what was streamed meanwhile.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <string>

#include "base/task.h"
#include "model/model.h"
#include "model/written.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::test {}
namespace deputy::model::test {
using namespace deputy::test;  // `test::` means both here

struct Attempted {
  Result<Reply> reply;
  std::string streamed;
};

inline Attempted attempt(Provider& provider, Request request) {
  Attempted attempted;
  attempted.reply = deputy::test::run(
      provider.attempt(std::move(request), [&](std::string_view part) { attempted.streamed += part; }));
  return attempted;
}

/// A provider's attempts over a scripted client.
class AttemptTest : public testing::Test {
 protected:
  static Request ask() { return asks("hi"); }
  json::object body(std::size_t number) const { return parse_json_object(http.asked().at(number).body).value(); }

  deputy::test::ScriptedHttp http;
  deputy::test::ManualClock clock;
};

/// Cancels as soon as the first text is there. True when the attempt ended by that.
inline bool ends_when_cancelled_at_the_first_text(Provider& provider, Request request) {
  asio::io_context loop;
  Cancel cancel(loop.get_executor());
  bool was_cancelled = false;
  asio::co_spawn(
      loop,
      provider.attempt(std::move(request), [&](std::string_view) { asio::post(loop, [&cancel] { cancel.emit(); }); }),
      asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr& thrown, const Result<Reply>&) {
        was_cancelled = thrown && is_cancellation(thrown);
      }));
  loop.run();
  return was_cancelled;
}

}  // namespace deputy::model::test

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "conformance/model/provider_suite.h"
#include "conformance/model/suite.h"

namespace deputy::model {

namespace {

constexpr std::chrono::seconds kLimit(30);

Task<Result<int>> heard(test::ModelPeer& peer, std::string words) {
  co_await peer.says(std::move(words));
  co_return 1;
}

}  // namespace

Request asking(std::vector<Turn> more) {
  Request request = request_for(Part::makes_one_call);
  for (Turn& turn : more) request.turns.push_back(std::move(turn));
  return request;
}

std::vector<Call> calls_of(const Reply& reply) {
  std::vector<Call> calls;
  for (const Block& block : reply.blocks) {
    if (const Call* call = std::get_if<Call>(&block)) calls.push_back(*call);
  }
  return calls;
}

const Vendor& vendor(std::string_view name) {
  for (const Vendor& each : vendors()) {
    if (each.name == name) return each;
  }
  throw std::logic_error("there is no such vendor");
}

Talk::Talk(const std::string& program, const Vendor& vendor, const test::Scenario& scenario)
    : http_(loop_.get_executor(), {}), peer_(program, scenario), provider_(vendor.make(http_, clock_, peer_.url())) {}

Heard Talk::hear(Request request) { return hear_by(*provider_, std::move(request)); }

Heard Talk::hear_by(Provider& provider, Request request) {
  Heard heard;
  auto attempt = provider.attempt(std::move(request), [&heard](std::string_view text) { heard.streamed += text; });
  heard.reply = test::run_on(loop_, with_timeout(kLimit, std::move(attempt)));
  return heard;
}

std::string Talk::cancel_when(std::string words) {
  asio::cancellation_signal cancel;
  std::exception_ptr thrown;
  bool ended = false;
  std::string streamed;
  asio::co_spawn(loop_, provider_->attempt(asking(), [&streamed](std::string_view text) { streamed += text; }),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<Reply>&) {
                   thrown = std::move(error);
                   ended = true;
                 }));
  EXPECT_OK(test::run_on(loop_, with_timeout(kLimit, heard(peer_, std::move(words)))));
  EXPECT_FALSE(ended);
  cancel.emit(asio::cancellation_type::terminal);
  EXPECT_TRUE(test::run_until_within(kLimit, loop_, [&] { return ended; }));
  EXPECT_TRUE(thrown && is_cancellation(thrown));
  EXPECT_OK(test::run_on(loop_, with_timeout(kLimit, heard(peer_, "gone 1"))));
  return streamed;
}

}  // namespace deputy::model

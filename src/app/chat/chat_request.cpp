// `deputy ask` at a terminal: one request, shown and answered as in a chat, which leaves when it has ended.
#include <fmt/format.h>

#include "app/chat/chat.h"
#include "app/foreground.h"
#include "app/models.h"
#include "app/settings.h"
#include "channel/terminal/styled_text.h"
#include "store/store.h"

namespace deputy::app {

namespace {

// A run that is given up changes nothing that this would hear of.
constexpr std::chrono::seconds kBetweenLooks{1};

std::string how_to_go_on(RunId run) {
  return fmt::format(
      "Not finished. To continue it, or to end it:\n  deputy runs resume {0}\n  deputy runs cancel {0}\n",
      channel::short_id(run));
}

}  // namespace

Task<Result<Chat::Going>> Chat::make_request() {
  set_usual_prompt();
  print_dim("answers come from " + who_answers(process_.settings().models));
  for (const std::string& line : model_addresses(process_.settings())) print_dim(line);
  co_await process_.services_known();
  if (inbox_.is_to_end()) {
    code_ = ExitCode::failed;
    co_return Going::leaves;
  }
  CO_TRY(gateway::Started started,
         co_await process_.requests().start(local_caller(), {session_.conversation, only_request_}));
  if (auto* accepted = std::get_if<gateway::Accepted>(&started)) {
    request_ = std::move(*accepted);
    co_return Going::on;
  }
  code_ = exit_code_of(std::get<gateway::NotAccepted>(started));
  co_return Going::leaves;
}

Task<Result<Chat::Going>> Chat::follow_request() {
  if (!request_) co_return Going::on;
  for (;;) {
    CO_TRY(const std::optional<gateway::Event> event, co_await request_->events.take());
    if (!event) break;
    if (const auto* background = std::get_if<gateway::InBackground>(&event->what)) {
      for (const RunId& run : background->runs)
        print_dim(fmt::format("task {} works in the background; waiting for it to end", channel::short_id(run)));
    }
    if (const auto* paused = std::get_if<gateway::PausedBy>(&event->what)) {
      print_problem(paused->why);
      print(how_to_go_on(request_->run));
      code_ = ExitCode::refused;
      co_return Going::leaves;
    }
    if (const auto* ended = std::get_if<gateway::Ended>(&event->what)) {
      code_ = exit_code_of(*ended);
      co_return Going::leaves;
    }
  }
  look_timer_.expires_after(kBetweenLooks);
  look_timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error && !closed_) inbox_.push({});
  });
  co_return Going::on;
}

Task<Result<ExitCode>> Chat::end_request() {
  if (!code_ && request_) {
    CO_TRY(const std::vector<store::InteractionRow> waiting,
           co_await process_.store().interactions({.conversation = session_.conversation}));
    print(how_to_go_on(request_->run));
    code_ = waiting.empty() ? ExitCode::failed : ExitCode::waiting;
  }
  CO_TRY(std::vector<store::RunRow> rows, co_await runs_here());
  CO_TRY(co_await leave(std::move(rows)));
  co_return code_.value_or(ExitCode::failed);
}

}  // namespace deputy::app

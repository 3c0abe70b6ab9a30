// What the slash commands of a chat do.
#include <fmt/format.h>

#include <algorithm>

#include "app/by_hand.h"
#include "app/chat/chat.h"
#include "app/chat/welcome.h"
#include "app/commands/reading.h"
#include "app/foreground.h"
#include "base/text.h"
#include "channel/terminal/plain_text.h"
#include "policy/grants.h"

namespace deputy::app {

namespace {

constexpr int kMostListed = 15;
constexpr std::size_t kLongestHeadline = 70;

std::string when_it_ends(const store::GrantRow& grant, const interaction::Zone& zone) {
  if (grant.ends_at == policy::kWithTheSession) return "until this session ends";
  return "until " + interaction::time_in(zone, grant.ends_at);
}

}  // namespace

Task<Result<Chat::Going>> Chat::command(SlashWish wish) {
  switch (wish.command) {
    case Slash::help:
      print(slash_help());
      break;
    case Slash::tools:
      list_tools();
      break;
    case Slash::call:
      CO_TRY(co_await call_tool(std::move(wish.rest)));
      break;
    case Slash::tasks:
      CO_TRY(co_await list_tasks());
      break;
    case Slash::approvals:
      CO_TRY(co_await list_approvals());
      break;
    case Slash::runs:
      CO_TRY(co_await list_runs());
      break;
    case Slash::model:
      print(who_answers(process_.settings().models) + "\n");
      break;
    case Slash::yolo:
      switch_asking();
      break;
    case Slash::clear:
      CO_TRY(co_await clear());
      break;
    case Slash::quit:
      co_return Going::leaves;
  }
  co_return Going::on;
}

// What is unfinished could not be answered from another conversation, nor would its end be told there; and what was
// granted in the old one would hold for nothing in the new.
Task<Result<>> Chat::clear() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  const auto is_open = [](const store::RunRow& row) { return row.state != store::RunStatus::finished; };
  if (std::ranges::any_of(rows, is_open))
    co_return fail(ErrorKind::conflict, "something is not finished here",
                   "answer it, wait for it, or stop it with Ctrl-C; /tasks lists what works in the background");
  CO_TRY(const int ended, co_await end_grants(process_, user_, session_));
  session_ = cleared(std::move(session_));
  print(ended == 0 ? "A new conversation.\n" : "A new conversation. What was granted with `a` has ended.\n");
  co_return Result<>{};
}

void Chat::list_tools() {
  std::string text;
  for (const toolkit::ToolListing& tool : process_.registry().list(process_.settings().tools.by_category())) {
    if (!tool.enabled) continue;
    text += fmt::format("  {:<24} {:<12} {}\n", tool.name, tool.configured ? tool.effect : "not set up",
                        channel::one_line(tool.configured ? tool.description : tool.missing));
  }
  print(text);
}

Task<Result<>> Chat::call_tool(std::string rest) {
  const std::size_t space = rest.find(' ');
  const std::string name = rest.substr(0, space);
  CO_TRY(const auto tool, process_.registry().find(name));
  const Result<json::object> arguments =
      parse_json_object(space == std::string::npos ? "{}" : std::string_view(rest).substr(space + 1));
  if (!arguments) {
    co_return fail(ErrorKind::invalid_input, "the arguments are no JSON object",
                   fmt::format("write them like /call {} {{\"name\": \"value\"}}", name));
  }
  CallByHand call = new_call_by_hand(tool->spec().name, *arguments, process_.clock().now());
  view_->know_by_hand(call.run, call.call);
  CO_TRY(co_await call_by_hand(process_, user_, session_.conversation, std::move(call)));
  process_.gateway().poke();
  co_return Result<>{};
}

Task<Result<>> Chat::list_tasks() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  std::string text;
  for (const store::RunRow& row : rows) {
    if (!row.parent) continue;
    const Result<run::RunState> state = co_await read_state(process_.store(), row.run);
    if (!state) continue;
    const run::Received& received = state->request();
    const std::string what =
        received.only_call
            ? "[bg] " +
                  call_line(received.only_call->call.tool, received.only_call->call.arguments, process_.registry())
            : "sub-run " + channel::one_line(cut_with_mark(received.label.value_or(received.text), kLongestHeadline));
    const Timestamp until = row.finished_at.value_or(process_.clock().now());
    text +=
        fmt::format("  {}  {:<9}  {:>8}  {}\n", row.run.text(), state_of(row), elapsed(until - row.created_at), what);
  }
  print(text.empty() ? "No background calls and no sub-runs here.\n" : text);
  co_return Result<>{};
}

Task<Result<>> Chat::list_approvals() {
  const interaction::Zone zone = process_.rules().zone;
  store::InteractionFilter filter;
  filter.conversation = session_.conversation;
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await process_.store().interactions(filter));
  std::string text;
  for (const store::InteractionRow& row : rows) {
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    const std::optional<interaction::Approval>& approval = asking->approval;
    const std::string what =
        approval ? call_line(approval->tool, approval->arguments, process_.registry()) : "a question";
    text +=
        fmt::format("  ? {}  waits until {}  {}\n", what, interaction::time_in(zone, row.expires_at), row.id.text());
    asked_.erase(row.id);  // so that what was left is asked again
  }
  if (text.empty()) text = "Nothing waits for a yes.\n";
  store::GrantFilter granted;
  granted.conversation = session_.conversation;
  CO_TRY(const std::vector<store::GrantRow> grants, co_await process_.store().grants(granted));
  for (const store::GrantRow& grant : grants)
    text += fmt::format("  ✓ {} is granted {}  {}\n", channel::one_line(grant.tool), when_it_ends(grant, zone),
                        grant.id.text());
  if (!asks_) text += "  /yolo is on: nothing asks but what always does.\n";
  print(text);
  co_return Result<>{};
}

Task<Result<>> Chat::list_runs() {
  store::RunFilter filter;
  filter.most = kMostListed;
  CO_TRY(const std::vector<store::RunRow> rows, co_await process_.store().runs(filter));
  std::string text;
  for (const store::RunRow& row : rows) {
    text += fmt::format("  {}  {:<9}  {}{}\n", row.run.text(), state_of(row), row.parent ? "↳ " : "",
                        channel::one_line(cut_with_mark(row.headline, kLongestHeadline)));
  }
  print(text.empty() ? "No runs yet.\n" : text);
  co_return Result<>{};
}

void Chat::switch_asking() {
  asks_ = !asks_;
  process_.be_session(asks_ ? Process::Asking::on : Process::Asking::off);
  print(asks_ ? "It asks again before it changes something.\n"
              : "It asks no more in this session, but for what always asks. /yolo again makes it ask.\n");
  set_usual_prompt();
}

}  // namespace deputy::app

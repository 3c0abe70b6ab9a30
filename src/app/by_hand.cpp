#include "app/by_hand.h"

#include <fmt/format.h>

#include "app/foreground.h"
#include "base/text.h"
#include "channel/terminal/terminal_channel.h"
#include "policy/access.h"
#include "policy/approvers.h"
#include "policy/persons.h"
#include "run/journal/stored_rows.h"
#include "run/plan/prepare.h"

namespace deputy::app {

namespace {

std::string why_not(const channel::Verdict& verdict) {
  if (const auto* refused = std::get_if<channel::Refused>(&verdict)) return refused->why;
  if (const auto* already = std::get_if<channel::Already>(&verdict)) return already->words;
  const auto* invalid = std::get_if<channel::Invalid>(&verdict);
  std::vector<std::string> problems;
  if (invalid != nullptr) {
    for (const auto& [label, problem] : invalid->problems) problems.push_back(fmt::format("{}: {}", label, problem));
  }
  return problems.empty() ? "it was not taken" : join(problems, "; ");
}

}  // namespace

policy::Identity local_user(const std::string& user) {
  return {.account = channel::terminal_account(user), .standing = policy::Standing::local_user};
}

Result<> check_settled(const channel::Verdict& verdict) {
  if (std::holds_alternative<channel::Settled>(verdict)) return {};
  const ErrorKind kind = std::holds_alternative<channel::Refused>(verdict)   ? ErrorKind::permission
                         : std::holds_alternative<channel::Already>(verdict) ? ErrorKind::conflict
                                                                             : ErrorKind::invalid_input;
  return fail(kind, why_not(verdict));
}

Task<Result<>> answer_by_hand(Process& process, std::string user, store::InteractionRow row, Press press) {
  channel::InboundAnswer answer =
      channel::typed_answer(user, row.conversation, std::move(press), process.clock().now());
  CO_TRY(const channel::Verdict verdict, co_await process.gateway().receiver().answer(std::move(answer)));
  co_return check_settled(verdict);
}

Task<Result<>> check_not_paused(store::Store& store) {
  CO_TRY(const store::BrakeRow brake, co_await store.brake());
  if (brake.brake != store::Brake::all) co_return Result<>{};
  co_return fail(ErrorKind::permission, fmt::format("Deputy is paused by {}", brake.by), "`deputy resume` ends it");
}

CallByHand new_call_by_hand(std::string tool, json::object arguments, Timestamp now) {
  return {RunId::make(now), {"call_1", std::move(tool), std::move(arguments)}};
}

Task<Result<>> call_by_hand(Process& process, std::string user, std::string conversation, CallByHand call) {
  const Timestamp now = process.clock().now();
  const policy::Identity who = local_user(user);
  CO_TRY(policy::may_speak(who, channel::terminal_place(), process.settings()));
  CO_TRY(co_await check_not_paused(process.store()));
  CO_TRY(run::refuse_secrets(call.call.arguments));  // before the run, which keeps them, is stored
  run::Received received;
  received.text = fmt::format("`{}` by hand", call.call.tool);
  received.requester = policy::person_of(who, process.settings()).id;
  received.conversation = conversation;
  received.account = who.account.key();
  received.name = user;
  received.place = run::write_place(channel::terminal_place());
  received.only_call = run::OnlyCall{call.call, {}, {}};
  for (;;) {
    CO_TRY(const store::ConversationRow seen, co_await process.store().conversation(conversation));
    store::NewRunRow run = run::new_run(call.run, received, now);
    run.home = process.store().instance();
    store::Effects effects;
    effects.audit = {{.at = now, .kind = "requested", .person = received.requester, .run = call.run}};
    store::InboundRow message{fmt::format("{}:{}", conversation, call.run.text()), conversation, seen.version};
    CO_TRY(const store::Admitted admitted,
           co_await process.store().admit(std::move(message), std::move(run), std::move(effects)));
    if (admitted.how != store::Admitted::How::moved) co_return Result<>{};
  }
}

Task<Result<>> stop_by_hand(Process& process, std::string user, store::RunRow run) {
  CO_TRY(const run::RunState state, co_await read_state(process.store(), run.run));
  const policy::Identity who = local_user(user);
  const policy::Account account = run::account_of(state.request().account);
  const policy::Identity requester = account == who.account ? who : policy::Identity{.account = account};
  CO_TRY(policy::may_stop(who, channel::terminal_place(), requester, process.settings()));
  const Timestamp now = process.clock().now();
  const std::string person = policy::person_of(who, process.settings()).id;
  store::Effects effects;
  effects.audit = {{.at = now, .kind = "stopped", .person = person, .run = run.run}};
  CO_TRY(co_await process.store().mail({run.run, run::encode(run::CancelRequested{person}, now)}, std::move(effects)));
  co_return Result<>{};
}

}  // namespace deputy::app

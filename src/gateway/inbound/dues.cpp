#include "gateway/inbound/dues.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/reach.h"
#include "gateway/inbound/settle.h"
#include "interaction/escape.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {

namespace {

constexpr int kMaxAtOnce = 100;
constexpr std::chrono::seconds kPeriod{1};

// The answer of an interaction whose time is over; nothing before that.
std::optional<interaction::Answered> expired(const store::InteractionRow& row, const run::InteractionBody& asking,
                                             Timestamp now) {
  if (asking.approval) {
    const interaction::Decision decision =
        interaction::decide(standing_of(row, *asking.approval), interaction::Expire{now});
    const auto* settled = std::get_if<interaction::Settled>(&decision.standing);
    if (decision.refusal || settled == nullptr) return std::nullopt;
    return interaction::answered(row.id.text(), row.call, *settled, std::nullopt);
  }
  if (!asking.questions || now < row.expires_at) return std::nullopt;
  std::vector<interaction::Answer> so_far;
  if (const auto draft = interaction::read_draft(*asking.questions, row.draft)) so_far = draft->answers;
  const auto result = interaction::unanswered(interaction::Unanswered::expired, {}, std::move(so_far));
  return interaction::answered(row.id.text(), row.call, result, {});
}

store::DeliveryRow notice(std::string words, const store::InteractionRow& row, Timestamp at) {
  return run::owe(run::NoticeDelivery{std::move(words)}, row.conversation, at, row.run);
}

std::string message_for_expiry(const run::InteractionBody& asking) {
  if (asking.approval) {
    return fmt::format("Nobody approved in time, so {} was not run.", interaction::code_span(asking.approval->tool));
  }
  return "Nobody answered my question in time, so I go on without an answer.";
}

}  // namespace

Task<> Dues::run() {
  for (;;) {
    const Result<> taken = co_await take();
    if (!taken) log::warning("dues could not be read from the store", {{"error", describe(taken.error())}});
    co_await sleep_for(kPeriod);
  }
}

Task<Result<>> Dues::take() {
  CO_TRY(const store::TakenDues taken, co_await parts_.store.take_due(kMaxAtOnce));
  for (const store::DueRow& due : taken.dues) {
    failpoint("gateway.due.before");
    const Result<> acted = co_await act(due);
    failpoint("gateway.due.after");
    if (!acted) log::warning("a due failed", {{"kind", due.kind}, {"error", describe(acted.error())}});
  }
  if (!taken.has_mail.empty() || !taken.dues.empty()) on_mail_();
  co_return Result<>{};
}

Task<Result<>> Dues::act(store::DueRow due) {
  const bool is_ours = due.kind == run::kExpiryDue || due.kind == run::kReminderDue || due.kind == run::kShowFormDue ||
                       due.kind == run::kReachDue;
  if (!is_ours) co_return fail(ErrorKind::internal, "unknown kind of due");
  CO_TRY(const InteractionId id, InteractionId::parse(due.id));
  CO_TRY(const std::optional<store::InteractionRow> row, co_await find_interaction(parts_, id));
  if (!row || row->state != store::InteractionState::pending) {
    co_return co_await end(due, row ? row->conversation : std::string(run::kAlertConversation));
  }
  if (due.kind == run::kExpiryDue) co_return co_await expire(due, *row);
  if (due.kind == run::kReminderDue) co_return co_await remind_approvers(parts_, due, *row);
  if (due.kind == run::kReachDue) co_return co_await reach_approvers(parts_, due, *row);
  co_return co_await show_next_form(parts_, row->conversation);
}

Task<Result<>> Dues::expire(store::DueRow due, store::InteractionRow row) {
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  const Timestamp at = parts_.clock.now();
  std::optional<interaction::Answered> answered = expired(row, asking, at);
  // Its expiry was moved; the due comes again.
  if (!answered) co_return Result<>{};
  Ending ending{.answered = *std::move(answered), .name = {}, .account = {}, .at = at};
  ending.effects.deliveries = {notice(message_for_expiry(asking), row, at)};
  CO_TRY(const store::AnswerStored settled, co_await settle(parts_, row, asking, std::move(ending)));
  if (settled.how == store::AnswerStored::How::settled) co_return Result<>{};
  co_return co_await end(due, row.conversation);
}

Task<Result<>> Dues::end(store::DueRow due, std::string conversation) {
  store::Effects effects;
  effects.dues_ended = {{due.kind, due.id}};
  const store::ConsumedRow once{fmt::format("due_over:{}:{}", due.kind, due.id), std::move(conversation)};
  CO_TRY((co_await take_in(parts_, once, store::ToNobody{}, std::move(effects))));
  co_return Result<>{};
}

}  // namespace deputy::gateway

#include "gateway/answers_settle.h"

#include <algorithm>

#include "base/failpoint.h"
#include "base/log.h"
#include "gateway/standing.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {

namespace {

store::AuditRow audit_of(const store::InteractionRow& row, const Ending& ending) {
  json::object body{{"interaction", row.id.text()}, {"call", row.call}};
  if (!ending.account.empty()) body["account"] = ending.account;
  if (ending.answered.grant) body["grant"] = *ending.answered.grant;
  return {.at = ending.at,
          .kind = std::string(interaction::name(ending.answered.state)),
          .person = ending.answered.by,
          .run = row.run,
          .digest = row.digest,
          .body = json::serialize(body)};
}

bool is_questions(const store::InteractionRow& row) { return row.kind == name(interaction::Kind::questions); }

// Of a card that could not be shown nobody knows.
bool is_shown(const std::vector<store::DeliveryRow>& views) {
  return std::ranges::any_of(views,
                             [](const store::DeliveryRow& view) { return view.state != store::DeliveryState::dead; });
}

struct Waiting {
  std::int64_t version = 0;
  std::optional<store::InteractionRow> next;
};

// The form whose turn it is, when none is open.
Task<Result<Waiting>> next_form(Parts& parts, std::string conversation) {
  Waiting waiting;
  CO_TRY(const store::ConversationRow row, co_await parts.store.conversation(conversation));
  waiting.version = row.version;
  store::InteractionFilter filter;
  filter.conversation = conversation;
  filter.most = 1000;
  CO_TRY(std::vector<store::InteractionRow> pending, co_await parts.store.interactions(filter));
  std::ranges::reverse(pending);
  for (store::InteractionRow& one : pending) {
    if (!is_questions(one)) continue;
    CO_TRY(std::vector<store::DeliveryRow> deliveries, co_await parts.store.views(one.id));
    const std::vector<store::DeliveryRow> views = cards_among(std::move(deliveries));
    if (is_shown(views)) co_return Waiting{waiting.version, std::nullopt};
    if (!waiting.next && views.empty()) waiting.next = std::move(one);
  }
  co_return waiting;
}

}  // namespace

std::vector<store::DeliveryRow> cards_among(std::vector<store::DeliveryRow> deliveries) {
  std::erase_if(deliveries, [](const store::DeliveryRow& row) { return row.kind != run::CardDelivery::kKind; });
  return deliveries;
}

store::DeliveryRow redraw(const store::InteractionRow& row, const run::InteractionBody& asking, Timestamp at) {
  return run::owe(run::RedrawDelivery{asking.card}, row.conversation, at, row.run);
}

Task<Result<store::Answered>> settle(Parts& parts, store::InteractionRow row, run::InteractionBody asking,
                                     Ending ending) {
  const store::AnswerRow answer{to_row(ending.answered.state), write_response(ending.answered.response, ending.name),
                                ending.answered.by, ending.at};
  store::Effects effects = std::move(ending.effects);
  effects.deliveries.insert(effects.deliveries.begin(), redraw(row, asking, ending.at));
  effects.audit.push_back(audit_of(row, ending));
  for (store::DueKey& due : run::dues_of(row.id.text())) effects.dues_ended.push_back(std::move(due));
  const store::EntryRow mail = run::encode(ending.answered, ending.at);
  failpoint("gateway.answer.before");
  CO_TRY(store::Answered answered, co_await parts.store.answer(row.id, answer, mail, std::move(effects)));
  failpoint("gateway.answer.after");
  if (answered.how == store::Answered::How::settled && is_questions(row)) {
    // Its due shows it later when this fails.
    const Result<> shown = co_await show_next_form(parts, row.conversation);
    if (!shown) log::warning("the next form could not be shown", {{"error", describe(shown.error())}});
  }
  co_return answered;
}

Task<Result<>> show_next_form(Parts& parts, std::string conversation) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(const Waiting waiting, co_await next_form(parts, conversation));
    if (!waiting.next) co_return Result<>{};
    const store::InteractionRow& form = *waiting.next;
    store::DeliveryRow card = run::owe(run::CardDelivery{}, conversation, parts.clock.now(), form.run);
    card.interaction = form.id;
    store::Effects effects;
    effects.deliveries = {std::move(card)};
    effects.dues_ended = {{std::string(run::kShowFormDue), form.id.text()}};
    const store::InboundRow once{"show_form:" + form.id.text(), conversation, waiting.version};
    CO_TRY(const store::Admitted admitted, co_await parts.store.admit(once, store::ToNobody{}, std::move(effects)));
    if (admitted.how != store::Admitted::How::moved) co_return Result<>{};
  }
  co_return std::unexpected(too_busy());
}

}  // namespace deputy::gateway

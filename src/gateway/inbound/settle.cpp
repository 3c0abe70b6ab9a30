#include "gateway/inbound/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/failpoint.h"
#include "base/fields_codec.h"
#include "base/log.h"
#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"
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

// A card that could not be delivered does not count as shown.
bool is_shown(const std::vector<store::DeliveryRow>& views) {
  return std::ranges::any_of(views,
                             [](const store::DeliveryRow& view) { return view.state != store::DeliveryState::dead; });
}

struct Waiting {
  std::int64_t version = 0;
  std::optional<store::InteractionRow> next;
};

// The next form to show, if none is open.
Task<Result<Waiting>> next_form(InboundDependencies& parts, std::string conversation) {
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

constexpr std::string_view kName = "name";

// Empty if the row has no response, or one that is not an object.
json::object response_of(const store::InteractionRow& row) {
  Result<json::object> response = parse_json_object(row.response);
  return response ? *std::move(response) : json::object{};
}

}  // namespace

std::vector<store::DeliveryRow> cards_among(std::vector<store::DeliveryRow> deliveries) {
  std::erase_if(deliveries, [](const store::DeliveryRow& row) { return row.kind != run::CardDelivery::kKind; });
  return deliveries;
}

store::DeliveryRow redraw(const store::InteractionRow& row, const run::InteractionBody& asking, Timestamp at) {
  store::DeliveryRow redraw = run::owe(run::RedrawDelivery{asking.card}, row.conversation, at, row.run);
  if (const Result<InteractionId> card = InteractionId::parse(asking.card)) redraw.interaction = *card;
  return redraw;
}

Task<Result<store::AnswerStored>> settle(InboundDependencies& parts, store::InteractionRow row,
                                         run::InteractionBody asking, Ending ending) {
  const store::AnswerRow answer{to_row(ending.answered.state), write_response(ending.answered.response, ending.name),
                                ending.answered.by, ending.at};
  store::Effects effects = std::move(ending.effects);
  effects.deliveries.insert(effects.deliveries.begin(), redraw(row, asking, ending.at));
  effects.audit.push_back(audit_of(row, ending));
  for (store::DueKey& due : run::dues_of(row.id.text())) effects.dues_ended.push_back(std::move(due));
  const store::EntryRow mail = run::encode(ending.answered, ending.at);
  failpoint("gateway.answer.before");
  CO_TRY(store::AnswerStored answered, co_await parts.store.answer(row.id, answer, mail, std::move(effects)));
  failpoint("gateway.answer.after");
  if (answered.how == store::AnswerStored::How::settled && is_questions(row)) {
    // If this fails, its due shows it later.
    const Result<> shown = co_await show_next_form(parts, row.conversation);
    if (!shown) log::warning("the next form could not be shown", {{"error", describe(shown.error())}});
  }
  co_return answered;
}

Task<Result<>> show_next_form(InboundDependencies& parts, std::string conversation) {
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

store::InteractionState to_row(interaction::State state) {
  switch (state) {
    case interaction::State::pending:
      return store::InteractionState::pending;
    case interaction::State::approved:
      return store::InteractionState::approved;
    case interaction::State::denied:
      return store::InteractionState::denied;
    case interaction::State::answered:
      return store::InteractionState::answered;
    case interaction::State::expired:
      return store::InteractionState::expired;
    case interaction::State::cancelled:
      return store::InteractionState::cancelled;
  }
  return store::InteractionState::cancelled;
}

interaction::State from_row(store::InteractionState state) {
  for (const auto& [value, name] : interaction::choices_of(interaction::State{})) {
    if (to_row(value) == state) return value;
  }
  return interaction::State::cancelled;
}

std::string write_response(json::object response, const std::string& name) {
  if (!name.empty()) response[kName] = name;
  return json::serialize(response);
}

std::string answered_by(const store::InteractionRow& row) {
  std::string name = text_at(response_of(row), kName);
  return name.empty() ? row.responded_by : name;
}

interaction::ApprovalState standing_of(const store::InteractionRow& row, const interaction::Approval& approval) {
  if (row.state == store::InteractionState::pending) {
    return interaction::Pending{row.digest, row.expires_at, approval.may_grant};
  }
  const json::object response = response_of(row);
  return interaction::Settled{
      .state = from_row(row.state),
      .by = answered_by(row),
      .at = row.responded_at.value_or(row.expires_at),
      .scope = text_at(response, "scope") == "thread" ? interaction::Scope::for_thread : interaction::Scope::once,
      .reason = text_at(response, "reason")};
}

interaction::FormResult form_result_of(const store::InteractionRow& row) {
  const json::object response = response_of(row);
  interaction::FormResult result;
  result.state = from_row(row.state);
  result.reason = text_at(response, "reason");
  const json::value* completed = response.if_contains("completed");
  result.completed = completed != nullptr && completed->is_bool() && completed->get_bool();
  const json::value* answers = response.if_contains("answers");
  if (answers == nullptr || !answers->is_array()) return result;
  for (const json::value& answer : answers->get_array()) {
    if (!answer.is_object()) continue;
    if (auto read = parse_arguments<interaction::Answer>(answer.get_object())) {
      result.answers.push_back(*std::move(read));
    }
  }
  return result;
}

interaction::Zone zone_of(const run::Rules& rules, const run::InteractionBody& asking) {
  return run::zone_of(rules, asking.time_zone.value_or(""));
}

std::string describe_pending(const run::InteractionBody& asking) {
  if (asking.approval) {
    return fmt::format("waiting for approval: {}", interaction::notification_line(*asking.approval));
  }
  if (!asking.questions || asking.questions->questions.empty()) return "waiting for an answer";
  const std::string& question = asking.questions->questions.front().question;
  return fmt::format("waiting for an answer from {}: {}", asking.requester,
                     interaction::escape(cut_with_mark(question, 200), interaction::Showing::as_prose));
}

}  // namespace deputy::gateway

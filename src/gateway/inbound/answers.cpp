#include "gateway/inbound/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/cards.h"
#include "gateway/inbound/forms.h"
#include "gateway/inbound/reach.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/start_run.h"
#include "gateway/outbound/delivery_rules.h"
#include "interaction/codes.h"
#include "interaction/text_form.h"
#include "policy/access.h"
#include "policy/persons.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {

namespace {

using channel::InboundAnswer;
using channel::Verdict;
using interaction::Action;
using interaction::Control;

constexpr std::string_view kUnknown = "This button or form is no longer valid. Please use the newest card.";

std::string digest_for(const Action& action, const InteractionId& id) {
  const auto found = std::ranges::find(action.on, id.text(), &interaction::Acted::interaction);
  return found == action.on.end() ? std::string() : found->digest;
}

ApprovalAnswer wish_of(const Action& action, const InteractionId& id, std::string reason) {
  switch (action.control) {
    case Control::approve_for_thread:
      return {true, interaction::Scope::for_thread, digest_for(action, id), {}};
    case Control::approve_once:
    case Control::approve_all:
      return {true, interaction::Scope::once, digest_for(action, id), {}};
    default:
      return {false, interaction::Scope::once, {}, std::move(reason)};
  }
}

// Nothing if the interaction no longer exists.
Task<Result<std::optional<AnswerResult>>> approve_one(InboundDependencies& parts, InteractionId id, ApprovalAnswer wish,
                                                      Answerer by) {
  CO_TRY(std::optional<store::InteractionRow> row, co_await find_interaction(parts, id));
  if (!row) co_return std::nullopt;
  co_return co_await answer_approval(parts, *std::move(row), std::move(wish), std::move(by));
}

// Each is answered on its own: one that is already settled or may not be approved does not block the others. Once one
// is approved, later errors become part of the verdict: returning an error would mean that nothing was approved.
Task<Result<AnswerResult>> approve_all(InboundDependencies& parts, Action action, Answerer by) {
  AnswerResult all;
  std::size_t approved = 0;
  std::vector<std::string> others;
  const auto tell_once = [&others](std::string words) {
    if (!contains(others, words)) others.push_back(std::move(words));
  };
  for (const interaction::Acted& one : action.on) {
    CO_TRY(const InteractionId id, InteractionId::parse(one.interaction));
    Result<std::optional<AnswerResult>> answered = co_await approve_one(parts, id, wish_of(action, id, {}), by);
    if (!answered) {
      if (approved == 0) co_return std::unexpected(answered.error());
      tell_once(sentence(answered.error()));
      continue;
    }
    std::optional<AnswerResult>& outcome = *answered;
    if (!outcome) continue;
    std::ranges::move(outcome->audit, std::back_inserter(all.audit));
    if (std::holds_alternative<channel::AnswerTaken>(outcome->verdict)) {
      ++approved;
    } else {
      tell_once(words_of(outcome->verdict));
    }
  }
  if (approved == 0) {
    all.verdict = channel::Refused{others.empty() ? std::string(kUnknown) : join(others, " ")};
  } else {
    others.insert(others.begin(), fmt::format("Approved {} of {}.", approved, action.on.size()));
    all.verdict = channel::AnswerTaken{join(others, " ")};
  }
  co_return all;
}

Task<Result<AnswerResult>> show_whole(InboundDependencies& parts, store::InteractionRow row,
                                      run::InteractionBody asking, std::string conversation) {
  if (!asking.approval) co_return AnswerResult{channel::Refused{"There is nothing more to show."}};
  CO_TRY(std::optional<channel::Card> card, co_await card_to_open(parts, row.id, std::move(conversation)));
  if (card) co_return AnswerResult{channel::OpenCard{*std::move(card)}};
  const interaction::ApprovalView view{*asking.approval, row.code, row.expires_at, {}};
  const interaction::Zone zone = zone_of(*parts.rules(), asking);
  co_return AnswerResult{
      channel::ShowText{interaction::approval_text(view, zone, interaction::Fold::nothing()).markdown}};
}

run::Received asks_again(const store::InteractionRow& row, const run::InteractionBody& asking,
                         const interaction::Approval& approval, const InboundAnswer& answer, std::string person) {
  const interaction::AskAgain wish = interaction::ask_again(row.id.text(), approval);
  run::Received received;
  received.text = fmt::format("Ask again for the approval that expired: use {} with exactly these arguments: {}{}",
                              wish.tool, json::serialize(wish.arguments), wish.background ? ", in the background" : "");
  received.requester = std::move(person);
  received.conversation = row.conversation;
  received.account = answer.sender.key();
  received.name = answer.sender_name;
  received.place = asking.place;
  if (asking.suspicious) received.suspicion = "the run that first asked for it was suspicious";
  return received;
}

// The new request belongs to the person who pressed the button, with their permissions. Pressing it again does nothing.
Task<Result<AnswerResult>> ask_again(InboundDependencies& parts, store::InteractionRow row, run::InteractionBody asking,
                                     InboundAnswer answer, std::string person) {
  if (!asking.approval || row.state != store::InteractionState::expired) {
    co_return AnswerResult{channel::Refused{"Only an expired approval can be asked for again."}};
  }
  const Timestamp at = parts.clock.now();
  // A card may also be shown elsewhere.
  channel::MessageRef sign = answer.conversation == row.conversation ? answer.view.value_or("") : "";
  run::Received received = asks_again(row, asking, *asking.approval, answer, person);
  CO_TRY(Beginning beginning, co_await begin_run(parts, std::move(received), std::move(sign), at));
  if (const auto* paused = std::get_if<Paused>(&beginning)) co_return AnswerResult{channel::Refused{paused->words}};
  auto& [run, effects, text, held_secret] = std::get<Begun>(beginning);
  effects.audit = {{.at = at, .kind = "asked_again", .person = person, .run = run.run, .digest = row.digest}};
  const store::ConsumedRow once{"ask_again:" + row.id.text(), row.conversation};
  CO_TRY(const store::Admitted admitted, co_await take_in(parts, once, std::move(run), std::move(effects)));
  const bool first = admitted.how == store::Admitted::How::routed;
  co_return AnswerResult{channel::AnswerTaken{first ? "Asked again." : "This was already asked again."}};
}

Task<Result<AnswerResult>> answer_one(InboundDependencies& parts, store::InteractionRow row, Action action,
                                      InboundAnswer answer, Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  const std::string person = policy::person_of(by.identity, rules->policy.settings).id;
  if (const Result<> may = policy::may_speak(by.identity, by.place, rules->policy.settings); !may) {
    co_return refuse(row, by, person, sentence(may.error()), parts.clock.now());
  }
  switch (action.control) {
    case Control::deny_with_reason:
      if (count_characters(answer.words) > interaction::kMaxReason) {
        co_return AnswerResult{channel::Refused{
            fmt::format("The reason is too long: use at most {} characters.", interaction::kMaxReason)}};
      }
      [[fallthrough]];
    case Control::approve_once:
    case Control::approve_for_thread:
    case Control::deny: {
      ApprovalAnswer wish = wish_of(action, row.id, to_valid_utf8(std::move(answer.words)));
      co_return co_await answer_approval(parts, row, std::move(wish), std::move(by));
    }
    case Control::approve_all:
      co_return co_await approve_all(parts, std::move(action), std::move(by));
    case Control::show_whole: {
      CO_TRY(run::InteractionBody asking, run::read_interaction_body(row));
      co_return co_await show_whole(parts, row, std::move(asking), answer.conversation);
    }
    case Control::ask_again: {
      CO_TRY(run::InteractionBody asking, run::read_interaction_body(row));
      co_return co_await ask_again(parts, row, std::move(asking), std::move(answer), person);
    }
    case Control::option:
    case Control::own_words:
    case Control::done:
    case Control::submit:
    case Control::skip:
    case Control::open_form:
      co_return co_await press_form(parts, row, std::move(action), std::move(answer), std::move(by));
  }
  co_return AnswerResult{channel::Refused{std::string(kUnknown)}};
}

// A click shows where its card stands. One whose arrival nobody knew of is looked for no longer, and is redrawn there.
Task<Result<>> adopt_card(InboundDependencies& parts, store::InteractionRow row, InboundAnswer answer) {
  if (!answer.view || answer.view->empty()) co_return Result<>{};
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  const Result<InteractionId> card = InteractionId::parse(asking.card);
  CO_TRY(const std::vector<store::DeliveryRow> views, co_await parts.store.views(card ? *card : row.id));
  const Timestamp at = parts.clock.now();
  for (const store::DeliveryRow& view : views) {
    const bool in_doubt = view.kind == run::CardDelivery::kKind && view.state == store::DeliveryState::unknown;
    if (!in_doubt || !is_shown_in(parts, view.conversation, answer.conversation, answer.place)) continue;
    const std::string ref = after_arrival(view, read_progress(view.ref), *answer.view, Remaining::nothing, at).ref;
    store::Effects effects;
    effects.adopted = {{view.id, ref}};
    if (row.state != store::InteractionState::pending) effects.deliveries = {redraw(row, asking, at)};
    const store::ConsumedRow once{"adopt:" + view.id.text(), row.conversation};
    CO_TRY((co_await take_in(parts, once, store::ToNobody{}, std::move(effects))));
  }
  co_return Result<>{};
}

}  // namespace

Task<Result<Verdict>> answer_click(InboundDependencies& parts, InboundAnswer answer,
                                   std::optional<policy::Identity> sender) {
  if (!interaction::is_token(answer.token)) co_return Verdict(channel::Refused{std::string(kUnknown)});
  Result<store::TokenMeaning> meaning = co_await parts.store.token(answer.token);
  if (!meaning) {
    if (meaning.error().kind != ErrorKind::not_found) co_return std::unexpected(meaning.error());
    co_return Verdict(channel::Refused{std::string(kUnknown)});
  }
  CO_TRY(Action action, interaction::read_action(meaning->body));
  if (const Result<> adopted = co_await adopt_card(parts, meaning->interaction, answer); !adopted)
    log::warning("a card in doubt could not be adopted", {{"error", describe(adopted.error())}});
  if (!sender) sender = co_await parts.people.who(answer.sender);
  Answerer by{
      .identity = *std::move(sender), .place = answer.place, .name = answer.sender_name, .message = std::nullopt};
  const store::ConsumedRow click{"click:" + answer.key, meaning->interaction.conversation};
  CO_TRY(AnswerResult outcome,
         co_await answer_one(parts, meaning->interaction, std::move(action), std::move(answer), std::move(by)));
  if (!outcome.audit.empty()) {
    store::Effects effects;
    effects.audit = std::move(outcome.audit);
    CO_TRY((co_await take_in(parts, click, store::ToNobody{}, std::move(effects))));
  }
  co_return std::move(outcome.verdict);
}

}  // namespace deputy::gateway

#include "gateway/outbound/deliveries.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/redirect_error.hpp>

#include "base/failpoint.h"
#include "base/log.h"
#include "gateway/outbound/delivery_parts.h"
#include "gateway/outbound/run_facts.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using channel::Message;
using store::DeliveryChange;
using store::DeliveryRow;
using store::DeliveryState;

constexpr std::chrono::seconds kAfterABug{30};
constexpr auto kPollBusy = 200ms;
constexpr auto kPollIdle = 1s;
// After this time without a delivery the store is polled less often.
constexpr auto kBusyFor = 30s;
constexpr int kMaxInARound = 64;
constexpr std::size_t kMaxFacts = 256;
// How long a stopping process waits for a channel, and how long it tries to record what it has sent.
constexpr auto kSendAtTheEnd = 2s;
constexpr auto kRecordAtTheEnd = 5s;

template <class Body>
Result<Body> body_of(const DeliveryRow& row) {
  TRY(const json::object object, parse_json_object(row.body));
  return parse_arguments<Body>(object);
}

// A card that also stands outside its own conversation, to reach those who may approve.
bool is_second_view(const DeliveryRow& view, const channel::Card& card) {
  return !card.conversation.empty() && view.conversation != card.conversation;
}

bool is_alert(const DeliveryRow& row) { return row.conversation == run::kAlertConversation; }

bool all_settled(const channel::Card& card) {
  return std::ranges::all_of(card.interactions, [](const channel::ShownInteraction& shown) {
    if (const auto* const approval = std::get_if<channel::ShownApproval>(&shown.what))
      return approval->settled.has_value();
    return std::get<channel::ShownQuestions>(shown.what).settled.has_value();
  });
}

std::string key_of(const DeliveryRow& row, std::size_t piece) {
  return piece == 0 ? row.id.text() : fmt::format("{}/{}", row.id.text(), piece + 1);
}

Attempt::SendForm form_of(const DeliveryPart& piece) {
  using Form = Attempt::SendForm;
  if (std::holds_alternative<Show>(piece.what)) return Form::card;
  const bool is_stream =
      std::holds_alternative<BeginStream>(piece.what) || std::holds_alternative<EndStream>(piece.what);
  return is_stream || std::holds_alternative<Edit>(piece.what) ? Form::edit : Form::message;
}

// Logs a part that was sent in another form, or not at all.
void note(const DeliveryRow& row, Attempted::How how, const Error& error) {
  if (how == Attempted::How::left_out)
    log::warning("a part of a delivery was skipped", {{"kind", row.kind}, {"error", describe(error)}});
  if (how == Attempted::How::as_text)
    log::warning("a card was refused; trying its text form", {{"error", describe(error)}});
}

// Nobody needs a card that is settled, but one in doubt may stand there with its buttons: it is found and redrawn.
DeliveryParts settled_card(const channel::Card& card, const DeliveryRow& row, const DeliveryProgress& progress,
                           const std::string& conversation, const channel::Capabilities& can) {
  DeliveryPart shown{conversation, Show{card}};
  const bool has_ref = progress.sent.size() == 1 && !progress.sent.front().empty();
  if (has_ref) return {std::move(shown), {conversation, Redraw{progress.sent.front(), card}, OnRefusal::if_possible}};
  const bool may_stand_there = progress.sent.empty() && row.state == DeliveryState::unknown && can.buttons &&
                               !progress.as_text && way_of(shown, can) != DoubtMethod::again;
  if (!may_stand_there) return {};
  // More than one part, so that finding it is not the end.
  return {shown, std::move(shown)};
}

// A later redraw of the same card waits behind it in the conversation, and will show all that this one would.
bool is_overtaken(const DeliveryRow& row, const run::RedrawDelivery& body, const std::vector<DeliveryRow>& views) {
  const auto own = std::ranges::find(views, row.id, &DeliveryRow::id);
  if (own == views.end()) return false;
  return std::any_of(own + 1, views.end(), [&](const DeliveryRow& later) {
    if (later.kind != run::RedrawDelivery::kKind || later.conversation != row.conversation) return false;
    const auto of = body_of<run::RedrawDelivery>(later);
    return later.state == DeliveryState::owed && of && of->card == body.card;
  });
}

// Operators are alerted if it cannot be delivered. Nobody has to act on a lost redraw or acknowledgement.
bool matters(const DeliveryRow& row) {
  return row.kind == run::AnswerDelivery::kKind || row.kind == run::NoticeDelivery::kKind ||
         row.kind == run::CardDelivery::kKind;
}

}  // namespace

Deliveries::Deliveries(const asio::any_io_executor& executor, store::Store& store, const Channels& channels,
                       CardSource& cards, const Clock& clock, DeliverySettings settings)
    : timer_(executor),
      store_(store),
      channels_(channels),
      cards_(cards),
      clock_(clock),
      settings_(std::move(settings)),
      last_busy_(clock.now()) {}

// ---- The loop.

Task<> Deliveries::run() {
  const auto executor = co_await asio::this_coro::executor;
  const auto cancelled = co_await asio::this_coro::cancellation_state;
  // Cancellation is checked here instead of thrown, so that every delivery that was taken is also performed.
  co_await asio::this_coro::throw_if_cancelled(false);
  while (cancelled.cancelled() == asio::cancellation_type::none) {
    woken_ = false;
    std::vector<DeliveryRow> rows = co_await take(settings_.at_once);
    for (DeliveryRow& row : rows) spawn(executor, "delivery", perform_and_tell(std::move(row)));
    if (!rows.empty()) last_busy_ = clock_.now();
    co_await wait();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  const auto stopped = std::chrono::steady_clock::now();
  patience_.end_at(stopped + kRecordAtTheEnd);
  while (!in_flight_.empty()) {
    if (std::chrono::steady_clock::now() - stopped > kSendAtTheEnd) {
      for (Cancel& call : calls_) call.emit();
    }
    woken_ = false;
    co_await wait();
  }
}

/// Awaits a call that ends, as one that timed out, when it is cancelled. It has a coroutine of its own: only the call
/// is cancelled, and its result is still recorded.
template <class T>
Task<Result<T>> Deliveries::until_stopped(Task<Result<T>> call) {
  const auto executor = co_await asio::this_coro::executor;
  const auto cancel = calls_.emplace(calls_.end(), executor);
  auto awaited = asio::bind_cancellation_slot(cancel->slot(), asio::use_awaitable);
  std::exception_ptr thrown;
  Result<T> result;
  try {
    result = co_await asio::co_spawn(executor, std::move(call), std::move(awaited));
  } catch (...) {
    thrown = std::current_exception();
  }
  calls_.erase(cancel);
  if (thrown) std::rethrow_exception(thrown);
  co_return result;
}

void Deliveries::wake() {
  woken_ = true;
  timer_.cancel();
}

Task<> Deliveries::wait() {
  if (woken_) co_return;
  const bool busy = !in_flight_.empty() || clock_.now() - last_busy_ < kBusyFor;
  timer_.expires_after(busy ? std::chrono::milliseconds(kPollBusy) : std::chrono::milliseconds(kPollIdle));
  boost::system::error_code ignored;
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

Task<std::vector<DeliveryRow>> Deliveries::take(int most) {
  Result<std::vector<DeliveryRow>> rows = co_await store_.take_deliveries(most, in_flight_);
  if (rows) {
    for (const DeliveryRow& row : *rows) ++in_flight_[std::string(channel::kind_of(row.conversation))];
    co_return *std::move(rows);
  }
  ++counts_.store_errors;
  log::error("deliveries could not be read from the store", {{"error", describe(rows.error())}});
  co_return std::vector<DeliveryRow>{};
}

Task<> Deliveries::run_dry() {
  for (;;) {
    std::vector<DeliveryRow> rows = co_await take(kMaxInARound);
    if (rows.empty()) co_return;
    for (DeliveryRow& row : rows) co_await perform_and_tell(std::move(row));
  }
}

Task<> Deliveries::perform_and_tell(DeliveryRow row) {
  std::exception_ptr thrown;
  try {
    co_await perform(row);
  } catch (...) {
    thrown = std::current_exception();
  }
  // It may or may not have been sent. That is resolved before anything later of the conversation is sent.
  if (thrown && !is_cancellation(thrown)) {
    const DeliveryChange in_doubt{row.id, DeliveryState::unknown, row.ref, clock_.now() + kAfterABug};
    co_await record(row, in_doubt, Error{ErrorKind::internal, what_of(thrown)});
  }
  const auto lane = in_flight_.find(channel::kind_of(row.conversation));
  if (--lane->second == 0) in_flight_.erase(lane);
  wake();
  if (thrown) std::rethrow_exception(thrown);
}

// ---- One delivery.

Task<> Deliveries::perform(DeliveryRow row) {
  const DeliveryProgress progress = read_progress(row.ref);
  if (is_alert(row) && settings_.alert_conversation.empty()) {
    log::error("an alert was not sent: no alert conversation is set", {{"body", row.body}});
    co_await record(row, {row.id, DeliveryState::sent, "", clock_.now()}, {});
    co_return;
  }
  if (is_alert(row) && is_told_already(row)) {
    co_await record(row, {row.id, DeliveryState::sent, "", clock_.now()}, {});
    co_return;
  }
  channel::Channel* const channel = channels_.of(is_alert(row) ? settings_.alert_conversation : row.conversation);
  if (channel == nullptr) {
    const Error error{ErrorKind::not_configured,
                      fmt::format("the channel of {} is not running here", row.conversation)};
    co_await record(row, put_off(row, progress, clock_.now()), error);
    co_return;
  }
  Result<DeliveryParts> pieces = co_await pieces_for(row, progress, *channel);
  if (!pieces) {
    const Error error = std::move(pieces).error();
    // Retrying does not help if the body cannot be read.
    const bool for_good = error.kind == ErrorKind::invalid_input;
    const DeliveryChange dead{row.id, DeliveryState::dead, write_progress(progress), clock_.now()};
    co_await record(row, for_good ? dead : put_off(row, progress, clock_.now()), error);
    co_return;
  }
  if (progress.sent.size() >= pieces->size()) {
    co_await record(row, {row.id, DeliveryState::sent, row.ref, clock_.now()}, {});
    co_return;
  }
  co_await attempt(std::move(row), progress, *std::move(pieces));
}

Task<Result<DeliveryParts>> Deliveries::pieces_for(DeliveryRow row, DeliveryProgress progress,
                                                   const channel::Channel& channel) {
  const std::string conversation = is_alert(row) ? settings_.alert_conversation : row.conversation;
  const channel::Capabilities can = channel.capabilities_in(conversation);
  if (row.kind == run::AcknowledgementDelivery::kKind) {
    CO_TRY(const auto body, body_of<run::AcknowledgementDelivery>(row));
    co_return pieces_of(body, progress.as_post ? Drawn::text : Drawn::card, conversation, can);
  }
  if (row.kind == run::RestartDelivery::kKind) {
    CO_TRY(const auto body, body_of<run::RestartDelivery>(row));
    CO_TRY(const std::optional<channel::MessageRef> stream, co_await stream_before(store_, row));
    if (!stream || !keeps_streams(can)) co_return DeliveryParts{};
    co_return pieces_of(body, progress.as_post ? Drawn::text : Drawn::card, *stream, conversation);
  }
  if (row.kind == run::NoticeDelivery::kKind) {
    CO_TRY(auto body, body_of<run::NoticeDelivery>(row));
    CO_TRY(const channel::Hosts known, co_await hosts_for(row, body.known_hosts));
    body.text = channel::make_safe(body.text, known);
    co_return pieces_of(body, conversation, can);
  }
  if (row.kind == run::AnswerDelivery::kKind) {
    CO_TRY(const auto body, body_of<run::AnswerDelivery>(row));
    CO_TRY(AnswerFacts facts, co_await facts_for(row, body.known_hosts));
    if (facts.acknowledged && progress.as_post) {
      facts.acknowledged->is_last = false;
      if (auto& stream = facts.acknowledged->stream) facts.acknowledged->line = std::exchange(stream, std::nullopt);
    }
    co_return pieces_of(body, conversation, can, facts.known, facts.acknowledged, row.run);
  }
  if (row.kind == run::CardDelivery::kKind) {
    CO_TRY(const auto body, body_of<run::CardDelivery>(row));
    if (!row.interaction) co_return fail(ErrorKind::invalid_input, "the card delivery names no interaction");
    CO_TRY(std::optional<channel::Card> card, co_await cards_.card(*row.interaction));
    if (!card) co_return DeliveryParts{};
    if (all_settled(*card)) co_return settled_card(*card, row, progress, conversation, can);
    card->was_away = card->was_away || body.was_away;
    DeliveryParts pieces = pieces_of(*card, progress.as_text ? Drawn::text : Drawn::card, conversation, can);
    // In another conversation its redraw may overtake it: it is looked at once more when it stands there.
    const bool is_elsewhere = is_second_view(row, *card);
    if (is_elsewhere && progress.sent.size() < pieces.size()) pieces.push_back(pieces.back());
    co_return pieces;
  }
  if (row.kind == run::RedrawDelivery::kKind) {
    CO_TRY(const auto body, body_of<run::RedrawDelivery>(row));
    co_return co_await redraws(std::move(row), body);
  }
  co_return fail(ErrorKind::invalid_input, fmt::format("there is no delivery of kind {}", row.kind));
}

// Read once, however many parts and attempts follow.
Task<Result<AnswerFacts>> Deliveries::facts_for(DeliveryRow row, std::optional<std::vector<std::string>> owed) {
  if (const auto found = facts_.find(row.id); found != facts_.end()) co_return found->second;
  AnswerFacts facts;
  CO_TRY(facts.known, co_await hosts_for(row, std::move(owed)));
  CO_TRY(facts.acknowledged, co_await acknowledgement_of(store_, row));
  if (facts_.size() >= kMaxFacts) facts_.clear();
  facts_.insert_or_assign(row.id, facts);
  co_return facts;
}

// The hosts of its run and of settings.
Task<Result<channel::Hosts>> Deliveries::hosts_for(DeliveryRow row, std::optional<std::vector<std::string>> owed) {
  channel::Hosts known;
  if (owed) {
    known.insert(owed->begin(), owed->end());
  } else if (row.run) {
    CO_TRY(known, co_await hosts_of_run(store_, *row.run));
  }
  known.insert(settings_.known_hosts.begin(), settings_.known_hosts.end());
  co_return known;
}

Task<Result<DeliveryParts>> Deliveries::redraws(DeliveryRow row, run::RedrawDelivery body) {
  const Result<InteractionId> id = InteractionId::parse(body.card);
  if (!id) co_return fail(ErrorKind::invalid_input, "the redraw delivery names no valid interaction");
  CO_TRY(const std::optional<channel::Card> card, co_await cards_.card(*id));
  if (!card) co_return DeliveryParts{};
  CO_TRY(const std::vector<DeliveryRow> views, co_await store_.views(*id));
  if (read_progress(row.ref).sent.empty() && is_overtaken(row, body, views)) {
    ++counts_.overtaken;
    co_return DeliveryParts{};
  }
  DeliveryParts all;
  for (const DeliveryRow& view : views) {
    const channel::Channel* const channel = channels_.of(view.conversation);
    const auto refs = refs_of(view.ref);
    const bool stands_there = view.state == DeliveryState::sent || is_second_view(view, *card);
    const bool seen = view.kind == run::CardDelivery::kKind && stands_there && !refs.empty();
    if (!seen || channel == nullptr) continue;
    std::ranges::move(redraw_pieces(*card, refs, view.conversation, channel->capabilities()), std::back_inserter(all));
  }
  co_return all;
}

Task<> Deliveries::attempt(DeliveryRow row, DeliveryProgress progress, DeliveryParts pieces) {
  const std::size_t index = progress.sent.size();
  DeliveryPart piece = std::move(pieces[index]);
  const Remaining left = index + 1 == pieces.size() ? Remaining::nothing : Remaining::more;
  channel::Channel& channel = *channels_.of(piece.conversation);
  const DoubtMethod way = way_of(piece, channel.capabilities());

  progress.stream = std::holds_alternative<BeginStream>(piece.what);
  const NextSend doing = next_for(row, progress, way);
  if (doing == NextSend::wait) {
    co_await record(row, wait_to_look(row, progress, clock_.now()), {});
    co_return;
  }
  if (doing == NextSend::look) {
    const DeliveryChange looked = co_await look(row, std::move(progress), piece, left, channel);
    const bool lost = looked.state == DeliveryState::dead;
    co_await record(row, looked,
                    lost ? Error{ErrorKind::upstream, "it was sent but cannot be found in the channel"} : Error{});
    co_return;
  }

  if (Message* message = message_of(piece)) {
    message->run = row.run;
    const bool may_be_shown = message->kind == Message::Kind::answer || message->was_shown;
    message->was_shown = may_be_shown && live_ != nullptr && row.run && live_->take_shown(*row.run);
  }
  if (live_ != nullptr) co_await live_->flush(piece.conversation);
  failpoint("gateway.delivery.before_send");
  const Attempt attempt{way, form_of(piece), piece.need, left};
  if (way == DoubtMethod::first_line) piece = in_two_steps(std::move(piece), progress.first_line);
  const bool in_doubt = row.state == DeliveryState::unknown;
  Task<Result<channel::MessageRef>> sending = send(std::move(piece), key_of(row, index), in_doubt, channel);
  const Result<channel::MessageRef> sent = co_await until_stopped(std::move(sending));
  failpoint("gateway.delivery.after_send");
  const Attempted ended = after_attempt(row, std::move(progress), attempt, sent, clock_.now());
  if (ended.how == Attempted::How::as_text) ++counts_.cards_as_text;
  if (!sent) note(row, ended.how, sent.error());
  const bool goes_on = sent || ended.how == Attempted::How::left_out;
  co_await record(row, ended.change, goes_on ? Error{} : sent.error());
}

Task<DeliveryChange> Deliveries::look(DeliveryRow row, DeliveryProgress progress, DeliveryPart piece, Remaining left,
                                      channel::Channel& channel) {
  const std::string key = key_of(row, progress.sent.size());
  using Found = std::optional<channel::MessageRef>;
  const Result<Found> found = co_await until_stopped(bounded(channel.find(piece.conversation, key)));
  if (!found) co_return put_off(row, progress, clock_.now());
  if (const auto& ref = *found) co_return after_arrival(row, progress, *ref, left, clock_.now());
  co_return after_looking(row, progress, clock_.now());
}

Task<Result<channel::MessageRef>> Deliveries::send(DeliveryPart piece, channel::DeliveryKey key, bool in_doubt,
                                                   channel::Channel& channel) {
  const std::string conversation = piece.conversation;
  Result<channel::MessageRef> sent = co_await send_piece(piece, key, channel);
  const bool refused = !sent && failure_of(sent.error()) == Failure::for_good;
  if (!refused) co_return sent;
  // The message may not be a card: edit the text form into it.
  if (auto* const redraw = std::get_if<Redraw>(&piece.what); redraw != nullptr && channel.capabilities().edit) {
    channel::Message message{.markdown = text_of(redraw->card), .mention = std::nullopt, .footer = "", .key = ""};
    co_return co_await send_piece({conversation, Edit{redraw->ref, std::move(message)}}, std::move(key), channel);
  }
  // A stream ends once: by an attempt whose result is not known, or by the platform itself.
  if (auto* const end = std::get_if<EndStream>(&piece.what)) {
    const channel::MessageRef ref = end->ref;
    const bool has_ended = sent.error().kind == ErrorKind::conflict;
    if (channel.capabilities().edit)
      co_return co_await send_piece({conversation, Edit{ref, std::move(end->message)}}, std::move(key), channel);
    if (in_doubt && has_ended) co_return ref;
  }
  co_return sent;
}

Task<> Deliveries::record(DeliveryRow row, DeliveryChange change, Error error) {
  if (change.state == DeliveryState::sent) ++counts_.sent;
  if (change.state == DeliveryState::sent || change.state == DeliveryState::dead) facts_.erase(row.id);
  if (change.state == DeliveryState::unknown) ++counts_.in_doubt;
  const bool waits = change.state == DeliveryState::owed && !error.message.empty();
  if (waits) ++(error.kind == ErrorKind::rate_limit ? counts_.rate_limited : counts_.tried_again);
  if (change.state == DeliveryState::dead) {
    ++counts_.dead;
    co_await tell_of_death(row, std::move(error));
  }
  failpoint("gateway.delivery.before_record");
  // Until the change is recorded nothing later of its conversation is sent, so retry as long as this process works. If
  // the process ends first, the row stays `sending` and the next process treats it as in doubt, which is correct. A
  // conflict means that the delivery no longer belongs to this process.
  const auto again = [&](const Error& why) {
    if (why.kind == ErrorKind::conflict) return false;
    ++counts_.store_errors;
    return true;
  };
  const Result<> recorded = co_await patience_.ask<void>([&] { return store_.change_delivery(change); }, again);
  if (!recorded) {
    log::error("the result of a delivery could not be recorded",
               {{"delivery", row.id.text()}, {"error", describe(recorded.error())}});
  }
  if (live_ == nullptr) co_return;
  const bool holds_message = row.kind == run::AcknowledgementDelivery::kKind || row.kind == run::RestartDelivery::kKind;
  if (holds_message && row.run && change.state == DeliveryState::sent) live_->on_delivered(*row.run);
  live_->tell();
}

// ---- Deliveries that are given up.

Task<> Deliveries::tell_of_death(DeliveryRow row, Error error) {
  log::error("a delivery was given up", {{"delivery", row.id.text()},
                                         {"kind", row.kind},
                                         {"conversation", row.conversation},
                                         {"error", describe(error)}});
  if (is_alert(row)) {
    ++counts_.alerts_lost;
    co_return;
  }
  if (!matters(row)) co_return;
  std::string what = row.kind == run::CardDelivery::kKind ? "a question" : "a message";
  if (row.kind == run::AnswerDelivery::kKind) what = "my answer";
  const std::string of_run = row.run ? fmt::format(" for run `{}`", row.run->text()) : "";
  std::string words = fmt::format("I could not post {}{}: {}", what, of_run, describe(error));
  const bool told = co_await whisper_of_death(row, words);
  if (told) co_return;
  words += fmt::format(" It was for `{}`.", row.conversation);
  if (settings_.admit_alert && !settings_.admit_alert(words)) co_return;
  co_await alert(std::move(words));
}

Task<bool> Deliveries::alert(std::string text) {
  const std::string conversation = settings_.alert_conversation;
  channel::Channel* const alerts = channels_.of(conversation);
  if (alerts == nullptr) {
    ++counts_.alerts_lost;
    co_return false;
  }
  channel::Message message{.markdown = std::move(text), .mention = std::nullopt, .footer = "", .key = ""};
  Task<Result<channel::MessageRef>> posting = bounded(alerts->post(conversation, std::move(message)));
  const Result<channel::MessageRef> heard = co_await until_stopped(std::move(posting));
  if (heard) co_return true;
  ++counts_.alerts_lost;
  log::error("an alert could not be posted", {{"error", describe(heard.error())}});
  co_return false;
}

// Only before its first attempt: one that failed or is in doubt has been admitted already.
bool Deliveries::is_told_already(const DeliveryRow& row) const {
  if (!settings_.admit_alert || row.state != DeliveryState::sending || row.attempts > 1 || !row.ref.empty())
    return false;
  const auto body = body_of<run::NoticeDelivery>(row);
  return body && !settings_.admit_alert(body->text);
}

// Tells the requester privately. Only answers name one; for cards and notices the operators are alerted instead.
Task<bool> Deliveries::whisper_of_death(DeliveryRow row, std::string words) {
  channel::Channel* const channel = channels_.of(row.conversation);
  const auto body = row.kind == run::AnswerDelivery::kKind ? body_of<run::AnswerDelivery>(row)
                                                           : fail(ErrorKind::not_found, "it has no account");
  const std::size_t colon = body ? body->account.find(':') : std::string::npos;
  if (channel == nullptr || colon == std::string::npos) co_return false;
  const policy::Account account{body->account.substr(0, colon), body->account.substr(colon + 1)};
  channel::Message message{.markdown = std::move(words), .mention = std::nullopt, .footer = "", .key = ""};
  Task<Result<>> whispering = bounded(channel->whisper(row.conversation, account, std::move(message)));
  const Result<> whispered = co_await until_stopped(std::move(whispering));
  co_return whispered.has_value();
}

}  // namespace deputy::gateway

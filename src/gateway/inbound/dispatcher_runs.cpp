// The part of the dispatcher that starts runs: for a request, for one that was missed, and for an alert.
#include <fmt/format.h>

#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/dispatcher.h"
#include "gateway/inbound/missed.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/start_run.h"
#include "run/journal/delivery.h"
#include "run/journal/stored_rows.h"
#include "run/prompt/enrich.h"

namespace deputy::gateway {

namespace {

using channel::InboundMessage;

constexpr std::string_view kAboutThread =
    "(A mention without words: it is about what stands right before it in this thread.)";
constexpr std::string_view kAboutFiles = "(No words: the request is about the attached files.)";
constexpr std::size_t kMaxTitle = 60;
constexpr std::chrono::seconds kMaxSetTitle{10};

Task<> set_title_within(channel::Channel& channel, std::string conversation, std::string title) {
  const Result<> set =
      co_await with_timeout<void>(kMaxSetTitle, channel.set_title(std::move(conversation), std::move(title)));
  if (!set) log::debug("a thread got no title", {{"error", describe(set.error())}});
}

}  // namespace

run::Received Dispatcher::request_by(const MessageContext& here) const {
  const Facts& facts = here.facts();
  run::Received received;
  received.requester = facts.person;
  received.conversation = here.message.conversation;
  received.account = facts.account;
  received.name = here.message.sender_name;
  received.place = run::write_place(here.message.place);
  if (!here.sender.time_zone.empty()) received.time_zone = here.sender.time_zone;
  return received;
}

// A request that nobody sees is posted first, so that its run has something to answer below; without the secrets that
// only its writer saw so far. A crash right after that leaves a line without an answer; asking again is safe.
Task<Result<Dispatched>> Dispatcher::post_and_start(Here here) {
  channel::Channel* const channel = parts_.channels.of(here->message.conversation);
  if (channel == nullptr) co_return fail(ErrorKind::internal, "the channel of the request is gone");
  // No run has this text yet, so its secrets get marks of their own.
  CO_TRY(CleanText shown, co_await keep(here->message.text, parts_.redaction.of(RunId::make(here->facts().now))));
  const Result<channel::PostedRequest> posted =
      co_await channel->post_request(here->message.conversation, here->message.sender, std::move(shown.text));
  if (!posted) {
    if (posted.error().retryable) co_return std::unexpected(posted.error());
    co_return co_await say_privately(here, sentence(posted.error()), {});
  }
  InboundMessage message = here->message;
  message.unposted = false;
  message.begins_thread = message.conversation != posted->conversation;
  message.conversation = posted->conversation;
  message.ref = posted->ref;
  co_return co_await dispatch(std::move(message), here->sender);
}

Task<Result<Dispatched>> Dispatcher::act(StartRun decision, Here here) {
  const InboundMessage& message = here->message;
  if (message.unposted) co_return co_await post_and_start(std::move(here));
  run::Received received = request_by(*here);
  received.text = here->facts().text;
  if (trim(received.text).empty()) received.text = message.files.empty() ? kAboutThread : kAboutFiles;
  if (!message.piped.empty()) received.piped = message.piped;
  if (!message.ref.empty()) received.request = message.ref;
  received.asked_at = message.at;
  if (message.begins_thread) received.begins_thread = true;
  received.files = files_of(message);
  if (!decision.pending.empty()) received.pending = std::move(decision.pending);
  store::Effects effects;
  if (message.missed) {
    effects.deliveries = {notice(away_words(zone_of(*here), *message.missed), message.conversation, here->facts().now)};
  }
  co_return co_await start(std::move(here), std::move(received), std::move(effects));
}

Task<Result<Dispatched>> Dispatcher::start(Here here, run::Received received, store::Effects effects) {
  const Facts& facts = here->facts();
  const InboundMessage& message = here->message;
  CO_TRY(Beginning beginning, co_await begin_run(parts_, std::move(received), message.ref, facts.now));
  if (const auto* paused = std::get_if<Paused>(&beginning)) {
    CO_TRY(Dispatched said, co_await say(here, paused->words));
    said.not_accepted.why = NotAccepted::Why::paused;
    co_return said;
  }
  auto& begun = std::get<Begun>(beginning);
  effects.add(std::move(begun.effects));
  effects.audit.push_back(audit("requested", facts, message, begun.row.run));
  if (message.stays_here) begun.row.home = parts_.store.instance();
  const RunId run = begun.row.run;
  CO_TRY(const How how, co_await admit(here, std::move(begun.row), std::move(effects)));
  if (how == How::routed && begun.held_secret) co_await warn_of_secret(here);
  if (how == How::routed && message.begins_thread) co_await set_title(here, std::move(begun.text));
  co_return taken_by(run, how);
}

Task<> Dispatcher::set_title(Here here, std::string request) {
  channel::Channel* const channel = parts_.channels.of(here->message.conversation);
  if (channel == nullptr || !channel->capabilities().titles) co_return;
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "title",
        set_title_within(*channel, here->message.conversation, cut_with_mark(trim(request), kMaxTitle)));
}

Task<Result<Dispatched>> Dispatcher::act(AskWhetherToRun, Here here) {
  const InboundMessage& message = here->message;
  const Timestamp now = here->facts().now;
  // No run has this text yet, so its secrets get marks of their own.
  CO_TRY(CleanText kept, co_await keep(message.text, parts_.redaction.of(RunId::make(now))));
  store::MarkRow missed = keep_missed(message, std::move(kept.text), here->facts().person, now);
  Button run_it = make_button("Run it now", {std::string(kRunNow), missed.key}, missed);
  run::NoticeDelivery late{late_words(zone_of(*here), message.missed.value_or(channel::Absence{}), message.at)};
  late.controls = {std::move(run_it.control)};
  store::Effects effects;
  effects.marks = {std::move(missed), std::move(run_it.mark)};
  effects.audit = {audit("request_missed", here->facts(), message)};
  effects.deliveries = {run::owe(late, message.conversation, now)};
  CO_TRY(Dispatched said, co_await admit(here, store::ToNobody{}, std::move(effects)));
  said.not_accepted.message = std::move(late.text);
  co_return said;
}

// It becomes the request of the person who wants it run, with their permissions.
Task<Result<Dispatched>> Dispatcher::run_missed(Here here, std::optional<std::string> key) {
  store::MarkFilter filter{.kind = std::string(kMissedMark)};
  if (key) {
    filter.keys = {*std::move(key)};
  } else {
    filter.conversation = here->message.conversation;
  }
  CO_TRY(const std::vector<store::MarkRow> marks, co_await parts_.store.marks(std::move(filter)));
  if (marks.empty()) co_return co_await say(here, "There is no missed request here.");
  CO_TRY(MissedRequest missed, read_missed(marks.front()));
  run::Received received = request_by(*here);
  received.text = trim(missed.text).empty() ? std::string(missed.files ? kAboutFiles : kAboutThread) : missed.text;
  if (!missed.ref.empty()) received.request = missed.ref;
  if (missed.begins_thread) received.begins_thread = true;
  received.files = std::move(missed.files);
  store::Effects effects;
  effects.marks_ended = {{marks.front().kind, marks.front().key}};
  // Said twice at the same moment it still starts one run.
  effects.consumed = {{"run_now:" + marks.front().key, here->message.conversation}};
  if (marks.size() > 1) {
    effects.deliveries = {notice(fmt::format("{} here: write *run it now* again for the next.",
                                             count_of(std::ssize(marks) - 1, "more missed request")),
                                 here->message.conversation, here->facts().now)};
  }
  co_return co_await start(here, std::move(received), std::move(effects));
}

// The same as writing the words; *Run it now* is for the one request that the button stands under.
Task<Result<channel::Verdict>> Dispatcher::press(channel::InboundAnswer answer, store::MarkRow control) {
  InboundMessage message;
  message.key = "click:" + answer.key;
  message.conversation = control.conversation;
  message.place = answer.place;
  message.sender = answer.sender;
  message.sender_name = answer.sender_name;
  CO_TRY(const ButtonWords button, read_button(control));
  message.text = button.words;
  message.ref = answer.view.value_or("");
  message.at = parts_.clock.now();
  const policy::Identity sender = co_await parts_.people.who(message.sender);
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(store::ConversationRow conversation, co_await parts_.store.conversation(message.conversation));
    CO_TRY(RoutingInput gathered, co_await gather(parts_, message, std::move(conversation), sender));
    if (gathered.facts.why_no_access) co_return channel::Verdict(channel::Refused{*gathered.facts.why_no_access});
    const Here here = std::make_shared<const MessageContext>(message, sender, std::move(gathered));
    const std::optional<Command> command = read_command(button.words);
    if (!command) co_return fail(ErrorKind::internal, "the button means nothing");
    const bool runs_missed = command->kind == Command::Kind::run_now;
    Task<Result<Dispatched>> acting = runs_missed ? run_missed(here, button.about) : act(*command, here);
    CO_TRY(const Dispatched done, co_await std::move(acting));
    if (done.how == How::moved) continue;
    if (runs_missed && !done.run) co_return channel::Verdict(channel::Refused{done.not_accepted.message});
    co_return channel::Verdict(channel::AnswerTaken{done.run ? "Started." : done.not_accepted.message});
  }
  co_return std::unexpected(too_busy());
}

std::optional<policy::Account> Dispatcher::alerting_bot(const InboundMessage& message) const {
  const bool is_for_us = message.spoken == channel::AddressedTo::to_deputy;
  if (message.kind != channel::InboundKind::posted || is_for_us) return std::nullopt;
  const std::shared_ptr<const run::Rules> rules = parts_.rules();
  const policy::Settings& settings = rules->policy.settings;
  if (!policy::rules_at(message.place, settings).triage) return std::nullopt;
  const std::vector<std::string>& bots = settings.access.bots;
  for (const policy::Account& account : {message.sender, message.bot.value_or(message.sender)}) {
    if (contains(bots, account.id) || contains(bots, account.key())) return account;
  }
  return std::nullopt;
}

Task<Result<Dispatched>> Dispatcher::take_alert(InboundMessage message, store::ConversationRow conversation) {
  policy::Identity sender = co_await parts_.people.who(message.sender);
  if (message.bot) sender.bot = true;
  CO_TRY(RoutingInput gathered, co_await gather(parts_, message, std::move(conversation), sender));
  if (!sender.bot || gathered.facts.why_no_access || gathered.facts.muted_until) co_return Dispatched();
  const Here here = std::make_shared<const MessageContext>(message, std::move(sender), std::move(gathered));
  const Timestamp now = here->facts().now;

  const Alert alert = read_alert(message.text, run::vocabulary_of(*parts_.rules(), {}, now));
  const std::string key = triage_key(message.place, alert);
  CO_TRY(const std::vector<store::MarkRow> marks, co_await parts_.store.marks({std::string(kTriageMark), {key}}));
  TriageState state;
  if (!marks.empty()) {
    CO_TRY(state, read_triage(marks.front()));
  }
  const Result<RunId> newest = RunId::parse(state.run);
  bool is_active = false;
  if (newest) {
    CO_TRY(const std::vector<store::RunRow> rows, co_await parts_.store.runs({.run = *newest}));
    is_active = !rows.empty() && rows.front().state != store::RunStatus::finished;
  }
  std::string thread = thread_of(alert, state, is_active);
  const TriageDecision decision = triage(alert, message.conversation, state, is_active, now);
  store::Effects effects;
  // Of two alerts at once only one finds the state unchanged; the other is decided again.
  effects.consumed = {{fmt::format("triage:{}:{}", key, state.changes), message.conversation}};
  if (std::holds_alternative<Investigate>(decision)) {
    co_return co_await investigate(here, key, std::move(state), std::move(effects));
  }
  effects.marks = {write_triage(key, state, now)};
  CO_TRY(co_await keep_resolved(std::move(thread), alert, here, effects));
  if (std::holds_alternative<TellRun>(decision) && newest) {
    run::Noted noted;
    CO_TRY(CleanText kept, co_await keep(message.text, parts_.redaction.of(*newest)));
    noted.text = std::move(kept.text);
    noted.writer = here->facts().person;
    noted.account = here->facts().account;
    noted.name = message.sender_name;
    effects.audit = {audit("noted", here->facts(), message, *newest)};
    CO_TRY(const How how, co_await admit(here, store::MailRow{*newest, run::encode(noted, now)}, std::move(effects)));
    co_return taken_by(*newest, how);
  }
  const auto* counted = std::get_if<CountAlert>(&decision);
  if (counted != nullptr && !counted->line.empty()) {
    effects.deliveries.push_back(notice(counted->line, counted->conversation, now));
  }
  CO_TRY(const How how, co_await admit(here, store::ToNobody{}, std::move(effects)));
  co_return how;
}

Task<Result<>> Dispatcher::keep_resolved(std::string thread, const Alert& alert, Here here, store::Effects& effects) {
  if (thread.empty()) co_return Result<>{};
  const store::MarkKey key{std::string(kResolvedMark), thread};
  CO_TRY(const std::vector<store::MarkRow> before, co_await parts_.store.marks({key.kind, {key.key}}));
  if (alert.is_resolved != before.empty()) co_return Result<>{};
  CO_TRY(const store::ConversationRow conversation, co_await parts_.store.conversation(thread));
  if (alert.is_resolved) {
    effects.marks.push_back({.kind = key.kind,
                             .key = key.key,
                             .conversation = thread,
                             .run = conversation.newest_run,
                             .at = here->message.at});
  } else {
    effects.marks_ended.push_back(key);
  }
  std::vector<std::string> redrawn;
  for (const InteractionId& id : conversation.pending) {
    CO_TRY(const std::optional<store::InteractionRow> row, co_await find_interaction(parts_, id));
    if (!row || row->state != store::InteractionState::pending) continue;
    CO_TRY(const run::InteractionBody asking, run::read_interaction_body(*row));
    if (!asking.approval || contains(redrawn, asking.card)) continue;
    redrawn.push_back(asking.card);
    effects.deliveries.push_back(redraw(*row, asking, here->facts().now));
  }
  co_return Result<>{};
}

// For the bot itself, which may use read tools only. Everyone in the thread is heard from here on.
Task<Result<Dispatched>> Dispatcher::investigate(Here here, std::string key, TriageState state,
                                                 store::Effects effects) {
  const Facts& facts = here->facts();
  run::Received received = request_by(*here);
  received.text = fmt::format("Investigate this alert: what is wrong, since when, and what is the likely cause?\n\n{}",
                              here->message.text);
  if (!here->message.ref.empty()) received.request = here->message.ref;
  if (here->message.begins_thread) received.begins_thread = true;
  received.files = files_of(here->message);
  received.reads_only = true;
  CO_TRY(Beginning beginning, co_await begin_run(parts_, std::move(received), here->message.ref, facts.now));
  if (std::holds_alternative<Paused>(beginning)) co_return Dispatched();
  auto& begun = std::get<Begun>(beginning);
  const RunId run = begun.row.run;
  state.run = run.text();
  const std::string& thread = here->message.conversation;
  store::MarkRow listening{
      .kind = std::string(kListenMark), .key = thread, .conversation = thread, .run = run, .at = facts.now};
  Button stop = make_button("Stop listening", {std::string(kStopListening)}, listening);
  run::NoticeDelivery first{std::string(kListening)};
  first.controls = {std::move(stop.control)};
  effects.deliveries.push_back(run::owe(first, thread, facts.now, run));
  effects.marks.push_back(std::move(listening));
  effects.marks.push_back(std::move(stop.mark));
  effects.add(std::move(begun.effects));
  effects.marks.push_back(write_triage(std::move(key), state, facts.now));
  effects.audit.push_back(audit("alert_investigated", facts, here->message, run));
  CO_TRY(const How how, co_await admit(here, std::move(begun.row), std::move(effects)));
  co_return taken_by(run, how);
}

}  // namespace deputy::gateway

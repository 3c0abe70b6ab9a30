#include "gateway/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <deque>
#include <set>

#include "base/text.h"
#include "gateway/inbound/answers.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/forms.h"
#include "gateway/inbound/start_run.h"
#include "policy/access.h"
#include "policy/approvers.h"
#include "policy/persons.h"
#include "run/drive/visibility.h"
#include "run/journal/fold.h"
#include "run/journal/stored_rows.h"
#include "run/plan/prepare.h"

namespace deputy::gateway {

namespace {

bool is_finished(const store::RunRow& run) { return run.state == store::RunStatus::finished; }

bool is_over(const store::DeliveryRow& delivery) {
  return delivery.state == store::DeliveryState::sent || delivery.state == store::DeliveryState::dead;
}

std::unexpected<Error> has_been_forgotten(RunId run) {
  return fail(ErrorKind::not_found, fmt::format("the text of run {} has been forgotten", run.text()),
              fmt::format("`deputy audit --run {}` still shows who did what", run.text()));
}

Task<Result<run::RunState>> state_in(std::vector<store::EntryRow> journal, RunId run) {
  Result<run::RunState> state = co_await run::read_state(std::move(journal));
  if (!state) co_return std::unexpected(cannot_be_read(run, state.error()));
  if (!state->received)
    co_return fail(ErrorKind::internal, fmt::format("the journal of run {} does not start with a request", run.text()));
  co_return state;
}

// The run itself first, then all runs below it.
Task<Result<std::vector<store::RunRow>>> family_of(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::RunRow> family, co_await store.runs({.run = run}));
  if (family.empty()) co_return fail(ErrorKind::not_found, fmt::format("run {} no longer exists", run.text()));
  for (std::size_t i = 0; i < family.size(); ++i) {
    store::RunFilter children;
    children.parent = family[i].run;
    children.most = 1000;
    CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(std::move(children)));
    family.insert(family.end(), rows.rbegin(), rows.rend());
  }
  co_return family;
}

Task<Result<bool>> all_is_delivered(store::Store& store, std::vector<store::RunRow> runs) {
  for (const store::RunRow& run : runs) {
    CO_TRY(const std::vector<store::DeliveryRow> owed, co_await store.deliveries({.run = run.run}));
    if (!std::ranges::all_of(owed, is_over)) co_return false;
  }
  co_return true;
}

Ended end_of(const RunView& view) {
  Ended ended{.outcome = view.row.outcome, .answer = {}, .calls = {}};
  if (view.state.replied) ended.answer = view.state.replied->text;
  ended.is_one_call = view.state.request().only_call.has_value();
  for (const auto& [id, call] : view.state.calls) {
    const bool denied = (call.ruling() != nullptr && call.ruling()->verdict == run::Verdict::deny) ||
                        (call.finished && call.finished->status == run::CallStatus::denied);
    ended.calls.push_back(
        {id, call.request.tool, call.finished ? std::optional(call.finished->status) : std::nullopt, denied});
  }
  return ended;
}

Error cannot_move(RunId run) {
  return {ErrorKind::internal, fmt::format("run {} cannot go on; the log says why", run.text()),
          fmt::format("`deputy runs show {0}` shows how far it came, `deputy runs cancel {0}` ends it", run.text())};
}

std::set<InteractionId> waiting_on(const std::vector<channel::Card>& cards) {
  std::set<InteractionId> waiting;
  for (const channel::Card& card : cards) {
    for (const channel::ShownInteraction& shown : card.interactions) {
      if (!is_settled(shown)) waiting.insert(shown.id);
    }
  }
  return waiting;
}

// `rows` are newest first.
Task<Result<std::vector<channel::Card>>> cards_of(CardSource& source, std::vector<store::InteractionRow> rows) {
  std::vector<channel::Card> cards;
  std::set<InteractionId> drawn;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (drawn.contains(row->id)) continue;
    CO_TRY(std::optional<channel::Card> card, co_await source.card(row->id));
    if (!card) continue;
    for (const channel::ShownInteraction& shown : card->interactions) drawn.insert(shown.id);
    cards.push_back(*std::move(card));
  }
  co_return cards;
}

std::string key_for(const channel::ConversationKey& conversation, std::string key, Timestamp now) {
  return fmt::format("{}:{}", conversation, key.empty() ? Ulid::make(now).text() : std::move(key));
}

}  // namespace

// ---- Reading.

Error cannot_be_read(RunId run, Error why) {
  why.message = fmt::format("run {} cannot be read: {}", run.text(), why.message);
  return why;
}

Task<Result<store::RunRow>> find_run(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::RunRow> rows, co_await store.runs({.run = run}));
  if (rows.empty())
    co_return fail(ErrorKind::not_found, fmt::format("there is no run {}", run.text()),
                   "`deputy runs list` lists the runs");
  if (rows.front().forgotten) co_return has_been_forgotten(run);
  co_return std::move(rows.front());
}

Task<Result<std::vector<store::EntryRow>>> read_journal(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::EntryRow> entries, co_await store.journal(run, 1));
  if (contains(entries, std::string(), &store::EntryRow::body)) co_return has_been_forgotten(run);
  co_return entries;
}

Task<Result<RunView>> read_run(store::Store& store, RunId run) {
  RunView view;
  CO_TRY(view.row, co_await find_run(store, run));
  CO_TRY(view.entries, co_await read_journal(store, run));  // the run may have been forgotten in between
  CO_TRY(view.state, co_await state_in(view.entries, run));
  co_return view;
}

Task<Result<>> check_not_paused(store::Store& store) {
  CO_TRY(const store::BrakeRow brake, co_await store.brake());
  if (brake.brake != store::Pause::all) co_return Result<>{};
  co_return fail(ErrorKind::permission, fmt::format("Deputy is paused by {}", brake.by),
                 "`deputy resume` ends the pause");
}

// ---- Events.

// A run that is given up changes nothing in the store.
constexpr std::chrono::seconds kLookAtRunner{1};

struct Events::State {
  State(store::Store& of, CardSource& drawn_by, Live& told_by, RunId followed, std::function<bool(RunId)> left)
      : store(of), cards(drawn_by), live(told_by), run(followed), given_up(std::move(left)) {}

  store::Store& store;
  CardSource& cards;
  Live& live;
  RunId run;
  std::function<bool(RunId)> given_up;
  std::vector<RunId> unfinished;           // of the run and its child runs, as last looked at
  std::optional<asio::steady_timer> wake;  // none before the first `take`
  Following following;
  bool changed = true;
  std::deque<Event> told;           // received and not yet taken
  std::set<InteractionId> waiting;  // of the last Waiting event
  bool told_background = false;
  bool told_paused = false;
  bool ended = false;

  /// Subscribes to changes.
  void begin(const asio::any_io_executor& loop) {
    wake.emplace(loop);
    Follower follower;
    follower.changed = [this] {
      changed = true;
      wake->cancel();
    };
    follower.text = [this](RunId from, std::string_view part) {
      if (from == run) on_text(part);
    };
    follower.progress = [this](RunId root, RunId from, const channel::ProgressLine& line) {
      if (root == run) tell({from, Progress{line}});
    };
    following = live.follow(std::move(follower));
  }

  // Of one call, a watcher that is slow gets the newest line.
  void tell(Event event) {
    const auto* const line = std::get_if<Progress>(&event.what);
    auto* const before =
        told.empty() || told.back().run != event.run ? nullptr : std::get_if<Progress>(&told.back().what);
    const bool replaces = line != nullptr && before != nullptr && before->line.call == line->line.call &&
                          before->line.state == line->line.state;
    if (replaces) told.pop_back();
    told.push_back(std::move(event));
    if (wake) wake->cancel();
  }

  void on_text(std::string_view part) {
    auto* before = told.empty() ? nullptr : std::get_if<StreamedText>(&told.back().what);
    if (before != nullptr) {
      before->part += part;
    } else {
      tell({run, StreamedText{std::string(part)}});
    }
  }

  Task<> wait() {
    if (!wake) co_return;
    wake->expires_after(kLookAtRunner);
    co_await wake->async_wait(asio::as_tuple(asio::use_awaitable));
  }

  Task<Result<std::optional<Event>>> look();
  Task<Result<std::optional<Event>>> look_at_pause();
  Task<Result<std::optional<Event>>> look_for_questions(std::vector<store::RunRow> family);
};

// Nothing when there is nothing new to report.
Task<Result<std::optional<Event>>> Events::State::look() {
  CO_TRY(const std::vector<store::RunRow> family, co_await family_of(store, run));
  unfinished.clear();
  for (const store::RunRow& row : family) {
    if (!is_finished(row)) unfinished.push_back(row.run);
  }
  if (std::ranges::all_of(family, is_finished)) {
    CO_TRY(const bool delivered, co_await all_is_delivered(store, family));
    if (!delivered) co_return std::nullopt;
    CO_TRY(const RunView view, co_await read_run(store, run));
    ended = true;
    co_return Event{run, end_of(view)};
  }
  if (!told_background && family.front().outcome == name(run::RunOutcome::answered)) {
    told_background = true;
    InBackground background;
    for (const store::RunRow& row : family) {
      if (!is_finished(row)) background.runs.push_back(row.run);
    }
    co_return Event{run, std::move(background)};
  }
  const bool works = contains(family, store::RunStatus::open, &store::RunRow::state);
  co_return co_await (works ? look_at_pause() : look_for_questions(family));
}

Task<Result<std::optional<Event>>> Events::State::look_at_pause() {
  const Result<> goes_on = co_await check_not_paused(store);
  if (!goes_on && goes_on.error().kind != ErrorKind::permission) co_return std::unexpected(goes_on.error());
  const bool is_news = !goes_on && !told_paused;
  told_paused = !goes_on;
  if (!is_news) co_return std::nullopt;
  co_return Event{run, PausedBy{goes_on.error()}};
}

Task<Result<std::optional<Event>>> Events::State::look_for_questions(std::vector<store::RunRow> family) {
  std::vector<store::InteractionRow> rows;
  for (const store::RunRow& row : family) {
    CO_TRY(const std::vector<store::InteractionRow> pending, co_await store.interactions({.run = row.run}));
    rows.insert(rows.end(), pending.begin(), pending.end());
  }
  std::ranges::sort(rows, std::greater<>(), &store::InteractionRow::id);
  const bool waits = !rows.empty();
  CO_TRY(std::vector<channel::Card> drawn, co_await cards_of(cards, std::move(rows)));
  if (waits && drawn.empty()) co_return std::unexpected(cannot_move(run));
  std::set<InteractionId> now = waiting_on(drawn);
  const bool is_news = !now.empty() && now != waiting;
  waiting = std::move(now);
  if (!is_news) co_return std::nullopt;
  co_return Event{run, Waiting{std::move(drawn)}};
}

Task<Result<Event>> Events::next() {
  Events same = *this;  // outlives this object
  for (;;) {
    CO_TRY(std::optional<Event> event, co_await same.take());
    if (event) co_return *std::move(event);
    co_await same.state_->wait();
  }
}

Task<Result<std::optional<Event>>> Events::take() {
  const std::shared_ptr<State> state = state_;
  if (!state) co_return fail(ErrorKind::internal, "these events belong to no run");
  if (!state->wake) state->begin(co_await asio::this_coro::executor);
  if (state->ended) co_return fail(ErrorKind::conflict, fmt::format("run {} has ended", state->run.text()));
  for (;;) {
    if (!state->told.empty()) {
      Event event = std::move(state->told.front());
      state->told.pop_front();
      co_return event;
    }
    if (!std::exchange(state->changed, false)) break;
    CO_TRY(std::optional<Event> event, co_await state->look());
    if (event) {
      state->changed = true;  // there may be more
      co_return event;
    }
  }
  for (const RunId& run : state->unfinished) {
    if (state->given_up && state->given_up(run)) co_return std::unexpected(cannot_move(run));
  }
  co_return std::nullopt;
}

// ---- Requests.

Error error_of(const NotAccepted& not_accepted) {
  const bool is_refused = not_accepted.why != NotAccepted::Why::no_request;
  return {is_refused ? ErrorKind::permission : ErrorKind::conflict, not_accepted.message};
}

Requests::Requests(InboundDependencies& parts, Dispatcher& dispatcher, CardSource& cards, Live& live)
    : parts_(parts), dispatcher_(dispatcher), cards_(cards), live_(live) {}

Events Requests::events_of(RunId run) {
  return Events(std::make_shared<Events::State>(parts_.store, cards_, live_, run, given_up_));
}

Task<Result<Started>> Requests::start(Caller caller, NewRequest request) {
  channel::InboundMessage message;
  message.at = parts_.clock.now();
  message.ref = Ulid::make(message.at).text();
  message.key = key_for(request.conversation, std::move(request.key), message.at);
  message.conversation = request.conversation;
  message.place = std::move(caller.place);
  message.sender = caller.identity.account;
  message.sender_name = std::move(caller.name);
  message.text = std::move(request.text);
  message.piped = std::move(request.piped);
  message.only_writer = true;
  message.stays_here = caller.stays_here;
  CO_TRY(Dispatched dispatched, co_await dispatcher_.dispatch(std::move(message), std::move(caller.identity)));
  if (dispatched.how == store::Admitted::How::duplicate) {
    CO_TRY(const store::ConversationRow row, co_await parts_.store.conversation(std::move(request.conversation)));
    dispatched.run = row.newest_run;
  }
  if (!dispatched.run) co_return Started(std::move(dispatched.not_accepted));
  co_return Started(Accepted{*dispatched.run, events_of(*dispatched.run)});
}

Task<Result<Started>> Requests::call(Caller caller, NewCall call) {
  const Timestamp now = parts_.clock.now();
  const std::shared_ptr<const run::Rules> rules = parts_.rules();
  const policy::Settings& settings = rules->policy.settings;
  if (const Result<> may = policy::may_speak(caller.identity, caller.place, settings); !may)
    co_return Started(NotAccepted{NotAccepted::Why::no_access, describe(may.error())});
  if (const Result<> goes_on = co_await check_not_paused(); !goes_on) {
    if (goes_on.error().kind != ErrorKind::permission) co_return std::unexpected(goes_on.error());
    co_return Started(NotAccepted{NotAccepted::Why::paused, describe(goes_on.error())});
  }
  CO_TRY(run::refuse_secrets(call.arguments));  // before the run, which keeps them, is stored
  const RunId run = RunId::make(now);
  run::Received received;
  received.text = fmt::format("`{}` by hand", call.tool);
  received.requester = policy::person_of(caller.identity, settings).id;
  received.conversation = call.conversation;
  received.account = caller.identity.account.key();
  received.name = caller.name;
  received.place = run::write_place(caller.place);
  received.only_call = run::OnlyCall{{"call_1", std::move(call.tool), std::move(call.arguments)}, {}, {}};
  live_.know_call(run, received.only_call->call);
  store::NewRunRow row = run::new_run(run, received, now);
  if (caller.stays_here) row.home = parts_.store.instance();
  store::Effects effects;
  effects.audit = {{.at = now, .kind = "requested", .person = received.requester, .run = run}};
  const store::ConsumedRow once{key_for(call.conversation, std::move(call.key), now), call.conversation};
  CO_TRY(const store::Admitted admitted, co_await take_in(parts_, once, std::move(row), std::move(effects)));
  if (admitted.how != store::Admitted::How::duplicate) co_return Started(Accepted{run, events_of(run)});
  CO_TRY(const store::ConversationRow before, co_await parts_.store.conversation(call.conversation));
  if (!before.newest_run) co_return Started(NotAccepted{NotAccepted::Why::no_request, "this request was already made"});
  co_return Started(Accepted{*before.newest_run, events_of(*before.newest_run)});
}

Task<Result<AnswerReceipt>> Requests::answer(Caller caller, InteractionId interaction, channel::Press press) {
  CO_TRY(const std::optional<store::InteractionRow> row, co_await find_interaction(parts_, interaction));
  if (!row)
    co_return fail(ErrorKind::not_found, fmt::format("there is no interaction {}", interaction.text()),
                   "`deputy interactions list` lists the pending ones");
  channel::InboundAnswer answer;
  answer.key = key_for(row->conversation, {}, parts_.clock.now());
  answer.conversation = row->conversation;
  answer.place = std::move(caller.place);
  answer.sender = caller.identity.account;
  answer.sender_name = std::move(caller.name);
  answer.token = std::move(press.token);
  answer.words = std::move(press.words);
  answer.given = std::move(press.given);
  CO_TRY(channel::Verdict verdict, co_await answer_click(parts_, std::move(answer), std::move(caller.identity)));
  co_return AnswerReceipt{std::move(verdict), row->run, events_of(row->run)};
}

Task<Result<Accepted>> Requests::stop(Caller caller, RunId run) {
  CO_TRY(const RunView view, co_await read_run(parts_.store, run));
  const std::shared_ptr<const run::Rules> rules = parts_.rules();
  const policy::Settings& settings = rules->policy.settings;
  const policy::Account account = run::account_of(view.state.request().account);
  policy::Identity requester = caller.identity;
  if (account != caller.identity.account) requester = co_await parts_.people.who(account);
  CO_TRY(policy::may_stop(caller.identity, caller.place, requester, settings));
  const Timestamp now = parts_.clock.now();
  const std::string person = policy::person_of(caller.identity, settings).id;
  store::Effects effects;
  effects.audit = {{.at = now, .kind = "stopped", .person = person, .run = run}};
  CO_TRY(co_await parts_.store.mail({run, run::encode(run::CancelRequested{person}, now)}, std::move(effects)));
  co_return Accepted{run, events_of(run)};
}

// ---- Reading.

Task<Result<policy::Visible>> Requests::sees(Caller caller, RunId run) {
  if (caller.identity.standing == policy::AccountKind::local_user) co_return policy::Visible::yes;
  const std::shared_ptr<const run::Rules> rules = parts_.rules();
  const policy::Settings& settings = rules->policy.settings;
  const bool has_access = policy::may_speak(caller.identity, caller.place, settings).has_value();
  const policy::Viewer viewer = policy::viewer_of(caller.identity, has_access, settings);
  policy::SeenConversation conversation;
  const Result<std::optional<run::Received>> asked = co_await run::request_of_run(parts_.store, run);
  if (asked && *asked) {
    conversation = co_await run::seen_conversation(parts_.people, (*asked)->place, (*asked)->account, viewer);
  }
  co_return policy::may_see(viewer, conversation);
}

Task<Result<policy::Visible>> Requests::sees(Caller caller, store::InteractionRow row) {
  CO_TRY(const policy::Visible visible, co_await sees(caller, row.run));
  if (visible == policy::Visible::yes) co_return visible;
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  Task<Result<>> judging = asking.approval ? may_decide(parts_, row, asking, caller.identity, caller.place)
                                           : may_answer(parts_, asking, caller.identity, caller.place);
  const Result<> may = co_await std::move(judging);
  co_return may ? policy::Visible::yes : visible;
}

Task<Result<>> Requests::audit_admin(Caller caller, RunId run, std::string conversation) {
  const Timestamp now = parts_.clock.now();
  const std::string person = policy::person_of(caller.identity, parts_.rules()->policy.settings).id;
  store::Effects effects;
  effects.audit = {{.at = now, .kind = "seen_as_admin", .person = person, .run = run}};
  const store::ConsumedRow once{key_for(conversation, {}, now), conversation};
  CO_TRY((co_await take_in(parts_, once, store::ToNobody{}, std::move(effects))));
  co_return Result<>{};
}

Task<Result<>> Requests::check_sees(Caller caller, RunId run) {
  CO_TRY(const store::RunRow row, co_await find_run(parts_.store, run));
  CO_TRY(const policy::Visible visible, co_await sees(caller, run));
  if (visible == policy::Visible::no) co_return fail(ErrorKind::not_found, fmt::format("no run {}", run.text()));
  if (visible == policy::Visible::as_admin) {
    CO_TRY(co_await audit_admin(std::move(caller), run, row.conversation));
  }
  co_return Result<>{};
}

Task<Result<Accepted>> Requests::watch(Caller caller, RunId run) {
  CO_TRY(co_await check_sees(std::move(caller), run));
  co_return Accepted{run, events_of(run)};
}

Task<Result<RunView>> Requests::read(Caller caller, RunId run) {
  CO_TRY(co_await check_sees(std::move(caller), run));
  co_return co_await read_run(parts_.store, run);
}

Task<Result<PendingCards>> Requests::pending(Caller caller, PendingFilter filter) {
  store::InteractionFilter rows;
  rows.run = filter.run;
  rows.conversation = std::move(filter.conversation);
  rows.most = filter.most;
  CO_TRY(std::vector<store::InteractionRow> waiting, co_await parts_.store.interactions(std::move(rows)));
  PendingCards pending;
  std::vector<store::InteractionRow> seen;
  std::set<RunId> by_admin;
  for (store::InteractionRow& row : waiting) {
    const Result<policy::Visible> visible = co_await sees(caller, row);
    if (!visible || *visible == policy::Visible::no) {
      ++pending.left_out;
      continue;
    }
    if (*visible == policy::Visible::as_admin && by_admin.insert(row.run).second) {
      CO_TRY(co_await audit_admin(caller, row.run, row.conversation));
    }
    seen.push_back(std::move(row));
  }
  CO_TRY(pending.cards, co_await cards_of(cards_, std::move(seen)));
  co_return pending;
}

Task<Result<std::optional<channel::Card>>> Requests::card(Caller caller, InteractionId interaction) {
  CO_TRY(const std::optional<store::InteractionRow> row, co_await find_interaction(parts_, interaction));
  if (!row) co_return std::nullopt;
  CO_TRY(const policy::Visible visible, co_await sees(caller, *row));
  if (visible == policy::Visible::no) co_return std::nullopt;
  if (visible == policy::Visible::as_admin) {
    CO_TRY(co_await audit_admin(std::move(caller), row->run, row->conversation));
  }
  co_return co_await cards_.card(interaction);
}

}  // namespace deputy::gateway

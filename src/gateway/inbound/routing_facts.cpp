#include "gateway/inbound/routing_facts.h"

#include <algorithm>

#include "base/text.h"
#include "base/workers.h"
#include "gateway/inbound/commands.h"
#include "gateway/inbound/forms.h"
#include "gateway/inbound/reach.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/triage.h"
#include "gateway/outbound/delivery_rules.h"
#include "policy/access.h"
#include "policy/persons.h"
#include "run/drive/visibility.h"
#include "run/journal/entry.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

constexpr int kMaxPending = 1000;
constexpr int kMaxRunsLookedAt = 50;
constexpr std::size_t kMaxJournalsRead = 8;
constexpr std::size_t kMaxOwnRuns = 8;

using channel::InboundMessage;
using store::DeliveryState;

Task<Result<std::vector<store::InteractionRow>>> read_pending(InboundDependencies& parts, std::string conversation) {
  store::InteractionFilter filter;
  filter.conversation = std::move(conversation);
  filter.most = kMaxPending;
  CO_TRY(std::vector<store::InteractionRow> rows, co_await parts.store.interactions(filter));
  std::ranges::reverse(rows);
  co_return rows;
}

// A card that is being sent counts as seen: people may answer before its delivery is recorded.
bool is_seen(const store::DeliveryRow& view) {
  return view.state != DeliveryState::owed && view.state != DeliveryState::dead;
}

// Text typed before a form was shown is not an answer to it.
Task<Result<std::optional<OpenForm>>> open_form(InboundDependencies& parts, InboundMessage message,
                                                store::InteractionRow row, run::InteractionBody asking,
                                                policy::Identity sender) {
  CO_TRY(std::vector<store::DeliveryRow> deliveries, co_await parts.store.views(row.id));
  const std::vector<store::DeliveryRow> views = cards_among(std::move(deliveries));
  if (std::ranges::none_of(views, is_seen)) co_return std::nullopt;
  OpenForm form;
  form.id = row.id;
  form.form = asking.questions.value_or(interaction::Form{});
  CO_TRY(form.draft, interaction::read_draft(form.form, row.draft));
  CO_TRY(CleanText typed, co_await keep(message.text, parts.redaction.of(row.run)));
  form.typed = std::move(typed.text);
  form.is_replied_to = message.replies_to && std::ranges::any_of(views, [&](const store::DeliveryRow& view) {
                         const std::vector<channel::MessageRef> refs = refs_of(view.ref);
                         return contains(refs, *message.replies_to);
                       });
  const Result<> may = co_await may_answer(parts, std::move(asking), std::move(sender), message.place);
  form.sender_may_answer = may.has_value();
  co_return form;
}

// Approvals with this code that belong to this conversation, or whose card is also shown here.
Task<Result<std::vector<store::InteractionRow>>> read_by_code(InboundDependencies& parts, InboundMessage message,
                                                              std::string code) {
  store::InteractionFilter filter;
  filter.code = std::move(code);
  filter.pending_only = false;
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await parts.store.interactions(filter));
  std::vector<store::InteractionRow> here;
  for (const store::InteractionRow& row : rows) {
    CO_TRY(const bool is_here, co_await is_asked_in(parts, row, message.conversation, message.place));
    if (is_here) here.push_back(row);
  }
  co_return here;
}

std::optional<std::string> typed_code(std::string_view text) {
  const interaction::TypedDecision typed = interaction::read_decision(text);
  if (const auto* approve = std::get_if<interaction::TypedApprove>(&typed)) return approve->code;
  if (const auto* deny = std::get_if<interaction::TypedDeny>(&typed)) return deny->code;
  return std::nullopt;
}

// Decodes only the kinds that say who asked: a journal may have entries of a newer version of Deputy.
Task<Result<std::optional<RunFact>>> read_run(InboundDependencies& parts, RunId run, InboundMessage message) {
  CO_TRY(std::vector<store::EntryRow> rows, co_await parts.store.journal(run, 1));
  std::erase_if(rows, [](const store::EntryRow& row) {
    return row.kind != run::Received::kKind && row.kind != run::Noted::kKind;
  });
  const std::vector<Result<run::Entry>> entries = co_await run::decode_all(std::move(rows));
  std::optional<RunFact> fact;
  for (const Result<run::Entry>& entry : entries) {
    if (!entry) continue;
    if (const auto* received = std::get_if<run::Received>(&entry->body)) {
      fact = RunFact{.run = run,
                     .requester = received->requester,
                     .account = received->account,
                     .request = received->request.value_or(""),
                     .text = received->text,
                     .edited = {},
                     .last_asked = entry->at};
    }
    const auto* noted = std::get_if<run::Noted>(&entry->body);
    if (noted != nullptr && fact && noted->writer == fact->requester) fact->last_asked = entry->at;
    if (noted != nullptr && fact && noted->edits_request) fact->text = noted->text;
  }
  if (fact && message.kind == channel::InboundKind::edited) {
    CO_TRY(CleanText edited, co_await keep(message.text, parts.redaction.of(run)));
    fact->edited = std::move(edited.text);
  }
  co_return fact;
}

Task<Result<std::optional<Timestamp>>> first_asked(InboundDependencies& parts, std::string conversation) {
  store::RunFilter filter;
  filter.conversation = std::move(conversation);
  filter.most = kMaxRunsLookedAt;
  CO_TRY(std::vector<store::RunRow> rows, co_await parts.store.runs(std::move(filter)));
  std::erase_if(rows, [](const store::RunRow& row) { return row.parent.has_value(); });
  if (rows.empty()) co_return std::nullopt;
  CO_TRY(const std::optional<run::Received> first, co_await run::request_of_run(parts.store, rows.back().run));
  co_return first ? first->asked_at : std::nullopt;
}

// The newest run says who asked last. A stop, an edit or a deletion may concern an older run that is not finished.
Task<Result<std::vector<RunFact>>> read_runs(InboundDependencies& parts, InboundMessage message, RunId newest) {
  std::vector<RunId> wanted{newest};
  if (message.kind != channel::InboundKind::posted || interaction::is_stop(message.text)) {
    store::RunFilter filter;
    filter.conversation = message.conversation;
    filter.most = kMaxRunsLookedAt;
    CO_TRY(const std::vector<store::RunRow> rows, co_await parts.store.runs(filter));
    for (const store::RunRow& row : rows) {
      const bool goes_on = !row.parent && row.state != store::RunStatus::finished && row.run != newest;
      if (goes_on && wanted.size() < kMaxJournalsRead) wanted.push_back(row.run);
    }
  }
  std::vector<RunFact> facts;
  for (const RunId& run : wanted) {
    CO_TRY(std::optional<RunFact> fact, co_await read_run(parts, run, message));
    if (fact) facts.push_back(*std::move(fact));
  }
  co_return facts;
}

Task<Result<std::vector<RunFact>>> read_own_runs(InboundDependencies& parts, InboundMessage message,
                                                 std::string person) {
  CO_TRY(const std::vector<store::RunRow> rows, co_await own_runs_at(parts, message.place, std::move(person)));
  std::vector<RunFact> facts;
  for (const store::RunRow& row : rows) {
    CO_TRY(std::optional<RunFact> fact, co_await read_run(parts, row.run, message));
    if (fact) facts.push_back(*std::move(fact));
  }
  co_return facts;
}

constexpr std::chrono::milliseconds kMaxLook{1500};

Task<Result<run::ThreadContext>> thread_before(InboundDependencies& parts, InboundMessage message) {
  constexpr int kMost = 5;
  co_return co_await parts.people.thread(message.conversation, message.ref, kMost);
}

// A mention without words is about what stands right before it, unless Deputy said that.
Task<bool> follows_something(InboundDependencies& parts, InboundMessage message) {
  const Result<run::ThreadContext> thread = co_await with_timeout(kMaxLook, thread_before(parts, std::move(message)));
  co_return thread && !thread->lines.empty() && !thread->lines.back().by_deputy;
}

// The end of a mute of this thread or of the whole place.
Task<Result<std::optional<Timestamp>>> read_mute(InboundDependencies& parts, InboundMessage message) {
  CO_TRY(const std::vector<store::MarkRow> marks,
         co_await parts.store.marks({std::string(kMuteMark), {mute_key(message), mute_key(message.place)}}));
  std::optional<Timestamp> until;
  for (const store::MarkRow& mark : marks) {
    if (mark.ends_at) until = std::max(until.value_or(*mark.ends_at), *mark.ends_at);
  }
  co_return until;
}

}  // namespace

bool was_asked_at(const run::Received& request, const policy::Place& place) {
  const policy::Place asked_at = run::read_place(request.place).value_or(policy::Place{});
  return asked_at.channel == place.channel && asked_at.id == place.id;
}

Task<Result<std::vector<store::RunRow>>> own_runs_at(InboundDependencies& parts, policy::Place place,
                                                     std::string person) {
  std::vector<store::RunRow> own;
  for (const store::RunStatus state : {store::RunStatus::open, store::RunStatus::parked}) {
    store::RunFilter filter;
    filter.requester = person;
    filter.state = state;
    filter.most = kMaxRunsLookedAt;
    CO_TRY(const std::vector<store::RunRow> rows, co_await parts.store.runs(std::move(filter)));
    for (const store::RunRow& row : rows) {
      if (row.parent || own.size() == kMaxOwnRuns) continue;
      CO_TRY(const std::optional<run::Received> received, co_await run::request_of_run(parts.store, row.run));
      if (received && was_asked_at(*received, place)) own.push_back(row);
    }
  }
  std::ranges::sort(own, std::greater<>(), &store::RunRow::run);
  co_return own;
}

Task<Result<CleanText>> keep(std::string text, redact::Redactor redactor) {
  const std::size_t size = text.size();
  auto clean = [text = std::move(text), redactor = std::move(redactor)]() -> Result<CleanText> {
    const std::string redacted = redactor.redact(text);
    return CleanText{cut_with_mark(redacted, kMaxRequest), redacted != text};
  };
  return off_loop_if_large<CleanText>(size, std::move(clean));
}

Task<Result<std::string>> redact_inbound(std::string text, redact::Redactor redactor) {
  const std::size_t size = text.size();
  auto clean = [text = std::move(text), redactor = std::move(redactor)]() mutable -> Result<std::string> {
    return redactor.redact(to_valid_utf8(std::move(text)));
  };
  return off_loop_if_large<std::string>(size, std::move(clean));
}

Task<Result<RoutingInput>> gather(InboundDependencies& parts, InboundMessage message,
                                  store::ConversationRow conversation, policy::Identity sender) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  const policy::Settings& settings = rules->policy.settings;
  RoutingInput gathered;
  Facts& facts = gathered.facts;
  facts.conversation = std::move(conversation);
  facts.text = message.text;
  facts.kind = message.kind;
  facts.spoken = message.spoken;
  facts.only_writer = message.only_writer;
  facts.ref = message.ref;
  facts.at = message.at;
  facts.begins_thread = message.begins_thread;
  facts.now = parts.clock.now();
  facts.missed = message.missed;
  facts.has_files = !message.files.empty();
  facts.person = policy::person_of(sender, settings).id;
  facts.name = message.sender_name.empty() ? facts.person : message.sender_name;
  facts.account = message.sender.key();
  facts.follow = policy::rules_at(message.place, settings).follow;
  if (const Result<> may = policy::may_speak(sender, message.place, settings); !may) {
    // Nothing is decided by a lookup that failed: the platform sends the message again.
    if (may.error().retryable) co_return std::unexpected(may.error());
    facts.why_no_access = sentence(may.error());
    co_return gathered;
  }

  const bool is_posted = message.kind == channel::InboundKind::posted;
  if (is_posted) {
    CO_TRY(facts.muted_until, co_await read_mute(parts, message));
  }
  if (is_posted && facts.conversation.newest_run && message.spoken == channel::AddressedTo::to_nobody) {
    CO_TRY(const std::vector<store::MarkRow> listening,
           co_await parts.store.marks({std::string(kListenMark), {message.conversation}}));
    facts.listens_to_all = !listening.empty();
    CO_TRY(facts.first_asked, co_await first_asked(parts, message.conversation));
  }
  const bool is_bare = is_posted && message.spoken == channel::AddressedTo::to_deputy && trim(message.text).empty();
  if (is_bare && !facts.has_files && !message.begins_thread) {
    facts.follows_something = co_await follows_something(parts, message);
  }
  if (!facts.conversation.pending.empty()) {
    CO_TRY(const std::vector<store::InteractionRow> pending, co_await read_pending(parts, message.conversation));
    for (const store::InteractionRow& row : pending) {
      const Result<run::InteractionBody> asking = run::read_interaction_body(row);
      if (!asking) continue;
      const auto kind = asking->approval ? interaction::Kind::approval : interaction::Kind::questions;
      facts.pending.push_back({row.id, row.run, kind, describe_pending(*asking)});
      gathered.interactions.emplace(row.id.text(), row);
      if (facts.form || !asking->questions || message.kind != channel::InboundKind::posted) continue;
      CO_TRY(facts.form, co_await open_form(parts, message, row, *asking, sender));
    }
  }
  if (const std::optional<std::string> code = typed_code(message.text)) {
    CO_TRY(gathered.with_code, co_await read_by_code(parts, message, *code));
    for (const store::InteractionRow& row : gathered.with_code) facts.codes.push_back(row.code);
  }
  if (const std::optional<RunId> newest = facts.conversation.newest_run; newest && wants_runs(facts)) {
    CO_TRY(facts.runs, co_await read_runs(parts, message, *newest));
  }
  if (wants_own_runs(facts)) {
    CO_TRY(facts.own_runs, co_await read_own_runs(parts, message, facts.person));
  }
  co_return gathered;
}

}  // namespace deputy::gateway

#include "store/sqlite/journal.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/text.h"
#include "store/sqlite/columns.h"
#include "store/sqlite/decode.h"
#include "store/sqlite/effects.h"

namespace deputy::store {

namespace {

struct RunHead {
  std::int64_t number = 0;
  std::string conversation;
  RunStatus state = RunStatus::open;
  std::string owner;
  std::int64_t fence = 0;
  Seq last = 0;
};

Result<std::optional<RunHead>> head_of(sqlite::Connection& database, const RunId& run) {
  const std::string id = run.text();
  sqlite::Statement row =
      database.prepare("SELECT number, conversation, state, owner, fence, last_seq FROM runs WHERE id = ?");
  TRY(const bool found, row.bind(1, id).step());
  if (!found) return std::optional<RunHead>{};
  Columns columns(row);
  RunHead head;
  head.number = columns.integer();
  head.conversation = columns.text();
  head.state = columns.state(&run_status);
  head.owner = columns.text_or_empty();
  head.fence = columns.count();
  head.last = columns.count();
  return columns.done(std::optional(std::move(head)));
}

std::unexpected<Error> no_such_run(const RunId& run) {
  return fail(ErrorKind::not_found, fmt::format("there is no run {}", run.text()), "see `deputy runs list`");
}

std::unexpected<Error> not_taken(const RunId& run, bool exists) {
  if (!exists) return no_such_run(run);
  return fail(ErrorKind::conflict, fmt::format("run {} has finished", run.text()));
}

Result<> insert_entry(Transaction& in, std::int64_t run_number, const EntryRow& entry) {
  sqlite::Statement insert =
      in.database.prepare("INSERT INTO entries (run, seq, at, kind, version, body) VALUES (?, ?, ?, ?, ?, ?)");
  return insert.bind(1, run_number)
      .bind(2, entry.seq)
      .bind(3, to_millis(entry.at))
      .bind(4, entry.kind)
      .bind(5, entry.version)
      .bind(6, entry.body)
      .run();
}

Result<std::vector<EntryRow>> entries_after(sqlite::Connection& database, std::int64_t run_number, Seq seen, int most) {
  static const std::string sql =
      fmt::format("SELECT {} FROM entries WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?", kEntryColumns);
  sqlite::Statement rows = database.prepare(sql);
  rows.bind(1, run_number).bind(2, seen).bind(3, most);
  return decode_all(rows, &decode_entry);
}

Result<> change_run(Transaction& in, const RunHead& head, const RunChange& change) {
  const bool stops = change.to != RunStatus::open;
  const bool finishes = change.to == RunStatus::finished;
  sqlite::Statement update = in.database.prepare(
      "UPDATE runs SET state = ?1, outcome = ?2, owner = iif(?3, NULL, owner), crashes = iif(?3, 0, crashes), "
      "ready = NULL, finished_at = ?4 WHERE number = ?5");
  const std::string_view state = name(finishes ? RunStatus::finished : stops ? RunStatus::parked : RunStatus::open);
  update.bind(1, state).bind(2, change.outcome).bind(3, std::int64_t{stops});
  if (finishes) {
    update.bind(4, to_millis(in.now));
  } else {
    update.bind(4, nullptr);
  }
  TRY(update.bind(5, head.number).run());
  in.wakes = in.wakes || stops;  // whoever follows it looks again
  return move_conversation(in, head.conversation);
}

Result<std::optional<std::int64_t>> version_of(sqlite::Connection& database, const std::string& key) {
  sqlite::Statement row = database.prepare("SELECT version FROM conversations WHERE key = ?");
  TRY(const bool found, row.bind(1, key).step());
  return found ? std::optional(row.integer(0)) : std::nullopt;
}

Result<Seq> follow_route(Transaction& in, const Route& route) {
  if (const auto* run = std::get_if<NewRunRow>(&route)) {
    TRY(create_run(in, *run));
    return Seq{1};
  }
  if (const auto* note = std::get_if<MailRow>(&route)) {
    TRY(const bool taken, put_mail(in, *note));
    TRY(const auto head, head_of(in.database, note->run));
    if (!taken || !head) return not_taken(note->run, head.has_value());
    return head->last;
  }
  return Seq{0};
}

// From owner to owner through the index: what they own is not read.
Result<std::optional<std::string>> owner_after(Transaction& in, const std::string& last) {
  sqlite::Statement next = in.database.prepare("SELECT owner FROM runs WHERE owner > ? ORDER BY owner LIMIT 1");
  TRY(const bool found, next.bind(1, last).step());
  // In a damaged file an owner may be no text, which sorts behind every text: it would be found again and again.
  if (!found || next.text(0) <= last) return std::nullopt;
  return std::string(next.text(0));
}

// Frees the runs of dead instances. Nobody can say how much of them was read.
Result<> free_the_dead(Transaction& in) {
  TRY(std::optional<std::string> owner, owner_after(in, ""));
  while (owner) {
    if (!in.locks.is_alive(*owner)) {
      sqlite::Statement free = in.database.prepare(
          "UPDATE runs SET owner = NULL, ready = 'crash', seen_seq = 0, crashes = crashes + 1 WHERE owner = ?");
      TRY(free.bind(1, *owner).run());
    }
    TRY(owner, owner_after(in, *owner));
  }
  return {};
}

constexpr std::array<std::pair<std::string_view, Lease::After>, 4> kReasons{{{"fresh", Lease::After::fresh},
                                                                             {"mail", Lease::After::mail},
                                                                             {"release", Lease::After::release},
                                                                             {"crash", Lease::After::crash}}};

Lease::After reason(std::string_view ready) {
  const auto* const found = std::ranges::find(kReasons, ready, &decltype(kReasons)::value_type::first);
  return found == kReasons.end() ? Lease::After::fresh : found->second;
}

std::string_view name_of(Lease::After reason) {
  return std::ranges::find(kReasons, reason, &decltype(kReasons)::value_type::second)->first;
}

Result<std::vector<RunId>> held_with_mail(Transaction& in) {
  const std::string self = in.locks.self().text();
  sqlite::Statement rows =
      in.database.prepare("SELECT id FROM runs INDEXED BY runs_mail WHERE owner = ? AND last_seq > seen_seq");
  rows.bind(1, self);
  std::vector<RunId> runs;
  for (;;) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return runs;
    TRY(RunId run, RunId::parse(rows.text(0)));
    runs.push_back(run);
  }
}

struct Ready {
  std::int64_t number = 0;
  Lease lease;
};

// Turns per person: the oldest runs, up to the rest of their limit.
class Turns {
 public:
  explicit Turns(const ClaimFilter& filter) : most_(filter.max_a_person), at_work_(filter.at_work) {}

  bool is_full(std::string_view person) const {
    const auto found = at_work_.find(person);
    return most_ > 0 && found != at_work_.end() && found->second >= most_;
  }
  void take(std::string_view person) { ++at_work_[std::string(person)]; }

 private:
  int most_;
  std::map<std::string, int, std::less<>> at_work_;
};

Result<std::vector<Ready>> ready_runs(Transaction& in, int most, const ClaimFilter& filter,
                                      const std::vector<std::string>& reach) {
  const std::string self = in.locks.self().text();
  Turns turns(filter);
  std::vector<Ready> in_turn;
  std::vector<Ready> out_of_turn;
  std::optional<Ready> suspect;
  int after_crash = 0;
  sqlite::Statement rows = in.database.prepare(
      "SELECT number, id, fence, ready, home, conversation, requester, crashes, parent IS NOT NULL, "
      "last_seq > seen_seq FROM runs WHERE ready IS NOT NULL AND owner IS NULL ORDER BY number");
  constexpr int kRequester = 6;
  constexpr int kIsChild = 8;
  constexpr int kHasUnread = 9;
  while (static_cast<int>(in_turn.size()) < most) {
    TRY(const bool has_row, rows.step());
    if (!has_row) break;
    const bool counts = rows.integer(kIsChild) == 0;
    const bool waits = counts && turns.is_full(rows.text(kRequester));
    // Many may be waiting: do not read such a row further.
    if (waits && (rows.integer(kHasUnread) == 0 || out_of_turn.size() == kMaxOutOfTurn)) continue;
    Columns columns(rows);
    Ready run;
    run.number = columns.integer();
    run.lease.run = columns.id<RunId>();
    run.lease.instance = in.locks.self();
    run.lease.fence = columns.count() + 1;
    run.lease.after = reason(columns.text());
    run.lease.in_turn = !waits;
    const std::string home = columns.text_or_empty();
    const std::string conversation(columns.text());
    const std::string requester = columns.text();
    run.lease.crashes = static_cast<int>(columns.count());
    TRY(columns.done(true));
    if (counts) run.lease.person = requester;
    if (contains(filter.except, run.lease.run)) continue;
    if (!home.empty() && home != self && in.locks.is_alive(home)) continue;
    if (!is_within(reach, conversation)) continue;
    if (run.lease.crashes >= kSuspectAfterCrashes) {
      if (!waits && !suspect) suspect = std::move(run);
      continue;
    }
    // One that waits for its person's turn may wait for the suspect: it holds nobody back.
    if (!waits && run.lease.after == Lease::After::crash && ++after_crash > filter.after_crash) continue;
    if (counts && !waits) turns.take(requester);
    (waits ? out_of_turn : in_turn).push_back(std::move(run));
  }
  // It may end this process: then nothing else is to be at work that has not got further since the last crash.
  if (suspect && after_crash == 0 && filter.after_crash == kMaxAfterCrash) return std::vector{*std::move(suspect)};
  const std::size_t room = static_cast<std::size_t>(std::max(most, 0)) - in_turn.size();
  out_of_turn.resize(std::min(out_of_turn.size(), room));
  std::ranges::move(out_of_turn, std::back_inserter(in_turn));
  return in_turn;
}

}  // namespace

// At least the current time, so that a conversation that was removed and returns does not repeat a version.
Result<> move_conversation(Transaction& in, std::string_view key) {
  sqlite::Statement upsert = in.database.prepare(
      "INSERT INTO conversations (key, version) VALUES (?1, max(1, ?2)) ON CONFLICT (key) DO UPDATE SET version = "
      "max(version + 1, ?2)");
  return upsert.bind(1, key).bind(2, to_millis(in.now)).run();
}

Result<> create_run(Transaction& in, const NewRunRow& run) {
  const std::string id = run.run.text();
  const auto parent = text_of(run.parent);
  const auto home = text_of(run.home);
  sqlite::Statement insert = in.database.prepare(
      "INSERT INTO runs (id, conversation, requester, parent, home, ready, last_seq, created_at, headline) VALUES (?1, "
      "?2, ?3, ?4, coalesce(?5, (SELECT home FROM runs WHERE id = ?4)), 'fresh', 1, ?6, ?7)");
  TRY(insert.bind(1, id)
          .bind(2, run.conversation)
          .bind(3, run.requester)
          .bind(4, parent)
          .bind(5, home)
          .bind(6, to_millis(in.now))
          .bind(7, run.headline)
          .run());
  EntryRow first = run.first;
  first.seq = 1;
  TRY(insert_entry(in, in.database.last_row_id(), first));
  in.wakes = true;
  return move_conversation(in, run.conversation);
}

Result<bool> put_mail(Transaction& in, const MailRow& mail) {
  TRY(const auto head, head_of(in.database, mail.run));
  if (!head || head->state == RunStatus::finished) return false;
  EntryRow entry = mail.entry;
  entry.seq = head->last + 1;
  TRY(insert_entry(in, head->number, entry));
  sqlite::Statement update = in.database.prepare(
      "UPDATE runs SET last_seq = ?, state = 'open', ready = iif(owner IS NULL, coalesce(ready, 'mail'), NULL) WHERE "
      "number = ?");
  TRY(update.bind(1, entry.seq).bind(2, head->number).run());
  in.wakes = true;
  if (head->state == RunStatus::parked) TRY(move_conversation(in, head->conversation));
  return true;
}

Result<Admitted> admit(Transaction& in, const InboundRow& message, const Route& route, const Effects& effects) {
  {
    sqlite::Statement seen = in.database.prepare("SELECT 1 FROM inbox WHERE key = ?");
    TRY(const bool is_duplicate, seen.bind(1, message.key).step());
    if (is_duplicate) return Admitted{Admitted::How::duplicate};
  }
  TRY(const auto version, version_of(in.database, message.conversation));
  if (version.value_or(0) != message.conversation_version) return Admitted{Admitted::How::moved};
  sqlite::Statement insert = in.database.prepare("INSERT INTO inbox (key, conversation, at) VALUES (?, ?, ?)");
  TRY(insert.bind(1, message.key).bind(2, message.conversation).bind(3, to_millis(in.now)).run());
  failpoint("store.admit.inbox");
  TRY(const Seq seq, follow_route(in, route));
  TRY(move_conversation(in, message.conversation));
  TRY(apply(in, effects));
  failpoint("store.admit.effects");
  return Admitted{Admitted::How::routed, seq};
}

Result<ConversationRow> read_conversation(sqlite::Connection& database, const std::string& key) {
  ConversationRow conversation;
  TRY(const auto version, version_of(database, key));
  conversation.version = version.value_or(0);
  sqlite::Statement run = database.prepare(
      "SELECT id, state FROM runs WHERE conversation = ? AND parent IS NULL ORDER BY number DESC LIMIT 1");
  TRY(const bool found, run.bind(1, key).step());
  if (found) {
    TRY(conversation.newest_run, RunId::parse(run.text(0)));
    TRY(conversation.newest_state, run_status(run.text(1)));
  }
  sqlite::Statement pending =
      database.prepare("SELECT id FROM interactions WHERE conversation = ? AND state = 'pending' ORDER BY number");
  pending.bind(1, key);
  for (;;) {
    TRY(const bool has_row, pending.step());
    if (!has_row) return conversation;
    TRY(InteractionId id, InteractionId::parse(pending.text(0)));
    conversation.pending.push_back(id);
  }
}

Result<Appended> append(Transaction& in, const Lease& lease, Seq seen, If condition, std::vector<EntryRow> entries,
                        const Effects& effects) {
  TRY(const auto head, head_of(in.database, lease.run));
  if (!head) return no_such_run(lease.run);
  if (head->owner != lease.instance.text() || head->fence != lease.fence)
    return Appended{Appended::How::lost, head->last, {}};
  if (seen > head->last) return fail(ErrorKind::internal, "an append claims to have seen entries that do not exist");
  const bool stops = effects.run && effects.run->to != RunStatus::open;
  if (stops && condition != If::unchanged) {
    return fail(ErrorKind::internal, "a run may park or finish only after reading its whole journal");
  }
  Appended appended{Appended::How::stored, head->last, {}};
  if (seen < head->last) {
    TRY(appended.mail, entries_after(in.database, head->number, seen, kAllEntries));
    if (condition == If::unchanged) {
      appended.how = Appended::How::mail_first;
      return appended;
    }
  }
  for (EntryRow& entry : entries) {
    entry.seq = ++appended.last;
    TRY(insert_entry(in, head->number, entry));
  }
  failpoint("store.append.entries");
  sqlite::Statement update = in.database.prepare("UPDATE runs SET last_seq = ?, seen_seq = ? WHERE number = ?");
  TRY(update.bind(1, appended.last).bind(2, appended.last).bind(3, head->number).run());
  if (effects.run) TRY(change_run(in, *head, *effects.run));
  TRY(apply(in, effects));
  failpoint("store.append.effects");
  return appended;
}

Result<> mail(Transaction& in, const MailRow& mail, const Effects& effects) {
  TRY(const bool taken, put_mail(in, mail));
  if (!taken) {
    TRY(const auto head, head_of(in.database, mail.run));
    return not_taken(mail.run, head.has_value());
  }
  return apply(in, effects);
}

Result<std::vector<EntryRow>> read_journal(sqlite::Connection& database, const RunId& run, Seq from, int most) {
  TRY(const auto head, head_of(database, run));
  if (!head) return no_such_run(run);
  return entries_after(database, head->number, from - 1, most);
}

Result<Claimed> claim(Transaction& in, int most, const ClaimFilter& filter, const std::vector<std::string>& reach) {
  TRY(free_the_dead(in));
  Claimed claimed;
  TRY(claimed.has_mail, held_with_mail(in));
  TRY(const std::vector<Ready> ready, ready_runs(in, most, filter, reach));
  const std::string self = in.locks.self().text();
  for (const Ready& run : ready) {
    sqlite::Statement take = in.database.prepare(
        "UPDATE runs SET owner = ?, fence = ?, ready = NULL, state = 'open', seen_seq = last_seq WHERE number = ?");
    TRY(take.bind(1, self).bind(2, run.lease.fence).bind(3, run.number).run());
    claimed.leases.push_back(run.lease);
  }
  failpoint("store.claim");
  return claimed;
}

Result<> release(Transaction& in, const Lease& lease, const GivenBack& how) {
  const std::string run = lease.run.text();
  const std::string instance = lease.instance.text();
  sqlite::Statement update = in.database.prepare(
      "UPDATE runs SET owner = NULL, ready = ?1, seen_seq = iif(?2, seen_seq, 0), crashes = iif(?1 = 'crash', crashes, "
      "0) WHERE id = ?3 AND owner = ?4 AND fence = ?5");
  update.bind(1, name_of(how.as)).bind(2, std::int64_t{how.is_read});
  TRY(update.bind(3, run).bind(4, instance).bind(5, lease.fence).run());
  in.wakes = in.wakes || in.database.changes() > 0;
  return {};
}

Result<bool> hold(Transaction& in, const std::string& name) {
  const std::string self = in.locks.self().text();
  std::string holder;
  {
    sqlite::Statement row = in.database.prepare("SELECT holder FROM named_leases WHERE name = ?");
    TRY(const bool found, row.bind(1, name).step());
    if (found) holder = row.text(0);
  }
  if (holder == self) return true;
  if (!holder.empty() && in.locks.is_alive(holder)) return false;
  sqlite::Statement take = in.database.prepare("INSERT OR REPLACE INTO named_leases (name, holder) VALUES (?, ?)");
  TRY(take.bind(1, name).bind(2, self).run());
  return true;
}

Result<> let_go(Transaction& in, const std::string& name) {
  const std::string self = in.locks.self().text();
  sqlite::Statement remove = in.database.prepare("DELETE FROM named_leases WHERE name = ? AND holder = ?");
  return remove.bind(1, name).bind(2, self).run();
}

}  // namespace deputy::store

#include "store/sqlite/outbound.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "store/sqlite/columns.h"
#include "store/sqlite/decode.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/lists.h"

namespace deputy::store {

namespace {

using namespace std::chrono_literals;

// A taken due returns after this time, in case its taker died.
constexpr auto kTakeAgain = 30s;
// No delivery is postponed for longer. If one is, the clock that postponed it has been set back.
constexpr auto kMaxPutOff = 1h;
// How often a running instance writes a heartbeat: an idle instance writes nothing else.
constexpr auto kHeartbeat = 10s;

// Deliveries that a dead instance was sending may or may not have gone out.
Result<> doubt_what_the_dead_sent(Transaction& in) {
  std::vector<std::string> dead;
  {
    sqlite::Statement takers = in.database.prepare("SELECT DISTINCT taker FROM deliveries WHERE taker IS NOT NULL");
    for (;;) {
      TRY(const bool has_row, takers.step());
      if (!has_row) break;
      if (std::string taker(takers.text(0)); !in.locks.is_alive(taker)) dead.push_back(std::move(taker));
    }
  }
  for (const std::string& taker : dead) {
    sqlite::Statement doubt = in.database.prepare(
        "UPDATE deliveries SET taker = NULL, state = iif(state = 'sending', 'unknown', state), next_at = ? "
        "WHERE taker = ?");
    TRY(doubt.bind(1, to_millis(in.now)).bind(2, taker).run());
  }
  return {};
}

Result<> let_go_what_a_fast_clock_put_off(Transaction& in) {
  sqlite::Statement update = in.database.prepare(
      "UPDATE deliveries SET next_at = ?1 WHERE taker IS NULL AND state NOT IN ('sent', 'dead') AND next_at > ?2");
  return update.bind(1, to_millis(in.now)).bind(2, to_millis(in.now + kMaxPutOff)).run();
}

// Found one by one in the index, however many deliveries each has.
Result<std::vector<std::string>> channels_that_wait(Transaction& in) {
  constexpr const char* kNext =
      "SELECT channel FROM deliveries WHERE taker IS NULL AND state NOT IN ('sent', 'dead') AND channel > ? "
      "ORDER BY channel LIMIT 1";
  std::vector<std::string> channels;
  std::string last;
  for (;;) {
    sqlite::Statement next = in.database.prepare(kNext);
    TRY(const bool found, next.bind(1, last).step());
    if (!found) return channels;
    last = next.text(0);
    channels.push_back(last);
  }
}

// Only the first unfinished delivery of a conversation may go: the order is kept, even behind one in doubt.
Result<> first_of_channel(Transaction& in, const std::string& channel, int most, const std::vector<std::string>& reach,
                          std::vector<DeliveryRow>& taken) {
  static const std::string sql = fmt::format(
      "SELECT {} FROM deliveries AS one WHERE taker IS NULL AND state NOT IN ('sent', 'dead') AND channel = ? "
      "AND next_at <= ? AND NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE "
      "earlier.conversation = one.conversation AND earlier.number < one.number "
      "AND earlier.state NOT IN ('sent', 'dead')) ORDER BY next_at, number",
      kDeliveryColumns);
  if (most <= 0) return {};
  sqlite::Statement rows = in.database.prepare(sql);
  rows.bind(1, channel).bind(2, to_millis(in.now));
  while (most > 0) {
    TRY(const bool has_row, rows.step());
    if (!has_row) break;
    TRY(DeliveryRow row, decode_delivery(rows));
    if (!is_within(reach, row.conversation)) continue;
    taken.push_back(std::move(row));
    --most;
  }
  return {};
}

Result<std::optional<Timestamp>> last_beat(Transaction& in) {
  sqlite::Statement row = in.database.prepare("SELECT at FROM heartbeat");
  TRY(const bool found, row.step());
  if (!found) return std::nullopt;
  Columns columns(row);
  return columns.done(std::optional(columns.time()));
}

// Approvals and deadlines do not run while nobody is up.
Result<> move_what_stops(Transaction& in, std::chrono::milliseconds down) {
  sqlite::Statement dues = in.database.prepare("UPDATE dues SET at = at + ? WHERE stops_while_down = 1");
  TRY(dues.bind(1, down.count()).run());
  sqlite::Statement pending =
      in.database.prepare("UPDATE interactions SET expires_at = expires_at + ? WHERE state = 'pending'");
  return pending.bind(1, down.count()).run();
}

// A gap between two beats is a machine that slept, a process that was stopped, or a clock that jumped.
Result<> beat(Transaction& in, std::chrono::milliseconds max_gap) {
  TRY(const std::optional<Timestamp> last, last_beat(in));
  if (last && in.now - *last > max_gap) TRY(move_what_stops(in, in.now - *last));
  sqlite::Statement update = in.database.prepare("UPDATE heartbeat SET at = ?1 WHERE at < ?2 OR at > ?1");
  return update.bind(1, to_millis(in.now)).bind(2, to_millis(in.now - kHeartbeat)).run();
}

// Time that stops while we are down counts while somebody works. The next owner of the run counts again.
Result<bool> is_worked_on(Transaction& in, const RunId& run) {
  const std::string id = run.text();
  sqlite::Statement row = in.database.prepare("SELECT owner FROM runs WHERE id = ? AND owner IS NOT NULL");
  TRY(const bool found, row.bind(1, id).step());
  return found && in.locks.is_alive(std::string(row.text(0)));
}

}  // namespace

Result<std::vector<DeliveryRow>> take_deliveries(Transaction& in, int most, const InFlight& in_flight,
                                                 const std::vector<std::string>& reach) {
  TRY(doubt_what_the_dead_sent(in));
  TRY(let_go_what_a_fast_clock_put_off(in));
  TRY(const std::vector<std::string> channels, channels_that_wait(in));
  std::vector<DeliveryRow> taken;
  for (const std::string& channel : channels) {
    const auto busy = in_flight.find(channel);
    TRY(first_of_channel(in, channel, busy == in_flight.end() ? most : most - busy->second, reach, taken));
  }
  const std::string self = in.locks.self().text();
  for (DeliveryRow& delivery : taken) {
    if (delivery.state == DeliveryState::owed) delivery.state = DeliveryState::sending;
    ++delivery.attempts;
    const std::string id = delivery.id.text();
    sqlite::Statement take =
        in.database.prepare("UPDATE deliveries SET taker = ?, state = ?, attempts = ? WHERE id = ?");
    TRY(take.bind(1, self).bind(2, name(delivery.state)).bind(3, delivery.attempts).bind(4, id).run());
  }
  failpoint("store.deliveries.taken");
  return taken;
}

Result<> change_delivery(Transaction& in, const DeliveryChange& change) {
  if (change.state == DeliveryState::sending)
    return fail(ErrorKind::internal, "a delivery becomes `sending` only when it is taken");
  const std::string id = change.id.text();
  const std::string self = in.locks.self().text();
  sqlite::Statement update = in.database.prepare(
      "UPDATE deliveries SET state = ?, ref = iif(?2 = '', ref, ?2), next_at = ?, taker = NULL WHERE id = ? AND taker "
      "= ?");
  TRY(update.bind(1, name(change.state))
          .bind(2, change.ref)
          .bind(3, to_millis(change.next_at))
          .bind(4, id)
          .bind(5, self)
          .run());
  if (in.database.changes() == 1) return {};
  return fail(ErrorKind::conflict, fmt::format("delivery {} is not held by this instance", id));
}

Result<std::vector<DeliveryRow>> read_deliveries(sqlite::Connection& database, const DeliveryFilter& filter) {
  static const FilteredSelect select(fmt::format("SELECT {} FROM deliveries", kDeliveryColumns),
                                     {"run = ?1", "interaction = ?2"}, "ORDER BY number LIMIT ?3");
  const auto run = text_of(filter.run);
  const auto interaction = text_of(filter.interaction);
  sqlite::Statement rows = database.prepare(select.with({run.has_value(), interaction.has_value()}));
  rows.bind(1, run).bind(2, interaction).bind(3, filter.most);
  return decode_all(rows, &decode_delivery);
}

Result<TakenDues> take_due(Transaction& in, int most, std::chrono::milliseconds max_gap) {
  TRY(beat(in, max_gap));
  static const std::string sql = fmt::format("SELECT {} FROM dues WHERE at <= ? ORDER BY at LIMIT ?", kDueColumns);
  std::vector<DueRow> due;
  {
    sqlite::Statement rows = in.database.prepare(sql);
    rows.bind(1, to_millis(in.now)).bind(2, most);
    TRY(due, decode_all(rows, &decode_due));
  }
  TakenDues taken;
  for (DueRow& row : due) {
    if (row.mail) {
      row.mail->entry.at = in.now;
      bool counts = true;
      if (row.stops_while_down) {
        TRY(counts, is_worked_on(in, row.mail->run));
      }
      if (counts) {
        TRY(const bool delivered, put_mail(in, *row.mail));
        if (delivered) taken.has_mail.push_back(row.mail->run);
      }
      sqlite::Statement remove = in.database.prepare("DELETE FROM dues WHERE kind = ? AND id = ?");
      TRY(remove.bind(1, row.kind).bind(2, row.id).run());
    } else {
      sqlite::Statement postpone = in.database.prepare("UPDATE dues SET at = ? WHERE kind = ? AND id = ?");
      TRY(postpone.bind(1, to_millis(in.now + kTakeAgain)).bind(2, row.kind).bind(3, row.id).run());
      taken.dues.push_back(std::move(row));
    }
  }
  if (!due.empty()) failpoint("store.dues.taken");
  return taken;
}

Result<> add_downtime(Transaction& in) {
  TRY(const std::optional<Timestamp> last, last_beat(in));
  if (!last) {
    sqlite::Statement insert = in.database.prepare("INSERT INTO heartbeat (at) VALUES (?)");
    return insert.bind(1, to_millis(in.now)).run();
  }
  const std::chrono::milliseconds down = in.now - *last;
  if (down > kHeartbeat) TRY(move_what_stops(in, down));
  sqlite::Statement update = in.database.prepare("UPDATE heartbeat SET at = ?");
  return update.bind(1, to_millis(in.now)).run();
}

}  // namespace deputy::store

#include "store/sqlite/keeping.h"

#include <fmt/format.h>

#include "store/sqlite/columns.h"
#include "store/sqlite/decode.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/removing.h"

namespace deputy::store {

namespace {

using std::chrono::milliseconds;
using By = RunStatement::By;

// Rows that are removed when they are old, whatever else exists.
struct Aged {
  milliseconds Retention::* age;
  std::int64_t Removed::* count;
  std::string_view rows;  // a number and a body, older than the parameter
  std::string_view remove;
};

constexpr Aged kAged[] = {
    {&Retention::results, &Removed::results, "SELECT number, body FROM results WHERE at < ?",
     "DELETE FROM results WHERE number = ?"},
    {&Retention::audit, &Removed::audit, "SELECT number, body FROM audit WHERE at < ?",
     "DELETE FROM audit WHERE number = ?"},
    // Deliveries without a run (help, refusals) and grants age like runs.
    {&Retention::runs, &Removed::deliveries,
     "SELECT number, body FROM deliveries WHERE run IS NULL AND state IN ('sent', 'dead') AND owed_at < ?",
     "DELETE FROM deliveries WHERE number = ?"},
    {&Retention::runs, &Removed::grants,
     "SELECT number, body FROM grants WHERE min(coalesce(revoked_at, ends_at), ends_at) < ?",
     "DELETE FROM grants WHERE number = ?"},
    {&Retention::inbox_keys, &Removed::marks, "SELECT number, body FROM marks WHERE ends_at < ?",
     "DELETE FROM marks WHERE number = ?"},
};

constexpr RunPieces kPieces[] = {
    {{By::id, "SELECT number, body FROM results WHERE run = ?"}, "DELETE FROM results WHERE number = ?"},
    {{By::number, "SELECT number, body FROM entries WHERE run = ?"}, "DELETE FROM entries WHERE number = ?"},
};

constexpr RunStatement kThen[] = {
    {By::number, "DELETE FROM search WHERE rowid = ?"},
    {By::id, "DELETE FROM tokens WHERE interaction IN (SELECT id FROM interactions WHERE run = ?)"},
    {By::id, "DELETE FROM interactions WHERE run = ?"},
    {By::id, "DELETE FROM deliveries WHERE run = ? AND state IN ('sent', 'dead')"},
    {By::id, "DELETE FROM dues WHERE run = ?"},
    {By::id, "DELETE FROM marks WHERE run = ?"},
};

// One batch: the ages, the allowance, and what has been removed.
struct Batch {
  const Retention& retention;
  int most;
  Allowance allowance = {};
  Removed removed = {};
};

Result<Chosen> choose_older(Transaction& in, Batch& batch, std::string_view rows, Timestamp than) {
  sqlite::Statement select = in.database.prepare(rows);
  select.bind(1, to_millis(than));
  TRY(Chosen chosen, choose(std::move(select), batch.most, batch.allowance));
  batch.removed.more = batch.removed.more || !chosen.all;
  return chosen;
}

Result<> remove_aged(Transaction& in, Batch& batch, const Aged& kind) {
  TRY(const Chosen chosen, choose_older(in, batch, kind.rows, in.now - batch.retention.*kind.age));
  batch.removed.*kind.count = std::ssize(chosen.numbers);
  return each_number(in, kind.remove, chosen.numbers);
}

// A conversation is removed with the last of its runs and messages. Each of these changes the version, so when the last
// is removed the version is old; and a version in the past is never assigned again.
constexpr milliseconds kSettled = std::chrono::hours(1);

Result<> drop_conversation(Transaction& in, std::string_view sql, std::int64_t number) {
  sqlite::Statement drop = in.database.prepare(sql);
  return drop.bind(1, number).bind(2, to_millis(in.now - kSettled)).run();
}

Result<> remove_inbox_keys(Transaction& in, Batch& batch) {
  TRY(const Chosen chosen,
      choose_older(in, batch, "SELECT number, key FROM inbox WHERE at < ?", in.now - batch.retention.inbox_keys));
  for (const std::int64_t number : chosen.numbers) {
    TRY(drop_conversation(in,
                          "DELETE FROM conversations WHERE key = (SELECT conversation FROM inbox WHERE number = ?1) "
                          "AND version < ?2 AND NOT EXISTS (SELECT 1 FROM runs WHERE conversation = conversations.key)",
                          number));
  }
  batch.removed.inbox_keys = std::ssize(chosen.numbers);
  return each_number(in, "DELETE FROM inbox WHERE number = ?", chosen.numbers);
}

// A run stores its texts when it first asks a model, and refreshes their time when it is a day old. So texts older than
// the oldest run by more than that belong to no run. Never younger than runs may be: the clock may have been ahead when
// the oldest run came.
Result<> remove_texts(Transaction& in, Batch& batch) {
  Timestamp oldest = in.now - batch.retention.runs;
  {
    sqlite::Statement run =
        in.database.prepare("SELECT created_at FROM runs WHERE number = (SELECT min(number) FROM runs)");
    TRY(const bool found, run.step());
    if (found) {
      Columns columns(run);
      const Timestamp created = columns.time();
      TRY(oldest, columns.done(std::min(oldest, created)));
    }
  }
  TRY(const Chosen chosen,
      choose_older(in, batch, "SELECT rowid, body FROM texts WHERE at < ?", oldest - std::chrono::days(2)));
  batch.removed.texts = std::ssize(chosen.numbers);
  return each_number(in, "DELETE FROM texts WHERE rowid = ?", chosen.numbers);
}

Result<> remove_spent(Transaction& in, Batch& batch) {
  const std::string day = format_timestamp(in.now - batch.retention.audit).substr(0, 10);
  sqlite::Statement remove = in.database.prepare(
      "DELETE FROM spent WHERE (day, scope) IN (SELECT day, scope FROM spent WHERE day < ? LIMIT ?)");
  TRY(remove.bind(1, day).bind(2, batch.most).run());
  batch.removed.spent = in.database.changes();
  batch.removed.more = batch.removed.more || batch.removed.spent == batch.most;
  return {};
}

Result<std::vector<RunKey>> old_runs(Transaction& in, const Batch& batch) {
  sqlite::Statement rows = in.database.prepare("SELECT number, id FROM runs WHERE finished_at < ? LIMIT ?");
  rows.bind(1, to_millis(in.now - batch.retention.runs)).bind(2, batch.most);
  std::vector<RunKey> runs;
  for (;;) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return runs;
    runs.push_back({rows.integer(0), std::string(rows.text(1))});
  }
}

Result<> remove_runs(Transaction& in, Batch& batch) {
  TRY(const std::vector<RunKey> runs, old_runs(in, batch));
  bool all = std::ssize(runs) < batch.most;
  for (const auto& [number, id] : runs) {
    if (batch.allowance.is_spent()) {
      all = false;
      break;
    }
    TRY(const bool whole, clear_run(in, kPieces, kThen, {number, id}, batch.allowance));
    if (!whole) {
      // Its journal is partly removed: nobody may read it.
      TRY(each_number(in, "UPDATE runs SET forgotten = 1 WHERE number = ?", {number}));
      all = false;
      break;
    }
    TRY(drop_conversation(in,
                          "DELETE FROM conversations WHERE key = (SELECT conversation FROM runs WHERE number = ?1) AND "
                          "version < ?2 AND NOT EXISTS (SELECT 1 FROM runs WHERE conversation = conversations.key AND "
                          "number <> ?1)",
                          number));
    TRY(each_number(in, "DELETE FROM runs WHERE number = ?", {number}));
    ++batch.removed.runs;
  }
  batch.removed.more = batch.removed.more || !all;
  return {};
}

}  // namespace

Result<Removed> remove_old(Transaction& in, const Retention& retention, int most) {
  Batch batch{retention, most};
  for (const Aged& kind : kAged) TRY(remove_aged(in, batch, kind));
  TRY(remove_inbox_keys(in, batch));
  TRY(remove_spent(in, batch));
  TRY(remove_runs(in, batch));
  TRY(remove_texts(in, batch));
  if (batch.removed.runs > 0) TRY(owe_wiping(in, Removal::aged));
  return batch.removed;
}

Result<> set_brake(Transaction& in, const BrakeRow& brake, const Effects& effects) {
  sqlite::Statement put = in.database.prepare(
      "INSERT INTO brake (one, brake, by, at) VALUES (1, ?1, ?2, ?3) "
      "ON CONFLICT DO UPDATE SET brake = ?1, by = ?2, at = ?3");
  TRY(put.bind(1, name(brake.brake)).bind(2, brake.by).bind(3, to_millis(brake.at)).run());
  return apply(in, effects);
}

Result<> revoke_grant(Transaction& in, const GrantId& grant, const std::string& by, const Effects& effects) {
  const std::string id = grant.text();
  sqlite::Statement update =
      in.database.prepare("UPDATE grants SET revoked_at = ?, revoked_by = ? WHERE id = ? AND revoked_at IS NULL");
  TRY(update.bind(1, to_millis(in.now)).bind(2, by).bind(3, id).run());
  if (in.database.changes() == 0)
    return fail(ErrorKind::not_found, fmt::format("there is no live grant {}", id), "see `deputy grants list`");
  return apply(in, effects);
}

}  // namespace deputy::store

#include "store/sqlite/keeping.h"

#include <fmt/format.h>

#include "store/sqlite/decode.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/filtered.h"

namespace deputy::store {

namespace {

struct RunKey {
  std::int64_t number;
  std::string id;
};

Result<std::vector<RunKey>> keys_of(sqlite::Statement& rows) {
  std::vector<RunKey> keys;
  for (;;) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return keys;
    keys.push_back({rows.integer(0), std::string(rows.text(1))});
  }
}

Result<std::int64_t> remove_before(Transaction& in, std::string_view sql, std::chrono::milliseconds age, int most) {
  sqlite::Statement remove = in.database.prepare(sql);
  TRY(remove.bind(1, to_millis(in.now - age)).bind(2, most).run());
  return in.database.changes();
}

// A statement about one run, which takes the run's number or its id.
struct RunStatement {
  enum class By { number, id };
  By by;
  std::string_view sql;
};

constexpr RunStatement kRemoveRun[] = {
    {RunStatement::By::number, "DELETE FROM entries WHERE run = ?"},
    {RunStatement::By::number, "DELETE FROM search WHERE rowid = ?"},
    {RunStatement::By::id, "DELETE FROM tokens WHERE interaction IN (SELECT id FROM interactions WHERE run = ?)"},
    {RunStatement::By::id, "DELETE FROM interactions WHERE run = ?"},
    {RunStatement::By::id, "DELETE FROM deliveries WHERE run = ? AND state IN ('sent', 'dead')"},
    {RunStatement::By::id, "DELETE FROM dues WHERE run = ?"},
    {RunStatement::By::id, "DELETE FROM results WHERE run = ?"},
    {RunStatement::By::number, "DELETE FROM runs WHERE number = ?"},
};

constexpr RunStatement kForgetRun[] = {
    {RunStatement::By::number, "UPDATE entries SET body = '' WHERE run = ?"},
    {RunStatement::By::number, "DELETE FROM search WHERE rowid = ?"},
    {RunStatement::By::id, "DELETE FROM tokens WHERE interaction IN (SELECT id FROM interactions WHERE run = ?)"},
    {RunStatement::By::id, "UPDATE interactions SET body = '', draft = '', response = '' WHERE run = ?"},
    {RunStatement::By::id, "UPDATE deliveries SET body = '' WHERE run = ? AND state IN ('sent', 'dead')"},
    {RunStatement::By::id, "DELETE FROM dues WHERE run = ?"},
    {RunStatement::By::id, "DELETE FROM results WHERE run = ?"},
    {RunStatement::By::id, "UPDATE audit SET body = '' WHERE run = ?"},
    {RunStatement::By::number, "UPDATE runs SET headline = '', forgotten = 1 WHERE number = ?"},
};

Result<> for_run(Transaction& in, std::span<const RunStatement> statements, const RunKey& run) {
  for (const auto& [by, sql] : statements) {
    sqlite::Statement statement = in.database.prepare(sql);
    TRY((by == RunStatement::By::number ? statement.bind(1, run.number) : statement.bind(1, run.id)).run());
  }
  return {};
}

}  // namespace

Result<Removed> remove_old(Transaction& in, const Retention& retention, int most) {
  Removed removed;
  TRY(removed.results,
      remove_before(in, "DELETE FROM results WHERE number IN (SELECT number FROM results WHERE at < ? LIMIT ?)",
                    retention.results, most));
  TRY(removed.audit,
      remove_before(in, "DELETE FROM audit WHERE number IN (SELECT number FROM audit WHERE at < ? LIMIT ?)",
                    retention.audit, most));
  TRY(removed.inbox_keys,
      remove_before(in, "DELETE FROM inbox WHERE number IN (SELECT number FROM inbox WHERE at < ? LIMIT ?)",
                    retention.inbox_keys, most));
  // Deliveries of no run (help, refusals) and grants age like runs.
  TRY(remove_before(in,
                    "DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries WHERE run IS NULL AND state "
                    "IN ('sent', 'dead') "
                    "AND owed_at < ? LIMIT ?)",
                    retention.runs, most));
  TRY(remove_before(in, "DELETE FROM grants WHERE number IN (SELECT number FROM grants WHERE ends_at < ? LIMIT ?)",
                    retention.runs, most));
  std::vector<RunKey> old;
  {
    sqlite::Statement rows = in.database.prepare("SELECT number, id FROM runs WHERE finished_at < ? LIMIT ?");
    rows.bind(1, to_millis(in.now - retention.runs)).bind(2, most);
    TRY(old, keys_of(rows));
  }
  for (const RunKey& run : old) TRY(for_run(in, kRemoveRun, run));
  removed.runs = static_cast<std::int64_t>(old.size());
  return removed;
}

Result<Forgotten> forget(Transaction& in, const ForgetScope& scope, const Effects& effects) {
  const auto run = text_of(scope.run);
  if (int{run.has_value()} + int{scope.conversation.has_value()} + int{scope.person.has_value()} != 1) {
    return fail(ErrorKind::invalid_input, "say what to forget: one run, one conversation or one person");
  }
  // A run is over when it has finished and everything it owed is out.
  static const FilteredSelect choose("SELECT number, id FROM runs",
                                     {"id = ?1", "conversation = ?2", "requester = ?3",
                                      "(state = 'finished' AND NOT EXISTS (SELECT 1 FROM deliveries WHERE run = "
                                      "runs.id AND deliveries.state NOT IN ('sent', 'dead')))",
                                      "(state <> 'finished' OR EXISTS (SELECT 1 FROM deliveries WHERE run = runs.id "
                                      "AND deliveries.state NOT IN ('sent', 'dead')))"},
                                     "LIMIT ?4");
  const auto select = [&](bool is_over) -> Result<std::vector<RunKey>> {
    sqlite::Statement rows = in.database.prepare(
        choose.with({run.has_value(), scope.conversation.has_value(), scope.person.has_value(), is_over, !is_over}));
    rows.bind(1, run).bind(2, scope.conversation).bind(3, scope.person).bind(4, std::int64_t{-1});
    return keys_of(rows);
  };
  TRY(const std::vector<RunKey> over, select(/*is_over=*/true));
  TRY(const std::vector<RunKey> under_way, select(/*is_over=*/false));
  for (const RunKey& key : over) TRY(for_run(in, kForgetRun, key));
  if (scope.conversation) {
    sqlite::Statement blank = in.database.prepare(
        "UPDATE deliveries SET body = '' WHERE conversation = ? AND run IS NULL AND state IN ('sent', 'dead')");
    TRY(blank.bind(1, *scope.conversation).run());
  }
  // The index keeps the words of removed rows until its parts are merged, and the log keeps the pages as they were.
  if (!over.empty()) TRY(in.database.execute("INSERT INTO search (search) VALUES ('optimize')"));
  in.wipes = true;
  TRY(apply(in, effects));
  return Forgotten{static_cast<std::int64_t>(over.size()), static_cast<std::int64_t>(under_way.size())};
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

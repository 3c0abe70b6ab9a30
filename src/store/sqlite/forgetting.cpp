#include "store/sqlite/forgetting.h"

#include <fmt/format.h>

#include "store/sqlite/decode.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/removing.h"

namespace deputy::store {

namespace {

using By = RunStatement::By;

constexpr RunPieces kPieces[] = {
    {{By::id, "SELECT number, body FROM results WHERE run = ?"}, "DELETE FROM results WHERE number = ?"},
    {{By::number, "SELECT number, body FROM entries WHERE run = ? AND body <> ''"},
     "UPDATE entries SET body = '' WHERE number = ?"},
};

// Mark the run last: a half-done run is started again.
constexpr RunStatement kThen[] = {
    {By::number, "DELETE FROM search WHERE rowid = ?"},
    {By::id, "DELETE FROM tokens WHERE interaction IN (SELECT id FROM interactions WHERE run = ?)"},
    {By::id, "UPDATE interactions SET body = '', draft = '', response = '' WHERE run = ?"},
    {By::id, "UPDATE deliveries SET body = '' WHERE run = ? AND state IN ('sent', 'dead')"},
    {By::id, "DELETE FROM dues WHERE run = ?"},
    {By::id, "UPDATE marks SET body = '' WHERE run = ?"},
    {By::id, "UPDATE audit SET body = '' WHERE run = ?"},
    {By::number, "UPDATE runs SET headline = '', forgotten = 1 WHERE number = ?"},
};

struct Visited {
  RunKey run;
  bool is_over = false;  // finished, and everything it owed is delivered
};

Result<std::vector<Visited>> visit(Transaction& in, const ForgetScope& scope, int most) {
  static const FilteredSelect choose_runs(
      "SELECT number, id, state = 'finished' AND NOT EXISTS (SELECT 1 FROM deliveries WHERE run = runs.id AND "
      "deliveries.state NOT IN ('sent', 'dead')) FROM runs",
      {"(id = ?1 OR parent = ?1)", "conversation = ?2", "requester = ?3"},
      "AND forgotten = 0 AND number > ?4 ORDER BY number LIMIT ?5");
  const auto run = text_of(scope.run);
  sqlite::Statement rows = in.database.prepare(
      choose_runs.with({run.has_value(), scope.conversation.has_value(), scope.person.has_value()}));
  rows.bind(1, run).bind(2, scope.conversation).bind(3, scope.person).bind(4, scope.after).bind(5, most);
  std::vector<Visited> visited;
  for (;;) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return visited;
    visited.push_back({{rows.integer(0), std::string(rows.text(1))}, rows.integer(2) != 0});
  }
}

// The run must exist when forgetting starts. Later runs of a conversation may have been removed meanwhile.
Result<> check(Transaction& in, const ForgetScope& scope) {
  const auto run = text_of(scope.run);
  if (int{run.has_value()} + int{scope.conversation.has_value()} + int{scope.person.has_value()} != 1) {
    return fail(ErrorKind::invalid_input, "say what to forget: one run, one conversation or one person");
  }
  if (!run || scope.after != 0) return {};
  sqlite::Statement row = in.database.prepare("SELECT 1 FROM runs WHERE id = ?");
  TRY(const bool found, row.bind(1, *run).step());
  if (found) return {};
  return fail(ErrorKind::not_found, fmt::format("there is no run {}", *run), "see `deputy runs list`");
}

// Blanks deliveries of a conversation that belong to no run. True when all are done.
Result<bool> blank_lone_deliveries(Transaction& in, const std::string& conversation, int most, Allowance& allowance) {
  sqlite::Statement rows = in.database.prepare(
      "SELECT number, body FROM deliveries WHERE conversation = ? AND run IS NULL AND state IN ('sent', 'dead') AND "
      "body <> ''");
  rows.bind(1, conversation);
  TRY(const Chosen chosen, choose(std::move(rows), most, allowance));
  TRY(each_number(in, "UPDATE deliveries SET body = '' WHERE number = ?", chosen.numbers));
  return chosen.all;
}

// A grant is useless without its arguments: a live one is revoked. True when all are done.
Result<bool> blank_grants(Transaction& in, const ForgetScope& scope, int most, Allowance& allowance) {
  sqlite::Statement rows =
      in.database.prepare(scope.person ? "SELECT number, body FROM grants WHERE holder = ? AND body <> ''"
                                       : "SELECT number, body FROM grants WHERE conversation = ? AND body <> ''");
  rows.bind(1, scope.person ? scope.person : scope.conversation);
  TRY(const Chosen chosen, choose(std::move(rows), most, allowance));
  sqlite::Statement blank = in.database.prepare(
      "UPDATE grants SET body = '', revoked_by = iif(revoked_at IS NULL, 'forget', revoked_by), revoked_at = "
      "coalesce(revoked_at, ?2) WHERE number = ?1");
  for (const std::int64_t number : chosen.numbers) TRY(blank.bind(1, number).bind(2, to_millis(in.now)).run());
  return chosen.all;
}

// Marks of runs go with them; others hold the text of a message. True when all are done.
Result<bool> drop_marks(Transaction& in, const ForgetScope& scope, int most, Allowance& allowance) {
  sqlite::Statement rows =
      in.database.prepare(scope.person ? "SELECT number, body FROM marks WHERE person = ? AND run IS NULL"
                                       : "SELECT number, body FROM marks WHERE conversation = ? AND run IS NULL");
  rows.bind(1, scope.person ? scope.person : scope.conversation);
  TRY(const Chosen chosen, choose(std::move(rows), most, allowance));
  TRY(each_number(in, "DELETE FROM marks WHERE number = ?", chosen.numbers));
  return chosen.all;
}

Result<bool> forget_outside_of_runs(Transaction& in, const ForgetScope& scope, int most, Allowance& allowance) {
  if (scope.run) return true;
  if (scope.conversation) {
    TRY(const bool all, blank_lone_deliveries(in, *scope.conversation, most, allowance));
    if (!all) return false;
  }
  TRY(const bool all, drop_marks(in, scope, most, allowance));
  if (!all) return false;
  return blank_grants(in, scope, most, allowance);
}

// One batch, without its effects.
Result<Forgotten> forget_some(Transaction& in, const ForgetScope& scope, int most) {
  Forgotten forgotten;
  Allowance allowance;
  TRY(const std::vector<Visited> visited, visit(in, scope, most));
  forgotten.last = scope.after;
  for (const auto& [run, is_over] : visited) {
    if (allowance.is_spent()) return forgotten;
    if (is_over) {
      TRY(const bool whole, clear_run(in, kPieces, kThen, run, allowance));
      if (!whole) return forgotten;
    }
    ++(is_over ? forgotten.runs : forgotten.unfinished);
    forgotten.last = run.number;
  }
  if (static_cast<int>(visited.size()) == most) return forgotten;
  TRY(const bool all, forget_outside_of_runs(in, scope, most, allowance));
  if (all) forgotten.last = std::nullopt;
  return forgotten;
}

}  // namespace

Result<Forgotten> forget(Transaction& in, const ForgetScope& scope, const Effects& effects, int most) {
  TRY(check(in, scope));
  const std::int64_t before = sqlite3_total_changes64(in.database.handle());
  TRY(const Forgotten forgotten, forget_some(in, scope, most));
  if (sqlite3_total_changes64(in.database.handle()) > before) TRY(owe_wiping(in, Removal::forgotten));
  TRY(apply(in, effects));
  return forgotten;
}

}  // namespace deputy::store

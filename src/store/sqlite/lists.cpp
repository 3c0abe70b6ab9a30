#include "store/sqlite/lists.h"

#include <fmt/format.h>

#include "base/text.h"
#include "store/sqlite/columns.h"
#include "store/sqlite/decode.h"

namespace deputy::store {

namespace {

Result<SpendRow> decode_spend(const sqlite::Statement& row) {
  Columns columns(row);
  SpendRow spend;
  spend.scope = columns.text();
  spend.day = columns.text();
  spend.millionths = columns.integer();
  return columns.done(std::move(spend));
}

}  // namespace

Result<std::vector<RunRow>> read_runs(sqlite::Connection& database, const RunFilter& filter) {
  static const FilteredSelect select(fmt::format("SELECT {} FROM runs", kRunColumns),
                                     {"conversation = ?1", "requester = ?2", "state = ?3", "parent = ?4",
                                      "number < (SELECT number FROM runs WHERE id = ?5)", "id = ?6"},
                                     "ORDER BY number DESC LIMIT ?7");
  const auto run = text_of(filter.run);
  const auto parent = text_of(filter.parent);
  const auto before = text_of(filter.before);
  const auto state = filter.state ? std::optional(name(*filter.state)) : std::nullopt;
  sqlite::Statement rows =
      database.prepare(select.with({filter.conversation.has_value(), filter.requester.has_value(), state.has_value(),
                                    parent.has_value(), before.has_value(), run.has_value()}));
  rows.bind(1, filter.conversation)
      .bind(2, filter.requester)
      .bind(3, state)
      .bind(4, parent)
      .bind(5, before)
      .bind(6, run)
      .bind(7, filter.most);
  return decode_all(rows, &decode_run);
}

Result<std::vector<GrantRow>> read_grants(sqlite::Connection& database, const GrantFilter& filter, Timestamp now) {
  static const FilteredSelect select(fmt::format("SELECT {} FROM grants", kGrantColumns),
                                     {"conversation = ?1", "holder = ?2",
                                      "revoked_at IS NULL AND ends_at > ?3 AND (max_uses IS NULL OR uses < max_uses)"},
                                     "ORDER BY number DESC LIMIT ?4");
  sqlite::Statement rows =
      database.prepare(select.with({filter.conversation.has_value(), filter.holder.has_value(), filter.live_only}));
  rows.bind(1, filter.conversation).bind(2, filter.holder).bind(3, to_millis(now)).bind(4, filter.most);
  return decode_all(rows, &decode_grant);
}

Result<std::vector<AuditRow>> read_audit(sqlite::Connection& database, const AuditFilter& filter) {
  static const FilteredSelect select(fmt::format("SELECT {} FROM audit", kAuditColumns),
                                     {"number < ?1", "run = ?2", "person = ?3"}, "ORDER BY number DESC LIMIT ?4");
  const auto run = text_of(filter.run);
  sqlite::Statement rows =
      database.prepare(select.with({filter.before.has_value(), run.has_value(), filter.person.has_value()}));
  rows.bind(1, filter.before).bind(2, run).bind(3, filter.person).bind(4, filter.most);
  return decode_all(rows, &decode_audit);
}

Result<std::vector<SpendRow>> read_spent(sqlite::Connection& database, const std::string& from_day,
                                         const std::string& to_day) {
  sqlite::Statement rows =
      database.prepare("SELECT scope, day, millionths FROM spent WHERE day BETWEEN ? AND ? ORDER BY day, scope");
  rows.bind(1, from_day).bind(2, to_day);
  return decode_all(rows, &decode_spend);
}

Result<std::vector<SpendRow>> read_spent_on(sqlite::Connection& database, const std::string& day,
                                            const std::vector<std::string>& scopes) {
  std::vector<SpendRow> spent;
  for (const std::string& scope : scopes) {
    sqlite::Statement row = database.prepare("SELECT scope, day, millionths FROM spent WHERE day = ? AND scope = ?");
    row.bind(1, day).bind(2, scope);
    TRY(const bool has_row, row.step());
    if (!has_row) continue;
    TRY(SpendRow found, decode_spend(row));
    spent.push_back(std::move(found));
  }
  return spent;
}

Result<BrakeRow> read_brake(sqlite::Connection& database) {
  sqlite::Statement row = database.prepare("SELECT brake, by, at FROM brake");
  TRY(const bool found, row.step());
  if (!found) return BrakeRow{};
  Columns columns(row);
  BrakeRow brake;
  brake.brake = columns.state(&brake_of);
  brake.by = columns.text();
  brake.at = columns.time();
  return columns.done(std::move(brake));
}

Result<std::string> read_result(sqlite::Connection& database, const RunId& run, const std::string& call) {
  const std::string id = run.text();
  sqlite::Statement row = database.prepare("SELECT body FROM results WHERE run = ? AND call = ?");
  TRY(const bool found, row.bind(1, id).bind(2, call).step());
  if (!found) {
    return fail(ErrorKind::not_found, fmt::format("run {} has no stored result of call {}", id, call),
                "results are kept for a limited time");
  }
  return std::string(row.text(0));
}

Result<std::string> read_text_by_digest(sqlite::Connection& database, const std::string& digest) {
  sqlite::Statement row = database.prepare("SELECT body FROM texts WHERE digest = ?");
  TRY(const bool found, row.bind(1, digest).step());
  if (!found) return fail(ErrorKind::not_found, fmt::format("there is no stored text {}", digest));
  return std::string(row.text(0));
}

std::string search_query(std::string_view words) {
  std::string query;
  std::string word;
  std::size_t count = 0;
  const auto flush = [&] {
    if (word.empty() || ++count > kMaxSearchWords) return;
    query += fmt::format("{}\"{}\"*", query.empty() ? "" : " ", word);
    word.clear();
  };
  for (const char c : words) {
    const bool in_word = is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80;
    if (in_word) {
      word += c;
    } else {
      flush();
    }
  }
  flush();
  return query;
}

Result<std::vector<SearchHit>> search(sqlite::Connection& database, const std::string& words, const SearchScope& scope,
                                      int most) {
  std::vector<SearchHit> found;
  const std::string query = search_query(words);
  if (query.empty()) return found;
  sqlite::Statement rows = database.prepare(
      "SELECT runs.id, runs.conversation, runs.created_at, snippet(search, 0, '', '', '…', 32) FROM search "
      "JOIN runs ON runs.number = search.rowid WHERE search MATCH ?1 AND ((?2 IS NULL AND ?3 IS NULL) OR "
      "runs.conversation = ?2 OR substr(runs.conversation, 1, length(?3)) = ?3) ORDER BY rank LIMIT ?4");
  rows.bind(1, query).bind(2, scope.conversation).bind(3, scope.beginning).bind(4, most);
  for (;;) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return found;
    Columns columns(rows);
    SearchHit row;
    row.run = columns.id<RunId>();
    row.conversation = columns.text();
    row.created_at = columns.time();
    row.snippet = columns.text();
    TRY(row, columns.done(std::move(row)));
    found.push_back(std::move(row));
  }
}

FilteredSelect::FilteredSelect(std::string_view head, std::initializer_list<std::string_view> conditions,
                               std::string_view tail) {
  for (std::size_t bits = 0; bits < std::size_t{1} << conditions.size(); ++bits) {
    std::string text(head);
    std::string_view joint = " WHERE ";
    std::size_t bit = 1;
    for (const std::string_view condition : conditions) {
      if ((bits & bit) != 0) text.append(std::exchange(joint, " AND ")).append(condition);
      bit <<= 1;
    }
    texts_.push_back(std::move(text.append(" ").append(tail)));
  }
}

std::string_view FilteredSelect::with(std::initializer_list<bool> set) const {
  std::size_t bits = 0;
  std::size_t bit = 1;
  for (const bool is_set : set) {
    if (is_set) bits |= bit;
    bit <<= 1;
  }
  return texts_.at(bits);
}

}  // namespace deputy::store

// Row decoding: a database with the store's columns but rows of any type and bytes, as a damaged or edited file may
// have them. Every decoder and every reading function returns rows or an error, and nothing crashes.
//
// The input is a list of values, each a byte that says what it is and then its bytes; they fill the rows of all tables
// one after another.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "store/sqlite/connect.h"
#include "store/sqlite/decode.h"
#include "store/sqlite/forgetting.h"
#include "store/sqlite/interactions.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/keeping.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/outbound.h"
#include "store/sqlite/removing.h"

namespace {

using namespace deputy;
using namespace deputy::store;

// What the reading functions are asked for; the input may say it too, so that rows are found.
constexpr const char* kId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr std::array<std::string_view, 12> kWords{kId,        "c",        "open", "parked",  "finished", "pending",
                                                  "approved", "answered", "owed", "sending", "sent",     "mail"};

class Values {
 public:
  explicit Values(std::string_view input) : input_(input) {}
  bool is_empty() const { return input_.empty(); }

  void bind_next(sqlite3_stmt* statement, int at) {
    const auto kind = static_cast<unsigned char>(take(1).empty() ? '\0' : last_[0]);
    switch (kind % 6) {
      case 0:
        return ok(sqlite3_bind_null(statement, at));
      case 1:
        return ok(sqlite3_bind_int64(statement, at, number()));
      case 2:
        return ok(sqlite3_bind_double(statement, at, static_cast<double>(number()) / 7));
      case 3: {
        const std::string_view word = kWords[kind / 6 % kWords.size()];
        return ok(sqlite3_bind_text(statement, at, word.data(), static_cast<int>(word.size()), SQLITE_STATIC));
      }
      case 4:
        take(kind / 6);
        return ok(sqlite3_bind_text(statement, at, last_.data(), static_cast<int>(last_.size()), SQLITE_TRANSIENT));
      default:
        take(kind / 6);
        return ok(sqlite3_bind_blob(statement, at, last_.data(), static_cast<int>(last_.size()), SQLITE_TRANSIENT));
    }
  }

 private:
  static void ok(int code) {
    if (code != SQLITE_OK) std::abort();
  }
  std::string_view take(std::size_t size) {
    last_ = input_.substr(0, size);
    input_.remove_prefix(last_.size());
    return last_;
  }
  std::int64_t number() {
    std::uint64_t value = 0;
    for (const char c : take(8)) value = value << 8 | static_cast<unsigned char>(c);
    return static_cast<std::int64_t>(value);
  }

  std::string_view input_;
  std::string_view last_;
};

// The store's tables without what keeps other values out.
struct Table {
  const char* create;
  const char* insert;
  int columns;
};
constexpr std::array<Table, 14> kTables{{
    {"CREATE TABLE runs (number, id, conversation, requester, parent, home, state, outcome, headline, owner, fence, "
     "ready, "
     "last_seq, seen_seq, created_at, finished_at, forgotten, crashes); "
     "CREATE INDEX runs_mail ON runs(owner) WHERE owner IS NOT NULL AND last_seq > seen_seq",
     "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 18},
    {"CREATE TABLE entries (number, run, seq, at, kind, version, body)",
     "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", 7},
    {"CREATE TABLE conversations (key UNIQUE, version)", "INSERT OR REPLACE INTO conversations VALUES (?, ?)", 2},
    {"CREATE TABLE interactions (number, id, run, call, conversation, kind, digest, code, body, created_at, "
     "expires_at, "
     "draft, state, response, responded_by, responded_at)",
     "INSERT INTO interactions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 16},
    {"CREATE TABLE tokens (token, interaction, body)", "INSERT INTO tokens VALUES (?, ?, ?)", 3},
    {"CREATE TABLE deliveries (number, id, conversation, kind, body, owed_at, run, interaction, state, ref, attempts, "
     "next_at, taker)",
     "INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 13},
    {"CREATE TABLE dues (kind, id, at, run, entry_kind, entry_version, entry_body, stops_while_down)",
     "INSERT INTO dues VALUES (?, ?, ?, ?, ?, ?, ?, ?)", 8},
    {"CREATE TABLE grants (number, id, conversation, tool, holder, by, body, created_at, ends_at, max_uses, uses, "
     "revoked_at, revoked_by)",
     "INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 13},
    {"CREATE TABLE spent (scope, day, millionths)", "INSERT INTO spent VALUES (?, ?, ?)", 3},
    {"CREATE TABLE audit (number, at, kind, person, run, digest, body)",
     "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", 7},
    {"CREATE TABLE results (number, run, call, at, body)", "INSERT INTO results VALUES (?, ?, ?, ?, ?)", 5},
    {"CREATE TABLE heartbeat (at)", "INSERT INTO heartbeat VALUES (?)", 1},
    {"CREATE TABLE named_leases (name UNIQUE, holder)", "INSERT OR REPLACE INTO named_leases VALUES (?, ?)", 2},
    {"CREATE TABLE wipes (one, search, log_owed, log_done)", "INSERT INTO wipes VALUES (?, ?, ?, ?)", 4},
}};

sqlite::Connection& database() {
  static sqlite::Connection connection = [] {
    auto opened = sqlite::Connection::open(":memory:", sqlite::Connection::Mode::read_write);
    if (!opened) std::abort();
    for (const Table& table : kTables) {
      if (!opened->execute(table.create)) std::abort();
    }
    const char* others =
        "CREATE TABLE texts (digest UNIQUE, body, at); CREATE TABLE inbox (number, key, conversation, at); "
        "CREATE VIRTUAL TABLE search USING fts5(text); INSERT INTO search VALUES ('c')";
    if (!opened->execute(others)) std::abort();
    return *std::move(opened);
  }();
  return connection;
}

void fill(sqlite::Connection& connection, Values& values) {
  for (int round = 0; round < 8 && !values.is_empty(); ++round) {
    for (const Table& table : kTables) {
      if (values.is_empty()) return;
      sqlite3_stmt* insert = nullptr;
      if (sqlite3_prepare_v2(connection.handle(), table.insert, -1, &insert, nullptr) != SQLITE_OK) std::abort();
      for (int at = 1; at <= table.columns; ++at) values.bind_next(insert, at);
      sqlite3_step(insert);
      sqlite3_finalize(insert);
    }
  }
}

template <class Row>
void decode(sqlite::Connection& connection, std::string_view columns, std::string_view table,
            Result<Row> (*decode_one)(const sqlite::Statement&)) {
  const std::string sql = fmt::format("SELECT {} FROM {}", columns, table);
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(connection.handle(), sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK) std::abort();
  {
    sqlite::Statement rows(prepared);
    while (rows.step().value_or(false)) {
      // What decodes can be shown and used: no time that overflows when something is added to it.
      if (const Result<Row> row = decode_one(rows); !row && describe(row.error()).empty()) std::abort();
    }
  }
  sqlite3_finalize(prepared);
}

// Either is right: what the rows hold is anybody's guess, and what is looked for here is a crash on the way.
template <class T>
void rows_or_error(const Result<T>&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sqlite::Connection& connection = database();
  if (!connection.execute("BEGIN")) std::abort();
  Values values({reinterpret_cast<const char*>(data), size});
  fill(connection, values);

  decode(connection, kEntryColumns, "entries", &decode_entry);
  decode(connection, kRunColumns, "runs", &decode_run);
  decode(connection, kInteractionColumns, "interactions", &decode_interaction);
  decode(connection, kDeliveryColumns, "deliveries", &decode_delivery);
  decode(connection, kGrantColumns, "grants", &decode_grant);
  decode(connection, kAuditColumns, "audit", &decode_audit);
  decode(connection, kDueColumns, "dues", &decode_due);

  const Timestamp now = from_millis(1'700'000'000'000);
  const RunId run = *RunId::parse(kId);
  const InteractionId interaction = *InteractionId::parse(kId);
  rows_or_error(read_conversation(connection, "c"));
  rows_or_error(read_journal(connection, run, 1));
  rows_or_error(read_interactions(connection, {}));
  rows_or_error(read_interactions(connection, {.run = run, .conversation = "c", .code = "c", .pending_only = false}));
  rows_or_error(read_token(connection, "c"));
  rows_or_error(read_deliveries(connection, {.run = run, .interaction = interaction}));
  rows_or_error(read_runs(connection, {}));
  rows_or_error(
      read_runs(connection, {.conversation = "c", .requester = "c", .state = RunStatus::open, .before = run}));
  rows_or_error(read_grants(connection, {}, now));
  rows_or_error(read_audit(connection, {.run = run, .person = "c"}));
  rows_or_error(read_spent(connection, "", "z"));
  rows_or_error(read_result(connection, run, "c"));
  rows_or_error(search(connection, "c", {}, 10));
  rows_or_error(search(connection, "c", {.conversation = "c", .beginning = "o"}, 10));

  // What writes reads first.
  const InstanceLocks nobody;
  Transaction in{connection, nobody, now};
  rows_or_error(add_downtime(in));
  rows_or_error(take_due(in, 10));
  rows_or_error(take_deliveries(in, 10));
  rows_or_error(answer(in, interaction, {InteractionState::approved, "", "c", now}, {0, now, "answered", 1, ""}, {}));
  rows_or_error(claim(in, 10, {}));
  rows_or_error(append(in, {run, nobody.self(), 1, Lease::After::fresh}, 1, If::held, {{0, now, "e", 1, ""}}, {}));
  rows_or_error(hold(in, "c"));
  rows_or_error(forget(in, {.conversation = "c"}, {}, 10));
  using std::chrono::hours;
  rows_or_error(remove_old(in, {hours(1), hours(1), hours(1), hours(1)}, 10));
  rows_or_error(wipe_step(in));
  if (!connection.execute("ROLLBACK")) std::abort();
  return 0;
}

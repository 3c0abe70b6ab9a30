#include "store/sqlite/schema.h"

#include <fmt/format.h>

#include <array>

#include "base/failpoint.h"
#include "base/log.h"

namespace deputy::store {

namespace {

constexpr std::int64_t kApplicationId = 0x44505459;  // "DPTY", so that another program's file is not taken for ours

// Journals are append-only rows in time order behind a narrow index: a commit touches the last page and few others,
// however many runs write. Runs have a number beside their id for that index.
constexpr const char* kFirst = R"sql(
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL,
  requester TEXT NOT NULL,
  parent TEXT,
  home TEXT,
  state TEXT NOT NULL DEFAULT 'open',
  outcome TEXT NOT NULL DEFAULT '',
  headline TEXT NOT NULL DEFAULT '',
  owner TEXT,
  fence INTEGER NOT NULL DEFAULT 0,
  ready TEXT,
  last_seq INTEGER NOT NULL DEFAULT 0,
  seen_seq INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  forgotten INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_ready ON runs(number) WHERE ready IS NOT NULL AND owner IS NULL;
CREATE INDEX runs_owner ON runs(owner) WHERE owner IS NOT NULL;
CREATE INDEX runs_conversation ON runs(conversation, number);
CREATE INDEX runs_requester ON runs(requester, number);
CREATE INDEX runs_parent ON runs(parent) WHERE parent IS NOT NULL;
CREATE INDEX runs_finished ON runs(finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX entries_run ON entries(run, seq);

CREATE TABLE conversations (
  key TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE inbox (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX inbox_at ON inbox(at);

CREATE TABLE interactions (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  call TEXT NOT NULL,
  conversation TEXT NOT NULL,
  kind TEXT NOT NULL,
  digest TEXT NOT NULL,
  code TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  draft TEXT NOT NULL,
  state TEXT NOT NULL,
  response TEXT NOT NULL,
  responded_by TEXT NOT NULL,
  responded_at INTEGER
);
CREATE INDEX interactions_run ON interactions(run);
CREATE INDEX interactions_pending ON interactions(conversation) WHERE state = 'pending';
CREATE INDEX interactions_code ON interactions(code) WHERE state = 'pending' AND code <> '';

CREATE TABLE tokens (
  token TEXT PRIMARY KEY,
  interaction TEXT NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tokens_interaction ON tokens(interaction);

CREATE TABLE deliveries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  owed_at INTEGER NOT NULL,
  run TEXT,
  interaction TEXT,
  state TEXT NOT NULL,
  ref TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  taker TEXT
);
CREATE INDEX deliveries_waiting ON deliveries(conversation, number) WHERE state NOT IN ('sent', 'dead');
CREATE INDEX deliveries_interaction ON deliveries(interaction) WHERE interaction IS NOT NULL;
CREATE INDEX deliveries_alone ON deliveries(owed_at) WHERE run IS NULL AND state IN ('sent', 'dead');
CREATE INDEX deliveries_run ON deliveries(run) WHERE run IS NOT NULL;

CREATE TABLE dues (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  run TEXT,
  entry_kind TEXT,
  entry_version INTEGER,
  entry_body TEXT,
  stops_while_down INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX dues_at ON dues(at);
CREATE INDEX dues_run ON dues(run) WHERE run IS NOT NULL;

CREATE TABLE grants (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL,
  tool TEXT NOT NULL,
  holder TEXT NOT NULL,
  by TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  most_uses INTEGER,
  uses INTEGER NOT NULL,
  revoked_at INTEGER,
  revoked_by TEXT NOT NULL
);
CREATE INDEX grants_conversation ON grants(conversation);

CREATE TABLE spent (
  scope TEXT NOT NULL,
  day TEXT NOT NULL,
  millionths INTEGER NOT NULL,
  PRIMARY KEY (scope, day)
) WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  person TEXT NOT NULL,
  run TEXT,
  digest TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX audit_at ON audit(at);
CREATE INDEX audit_run ON audit(run) WHERE run IS NOT NULL;
CREATE INDEX audit_person ON audit(person);

CREATE TABLE results (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  call TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX results_call ON results(run, call);
CREATE INDEX results_at ON results(at);

CREATE TABLE texts (
  digest TEXT PRIMARY KEY,
  body TEXT NOT NULL
);

CREATE VIRTUAL TABLE search USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');

CREATE TABLE named_leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE heartbeat (
  at INTEGER NOT NULL
);
)sql";

constexpr std::array<Migration, 1> kMigrations{{{1, kFirst}}};

Result<std::int64_t> pragma(sqlite::Connection& connection, const char* name) {
  sqlite::Statement statement = connection.prepare(name);
  TRY(const bool has_row, statement.step());
  return has_row ? statement.integer(0) : 0;
}

Result<> copy_first(sqlite::Connection& connection, const std::filesystem::path& file, int version) {
  const std::string copy = fmt::format("{}.before-v{}", file.string(), version);
  const std::string unfinished = copy + ".unfinished";
  std::error_code failed;
  std::filesystem::remove(unfinished, failed);
  sqlite::Statement vacuum = connection.prepare("VACUUM INTO ?");
  TRY(vacuum.bind(1, unfinished).run());
  failpoint("store.migrate.copied");
  std::filesystem::rename(unfinished, copy, failed);
  if (failed) return fail(ErrorKind::internal, fmt::format("cannot keep a copy at {}: {}", copy, failed.message()));
  log::info("database copied before its migration", {{"copy", copy}});
  return {};
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

Result<> migrate(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list,
                 const std::function<bool()>& others_are_alive) {
  const int newest = list.empty() ? 0 : list.back().version;
  TRY(const std::int64_t version, pragma(connection, "PRAGMA user_version"));
  TRY(const std::int64_t application, pragma(connection, "PRAGMA application_id"));
  TRY(const std::int64_t tables, pragma(connection, "SELECT count(*) FROM sqlite_schema"));
  const bool has_content = tables > 0;
  if (has_content && application != kApplicationId) {
    return fail(ErrorKind::not_configured, fmt::format("{} is not a database of Deputy", file.string()),
                "name another data folder with --data");
  }
  if (version > newest) {
    return fail(
        ErrorKind::not_configured,
        fmt::format("{} was written by a newer Deputy (schema {}, this one knows {})", file.string(), version, newest),
        "install that version, or name another data folder with --data");
  }
  if (version == newest) return {};
  if (has_content) {
    if (others_are_alive()) {
      return fail(ErrorKind::conflict, fmt::format("{} needs an upgrade and another Deputy is using it", file.string()),
                  "stop the other one first");
    }
    TRY(copy_first(connection, file, newest));
  }
  TRY(connection.execute("BEGIN EXCLUSIVE"));
  const auto apply = [&]() -> Result<> {
    // Another process may have been faster while this one waited for the lock.
    TRY(const std::int64_t now, pragma(connection, "PRAGMA user_version"));
    for (const Migration& step : list) {
      if (step.version <= now) continue;
      TRY(connection.execute(step.sql));
      failpoint("store.migrate.step");
    }
    TRY(connection.execute(
        fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}", newest, kApplicationId).c_str()));
    return connection.execute("COMMIT");
  };
  Result<> applied = apply();
  if (!applied) (void)connection.execute("ROLLBACK");
  return applied;
}

}  // namespace deputy::store

#include "store/sqlite/schema.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/failpoint.h"
#include "base/log.h"

namespace deputy::store {

namespace {

constexpr std::int64_t kApplicationId = 0x44505459;  // "DPTY": identifies our files

// Journals are append-only rows in time order behind a narrow index: a commit touches the last page and few others,
// however many runs write. That is why runs have a number besides their id.
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
CREATE INDEX interactions_waiting ON interactions(number) WHERE state = 'pending';
CREATE INDEX interactions_code ON interactions(code);

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
CREATE INDEX deliveries_taken ON deliveries(taker) WHERE taker IS NOT NULL;
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
  max_uses INTEGER,
  uses INTEGER NOT NULL,
  revoked_at INTEGER,
  revoked_by TEXT NOT NULL
);
CREATE INDEX grants_conversation ON grants(conversation);
CREATE INDEX grants_holder ON grants(holder);
CREATE INDEX grants_ends ON grants(ends_at);

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

constexpr const char* kBrake = R"sql(
CREATE TABLE brake (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  brake TEXT NOT NULL,
  by TEXT NOT NULL,
  at INTEGER NOT NULL
);
)sql";

// Everything expires some day and is found by an index. Existing texts count as stored now, because existing runs may
// need them.
constexpr const char* kKeeping = R"sql(
CREATE TABLE spent_by_day (
  day TEXT NOT NULL,
  scope TEXT NOT NULL,
  millionths INTEGER NOT NULL,
  PRIMARY KEY (day, scope)
) WITHOUT ROWID;
INSERT INTO spent_by_day SELECT day, scope, millionths FROM spent;
DROP TABLE spent;
ALTER TABLE spent_by_day RENAME TO spent;

ALTER TABLE texts ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE texts SET at = unixepoch() * 1000;
CREATE INDEX texts_at ON texts(at);

DROP INDEX grants_ends;
CREATE INDEX grants_over ON grants(min(coalesce(revoked_at, ends_at), ends_at));

CREATE INDEX deliveries_said ON deliveries(conversation)
  WHERE run IS NULL AND state IN ('sent', 'dead') AND body <> '';

DELETE FROM conversations
  WHERE key NOT IN (SELECT conversation FROM runs) AND key NOT IN (SELECT conversation FROM inbox);

CREATE TABLE wipes (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  search TEXT NOT NULL,
  log_owed INTEGER NOT NULL,
  log_done INTEGER NOT NULL
);
INSERT INTO wipes VALUES (1, 'clean', 0, 0);
)sql";

// Pending deliveries are found by time, however many wait.
constexpr const char* kDeliveriesByTime = R"sql(
CREATE INDEX deliveries_next ON deliveries(next_at) WHERE taker IS NULL AND state NOT IN ('sent', 'dead');
)sql";

// Who was at work in how many crashes, and mail of held runs, found without reading the runs that have none.
constexpr const char* kCrashes = R"sql(
ALTER TABLE runs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_mail ON runs(owner) WHERE owner IS NOT NULL AND last_seq > seen_seq;
)sql";

// The last message that each channel saw, small facts that outlive their message, and unfinished runs, found without
// reading those that have finished.
constexpr const char* kMarks = R"sql(
CREATE TABLE cursors (
  channel TEXT PRIMARY KEY,
  cursor TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE marks (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  conversation TEXT NOT NULL,
  person TEXT NOT NULL,
  run TEXT,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  ends_at INTEGER
);
CREATE UNIQUE INDEX marks_key ON marks(kind, key);
CREATE INDEX marks_conversation ON marks(conversation, kind);
CREATE INDEX marks_person ON marks(person);
CREATE INDEX marks_run ON marks(run) WHERE run IS NOT NULL;
CREATE INDEX marks_ends ON marks(ends_at) WHERE ends_at IS NOT NULL;

CREATE INDEX runs_unfinished ON runs(number) WHERE state <> 'finished';
)sql";

// Pending deliveries of one channel, however many wait on another. Its channel is the text before the first colon.
constexpr const char* kDeliveriesByChannel = R"sql(
ALTER TABLE deliveries ADD COLUMN channel TEXT
  GENERATED ALWAYS AS (substr(conversation, 1, instr(conversation || ':', ':') - 1)) VIRTUAL;
CREATE INDEX deliveries_by_channel ON deliveries(channel, next_at)
  WHERE taker IS NULL AND state NOT IN ('sent', 'dead');
)sql";

constexpr std::array<Migration, 7> kMigrations{{{1, kFirst},
                                                {2, kBrake},
                                                {3, kKeeping},
                                                {4, kDeliveriesByTime},
                                                {5, kCrashes},
                                                {6, kMarks},
                                                {7, kDeliveriesByChannel}}};

Result<std::int64_t> number_of(sqlite::Connection& connection, const char* query) {
  sqlite::Statement statement = connection.prepare(query);
  TRY(const bool has_row, statement.step());
  return has_row ? statement.integer(0) : 0;
}

struct Identity {
  std::int64_t version = 0;
  std::int64_t application = 0;
  bool has_content = false;
};

Result<Identity> identity_of(sqlite::Connection& connection) {
  Identity identity;
  TRY(identity.version, number_of(connection, "PRAGMA user_version"));
  TRY(identity.application, number_of(connection, "PRAGMA application_id"));
  TRY(const std::int64_t tables, number_of(connection, "SELECT count(*) FROM sqlite_schema"));
  identity.has_content = tables > 0;
  return identity;
}

int newest_of(std::span<const Migration> list) { return list.empty() ? 0 : list.back().version; }

// SQLite does not sync a copy that it makes.
bool reach_the_disk(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = fsync(descriptor) == 0;
  close(descriptor);
  return synced;
}

constexpr std::string_view kCopy = ".before-v";  // followed by the version, after the name of the file

Result<> copy_first(sqlite::Connection& connection, const std::filesystem::path& file, int version) {
  const std::string copy = fmt::format("{}{}{}", file.string(), kCopy, version);
  const std::string unfinished = copy + ".unfinished";
  std::error_code failed;
  std::filesystem::remove(unfinished, failed);
  sqlite::Statement vacuum = connection.prepare("VACUUM INTO ?");
  TRY(vacuum.bind(1, unfinished).run());
  failpoint("store.migrate.copied");
  const bool kept = reach_the_disk(unfinished) && std::rename(unfinished.c_str(), copy.c_str()) == 0 &&
                    reach_the_disk(file.parent_path().string());
  if (!kept) {
    return fail(ErrorKind::internal, fmt::format("cannot keep a copy at {}: {}", copy, std::strerror(errno)),
                "nothing was changed; make room for a copy of the database");
  }
  log::info("database copied before its migration", {{"copy", copy}});
  return {};
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

std::vector<std::string> copies_beside(const std::filesystem::path& file) {
  const std::string beginning = file.filename().string() + std::string(kCopy);
  std::vector<std::string> copies;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(file.parent_path(), failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().filename().string().starts_with(beginning)) copies.push_back(at->path().string());
  }
  std::ranges::sort(copies);
  return copies;
}

Result<> recognise(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list) {
  Result<Identity> identity = identity_of(connection);
  if (!identity) {
    const auto damage = connection.take_damage();
    const bool is_damaged = damage && damage->of == sqlite::Damage::Of::file;
    Error error = std::move(identity).error();
    error.message =
        fmt::format("{} {}: {}", file.string(), is_damaged ? "is damaged" : "cannot be read", error.message);
    return std::unexpected(std::move(error));
  }
  if (identity->has_content && identity->application != kApplicationId) {
    return fail(ErrorKind::not_configured, fmt::format("{} is not a Deputy database", file.string()),
                "name another data folder with --data");
  }
  if (identity->version > newest_of(list)) {
    return fail(ErrorKind::not_configured,
                fmt::format("{} was written by a newer Deputy (schema {}, this one knows {})", file.string(),
                            identity->version, newest_of(list)),
                "install that version, or name another data folder with --data");
  }
  return {};
}

Result<> migrate(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list,
                 Others others) {
  const int newest = newest_of(list);
  TRY(const Identity identity, identity_of(connection));
  if (identity.version == newest) return {};
  if (identity.has_content) {
    if (others == Others::alive) {
      return fail(ErrorKind::conflict, fmt::format("{} needs an upgrade and another Deputy is using it", file.string()),
                  "stop the other one first");
    }
    TRY(copy_first(connection, file, newest));
  }
  TRY(connection.execute("BEGIN EXCLUSIVE"));
  const auto apply = [&]() -> Result<> {
    for (const Migration& step : list) {
      if (step.version <= identity.version) continue;
      TRY(connection.execute(step.sql));
      failpoint("store.migrate.step");
    }
    TRY(connection.execute(
        fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}", newest, kApplicationId).c_str()));
    return connection.execute("COMMIT");
  };
  Result<> applied = apply();
  if (!applied) connection.roll_back();
  return applied;
}

}  // namespace deputy::store

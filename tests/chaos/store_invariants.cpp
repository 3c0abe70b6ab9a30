#include "chaos/store_invariants.h"

#include <fmt/format.h>

#include <sstream>

#include "base/sqlite.h"

namespace deputy::store {

namespace {

// Each counts the rows that break a rule; the judge reads the file with SQL of its own.
struct Rule {
  const char* broken;
  const char* sql;
};

// Runs that are forgotten have no bodies and no dues; runs that are removed have an audit row `ended`, and nothing
// else.
constexpr Rule kRules[] = {
    {"a journal has a gap or its run a wrong last_seq",
     "SELECT count(*) FROM runs JOIN (SELECT run, count(*) AS n, max(seq) AS top, min(seq) AS low FROM entries GROUP "
     "BY run) AS journal ON "
     "journal.run = runs.number WHERE runs.last_seq <> n OR runs.last_seq <> top OR low <> 1"},
    {"a run has no journal", "SELECT count(*) FROM runs WHERE number NOT IN (SELECT run FROM entries)"},
    {"an entry has no run", "SELECT count(*) FROM entries WHERE run NOT IN (SELECT number FROM runs)"},
    {"a run has no conversation",
     "SELECT count(*) FROM runs WHERE conversation NOT IN (SELECT key FROM conversations)"},
    {"a run was admitted without its message", "SELECT count(*) FROM runs WHERE id NOT IN (SELECT key FROM inbox)"},
    {"a message was kept without its run",
     "SELECT count(*) FROM inbox WHERE key NOT LIKE 'click:%' AND key NOT IN (SELECT id FROM runs) AND key NOT IN "
     "(SELECT run FROM audit WHERE kind = 'ended')"},
    {"a run was admitted without its delivery",
     "SELECT count(*) FROM runs WHERE id NOT IN (SELECT run FROM deliveries)"},
    {"a delivery is owed twice", "SELECT count(*) - count(DISTINCT run) FROM deliveries"},
    {"a run was admitted without its due",
     "SELECT count(*) FROM runs WHERE forgotten = 0 AND id NOT IN (SELECT id FROM dues WHERE kind = 'deadline')"},
    {"a due vanished without waking its run, or woke it and stayed",
     "SELECT count(*) FROM runs WHERE state <> 'finished' AND (id IN (SELECT id FROM dues WHERE kind = 'wake')) = "
     "(number IN (SELECT run "
     "FROM entries WHERE kind = 'woken'))"},
    {"a run was woken twice", "SELECT count(*) - count(DISTINCT run) FROM entries WHERE kind = 'woken'"},
    {"a run was admitted without its audit row",
     "SELECT count(*) FROM runs WHERE id NOT IN (SELECT run FROM audit WHERE kind = 'admitted')"},
    {"an admission was audited twice", "SELECT count(*) - count(DISTINCT run) FROM audit WHERE kind = 'admitted'"},
    {"a run was admitted without what it spent",
     "SELECT (SELECT coalesce(sum(millionths), 0) FROM spent) <> (SELECT count(*) FROM audit WHERE kind = "
     "'admitted')"},
    {"a run was admitted without its text",
     "SELECT count(*) FROM runs WHERE NOT EXISTS (SELECT 1 FROM texts WHERE digest = 'prompt')"},
    {"a child run has no parent and nobody removed it",
     "SELECT count(*) FROM runs WHERE parent NOT IN (SELECT id FROM runs) AND parent NOT IN (SELECT run FROM audit "
     "WHERE kind = 'ended')"},
    {"an interaction was opened without its entry",
     "SELECT count(*) FROM interactions WHERE run IN (SELECT id FROM runs WHERE forgotten = 0) AND id NOT IN (SELECT "
     "body FROM entries WHERE kind = 'asked')"},
    {"an interaction was opened without its draft or its token",
     "SELECT count(*) FROM interactions WHERE run IN (SELECT id FROM runs WHERE forgotten = 0) AND ((state = 'pending' "
     "AND draft = '') OR id NOT IN (SELECT interaction FROM tokens))"},
    {"an entry asks without an interaction",
     "SELECT count(*) FROM entries WHERE kind = 'asked' AND body <> '' AND body NOT IN (SELECT id FROM interactions)"},
    {"a question was asked twice",
     "SELECT count(*) - count(DISTINCT body) FROM entries WHERE kind = 'asked' AND body <> ''"},
    {"an interaction was settled without mail",
     "SELECT count(*) FROM interactions WHERE state = 'approved' AND run IN (SELECT id FROM runs WHERE forgotten = 0) "
     "AND id NOT IN (SELECT body FROM entries WHERE kind = 'answered')"},
    {"an answer was mailed and not settled",
     "SELECT count(*) FROM entries WHERE kind = 'answered' AND body <> '' AND body NOT IN (SELECT id FROM interactions "
     "WHERE state = 'approved')"},
    {"an answer was mailed twice",
     "SELECT count(*) - count(DISTINCT body) FROM entries WHERE kind = 'answered' AND body <> ''"},
    {"an interaction was settled without its grant or its click",
     "SELECT count(*) FROM interactions WHERE state = 'approved' AND (id NOT IN (SELECT by FROM grants) OR 'click:' || "
     "id NOT IN (SELECT key FROM inbox))"},
    {"a grant or a click is there and nothing was settled",
     "SELECT (SELECT count(*) FROM grants WHERE 'click:' || by NOT IN (SELECT key FROM inbox)) + (SELECT count(*) FROM "
     "inbox WHERE key LIKE 'click:%' AND substr(key, 7) NOT IN (SELECT by FROM grants)) + (SELECT count(*) FROM "
     "interactions WHERE state <> 'approved' AND id IN (SELECT by FROM grants))"},
    {"a finished run has an owner",
     "SELECT count(*) FROM runs WHERE state = 'finished' AND (owner IS NOT NULL OR ready IS NOT NULL)"},
    {"a run is finished without its audit row, or the other way round",
     "SELECT count(*) FROM runs WHERE (state = 'finished') <> (id IN (SELECT run FROM audit WHERE kind = 'ended'))"},
    {"a run is finished without its result or cannot be found",
     "SELECT count(*) FROM runs WHERE state = 'finished' AND forgotten = 0 AND (id NOT IN (SELECT run FROM results) OR "
     "number NOT IN (SELECT rowid FROM search))"},
    {"a forgotten run has text",
     "SELECT count(*) FROM runs WHERE forgotten = 1 AND (number IN (SELECT run FROM entries WHERE body <> '') OR id IN "
     "(SELECT run FROM results) OR number IN (SELECT rowid FROM search) OR id IN (SELECT run FROM deliveries WHERE "
     "body <> '' AND state IN ('sent', 'dead')) OR id IN (SELECT run FROM interactions WHERE body || draft || response "
     "<> ''))"},
    {"something of a removed run is there",
     "SELECT (SELECT count(*) FROM interactions WHERE run NOT IN (SELECT id FROM runs)) + (SELECT count(*) FROM dues "
     "WHERE run NOT IN (SELECT id FROM runs)) + (SELECT count(*) FROM results WHERE run NOT IN (SELECT id FROM runs)) "
     "+ (SELECT count(*) FROM search WHERE rowid NOT IN (SELECT number FROM runs)) + (SELECT count(*) FROM tokens "
     "WHERE interaction NOT IN (SELECT id FROM interactions))"},
    {"a parked run is owned", "SELECT count(*) FROM runs WHERE state = 'parked' AND owner IS NOT NULL"},
    {"a run can be claimed by nobody",
     "SELECT count(*) FROM runs WHERE state = 'open' AND owner IS NULL AND ready IS NULL"},
    {"a delivery was sent without a reference", "SELECT count(*) FROM deliveries WHERE state = 'sent' AND ref = ''"},
};

class Judge {
 public:
  explicit Judge(sqlite::Connection database) : database_(std::move(database)) {}

  std::int64_t count(std::string_view sql, std::optional<std::string> id = {},
                     std::optional<std::int64_t> number = {}) {
    sqlite::Statement row = database_.prepare(sql);
    if (id) row.bind(1, *id);
    if (number) row.bind(2, *number);
    const Result<bool> found = row.step();
    if (!found) {
      wrong.push_back(fmt::format("{}: {}", sql, found.error().message));
      return -1;
    }
    return *found ? row.integer(0) : 0;
  }

  void check(const std::string& line) {
    std::istringstream words(line);
    std::string what;
    std::string run;
    std::string more;
    words >> what >> run >> more;
    const auto expect_one = [&](std::string_view sql, const std::string& id, std::optional<std::int64_t> number = {}) {
      if (count(sql, id, number) != 1 && !was_removed(run)) wrong.push_back("confirmed and not there: " + line);
    };
    if (what == "admitted") expect_one("SELECT count(*) FROM runs WHERE id = ?1", run);
    if (what == "appended")
      expect_one("SELECT count(*) FROM runs WHERE id = ?1 AND last_seq >= ?2", run, std::stoll(more));
    if (what == "asked") expect_one("SELECT count(*) FROM interactions WHERE id = ?1", more);
    if (what == "answered") {
      expect_one("SELECT count(*) FROM interactions WHERE id = ?1 AND state = 'approved' AND responded_by = 'bo'",
                 more);
    }
    if (what == "sent") expect_one("SELECT count(*) FROM deliveries WHERE id = ?1 AND state = 'sent'", more);
    if (what == "finished") expect_one("SELECT count(*) FROM runs WHERE id = ?1 AND state = 'finished'", run);
    if (what == "forgot") expect_one("SELECT count(*) FROM runs WHERE id = ?1 AND forgotten = 1", run);
  }

  bool was_removed(const std::string& run) {
    return count("SELECT count(*) FROM runs WHERE id = ?1", run) == 0 &&
           count("SELECT count(*) FROM audit WHERE run = ?1 AND kind = 'ended'", run) == 1;
  }

  std::vector<std::string> wrong;

 private:
  sqlite::Connection database_;
};

}  // namespace

std::vector<std::string> broken_invariants(const std::filesystem::path& folder, const Confirmed& confirmed) {
  auto database = sqlite::Connection::open(folder / "deputy.db", sqlite::Connection::Mode::read_write);
  if (!database) return {"the file does not open: " + database.error().message};
  Judge judge(*std::move(database));
  if (judge.count("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") != 1)
    judge.wrong.push_back("the file is damaged");
  for (const Rule& rule : kRules) {
    if (const std::int64_t rows = judge.count(rule.sql); rows != 0)
      judge.wrong.push_back(fmt::format("{}: {} rows", rule.broken, rows));
  }
  for (const std::string& line : confirmed) judge.check(line);
  return judge.wrong;
}

}  // namespace deputy::store

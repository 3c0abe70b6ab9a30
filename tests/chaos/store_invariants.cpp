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

constexpr Rule kRules[] = {
    {"a journal has a gap or its run a wrong last_seq",
     "SELECT count(*) FROM runs JOIN (SELECT run, count(*) AS n, max(seq) AS top, min(seq) AS low FROM entries GROUP "
     "BY run) AS journal ON "
     "journal.run = runs.number WHERE runs.last_seq <> n OR runs.last_seq <> top OR low <> 1"},
    {"a run has no journal", "SELECT count(*) FROM runs WHERE number NOT IN (SELECT run FROM entries)"},
    {"an entry has no run", "SELECT count(*) FROM entries WHERE run NOT IN (SELECT number FROM runs)"},
    {"a run was admitted without its message", "SELECT count(*) FROM runs WHERE id NOT IN (SELECT key FROM inbox)"},
    {"a message was kept without its run", "SELECT count(*) FROM inbox WHERE key NOT IN (SELECT id FROM runs)"},
    {"a run was admitted without its delivery",
     "SELECT count(*) FROM runs WHERE id NOT IN (SELECT run FROM deliveries)"},
    {"a delivery is owed twice", "SELECT count(*) - count(DISTINCT run) FROM deliveries"},
    {"a run was admitted without its due",
     "SELECT count(*) FROM runs WHERE id NOT IN (SELECT id FROM dues WHERE kind = 'deadline')"},
    {"a due vanished without waking its run, or woke it and stayed",
     "SELECT count(*) FROM runs WHERE state <> 'finished' AND (id IN (SELECT id FROM dues WHERE kind = 'wake')) = "
     "(number IN (SELECT run "
     "FROM entries WHERE kind = 'woken'))"},
    {"a run was woken twice", "SELECT count(*) - count(DISTINCT run) FROM entries WHERE kind = 'woken'"},
    {"a run was admitted without its audit row", "SELECT count(*) FROM runs WHERE id NOT IN (SELECT run FROM audit)"},
    {"an admission was audited twice", "SELECT count(*) - count(DISTINCT run) FROM audit"},
    {"an interaction was opened without its entry",
     "SELECT count(*) FROM interactions WHERE id NOT IN (SELECT body FROM entries WHERE kind = 'asked')"},
    {"an entry asks without an interaction",
     "SELECT count(*) FROM entries WHERE kind = 'asked' AND body NOT IN (SELECT id FROM interactions)"},
    {"a question was asked twice", "SELECT count(*) - count(DISTINCT body) FROM entries WHERE kind = 'asked'"},
    {"an interaction was settled without mail",
     "SELECT count(*) FROM interactions WHERE state = 'approved' AND id NOT IN (SELECT body FROM entries WHERE kind = "
     "'answered')"},
    {"an answer was mailed and not settled",
     "SELECT count(*) FROM entries WHERE kind = 'answered' AND body NOT IN (SELECT id FROM interactions WHERE state = "
     "'approved')"},
    {"an answer was mailed twice", "SELECT count(*) - count(DISTINCT body) FROM entries WHERE kind = 'answered'"},
    {"a finished run has an owner",
     "SELECT count(*) FROM runs WHERE state = 'finished' AND (owner IS NOT NULL OR ready IS NOT NULL)"},
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
    std::string id;
    std::string more;
    words >> what >> id >> more;
    const auto expect_one = [&](std::string_view sql, std::optional<std::int64_t> number = {}) {
      if (count(sql, id, number) != 1) wrong.push_back("confirmed and not there: " + line);
    };
    if (what == "admitted") expect_one("SELECT count(*) FROM runs WHERE id = ?1");
    if (what == "appended") expect_one("SELECT count(*) FROM runs WHERE id = ?1 AND last_seq >= ?2", std::stoll(more));
    if (what == "asked") {
      id = more;
      expect_one("SELECT count(*) FROM interactions WHERE id = ?1");
    }
    if (what == "answered")
      expect_one("SELECT count(*) FROM interactions WHERE id = ?1 AND state = 'approved' AND responded_by = 'bo'");
    if (what == "sent") expect_one("SELECT count(*) FROM deliveries WHERE id = ?1 AND state = 'sent'");
    if (what == "finished") expect_one("SELECT count(*) FROM runs WHERE id = ?1 AND state = 'finished'");
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

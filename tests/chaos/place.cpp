#include "chaos/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/sqlite.h"
#include "support/results.h"

namespace deputy::chaos {

using testing::IsEmpty;

const char* const Place::kSettings =
    "people: {ana: {lines: U1}, bo: {lines: U2}}\naccess: {people: [ana, bo]}\n"
    "policy: {approvers: {service_tools: [bo]}}\nenvironments: {prod: []}\n"
    "limits: {tool_turns: 6, runs_a_person: 0}\nserve: {health: '127.0.0.1:0'}\n";

std::vector<std::string> Place::host() const {
  return {HOST, folder_.path().string(), std::to_string(expiry_), form_ == Form::streams ? "streams" : "posts"};
}

std::vector<std::string> Place::effects() const {
  std::vector<std::string> lines;
  std::ifstream file(folder_ / "effects");
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> Place::rows(const std::string& sql) const {
  auto database = sqlite::Connection::open(folder_ / "data" / "deputy.db", sqlite::Connection::Mode::read_only);
  EXPECT_OK(database);
  std::vector<std::string> found;
  if (!database) return found;
  sqlite::Statement statement = database->prepare(sql);
  for (auto has_row = statement.step(); has_row && *has_row; has_row = statement.step())
    found.emplace_back(statement.text(0));
  return found;
}

std::vector<std::string> Place::broken_journals() const {
  std::vector<std::string> wrong =
      rows("SELECT 'run ' || r.id || ' is not finished' FROM runs r WHERE state <> 'finished'");
  const std::vector<std::string> doubled = rows(
      "SELECT 'call ' || json_extract(body, '$.call') || ' of run ' || run || ' has ' || count(*) || ' results' "
      "FROM entries WHERE kind = 'call_finished' GROUP BY run, json_extract(body, '$.call') HAVING count(*) <> 1");
  const std::vector<std::string> without = rows(
      "SELECT 'call ' || json_extract(c.value, '$.id') || ' of run ' || e.run || ' has no result' "
      "FROM entries e, json_each(e.body, '$.calls') c WHERE e.kind = 'model_replied' AND NOT EXISTS (SELECT 1 FROM "
      "entries f WHERE f.run = e.run AND f.kind = 'call_finished' AND json_extract(f.body, '$.call') = "
      "json_extract(c.value, '$.id'))");
  wrong.insert(wrong.end(), doubled.begin(), doubled.end());
  wrong.insert(wrong.end(), without.begin(), without.end());
  return wrong;
}

std::vector<std::string> Place::given_up_without_reason(const std::set<std::string>& given_up, int kills) const {
  std::vector<std::string> wrong;
  for (const std::string& conversation : given_up) {
    const auto entries = rows(
        "SELECT e.run || ' ' || CASE WHEN e.kind IN ('model_replied', 'step_done') THEN 'progress' WHEN e.kind = "
        "'taken_up' AND json_extract(e.body, '$.after') = 'crash' THEN 'crash' ELSE '' END FROM entries e JOIN runs "
        "r ON r.number = e.run WHERE r.conversation = '" +
        conversation + "' ORDER BY e.run, e.seq");
    std::map<std::string, int> in_a_row;
    std::map<std::string, int> crashes;
    int longest = 0;
    for (const std::string& entry : entries) {
      const std::string run = entry.substr(0, entry.find(' '));
      if (entry.ends_with(" progress")) in_a_row[run] = 0;
      if (!entry.ends_with(" crash")) continue;
      longest = std::max(longest, ++in_a_row[run]);
      if (++crashes[run] > kills) wrong.push_back(conversation + " counts a crash that was none");
    }
    if (longest < 3)
      wrong.push_back(conversation + " was given up after " + std::to_string(longest) + " crashes in a row");
  }
  return wrong;
}

void goes_on_to_the_end(const Place& place, People& people, const std::vector<std::string>& variables) {
  test::Child host(place.host(), variables);
  people.greet(host);
  EXPECT_TRUE(people.talk()) << "it ended by itself";
  host.kill();
  people.leave(host);
}

void expect_promises_kept(const Place& place, const People& people, int kills) {
  EXPECT_THAT(people.judge(place.effects()), IsEmpty());
  EXPECT_THAT(place.broken_journals(), IsEmpty());
  EXPECT_THAT(place.given_up_without_reason(people.given_up(), kills), IsEmpty());
}

}  // namespace deputy::chaos

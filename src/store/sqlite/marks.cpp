#include "store/sqlite/marks.h"

#include <algorithm>
#include <set>

#include "store/sqlite/columns.h"
#include "store/sqlite/decode.h"

namespace deputy::store {

namespace {

constexpr std::string_view kByKey =
    "SELECT kind, key, conversation, person, run, body, at, ends_at FROM marks WHERE kind = ?1 AND key = ?2 AND "
    "(ends_at IS NULL OR ends_at > ?3)";
constexpr std::string_view kByConversation =
    "SELECT kind, key, conversation, person, run, body, at, ends_at FROM marks WHERE kind = ?1 AND conversation = ?2 "
    "AND (ends_at IS NULL OR ends_at > ?3) ORDER BY number DESC LIMIT ?4";

Result<MarkRow> decode_mark(const sqlite::Statement& row) {
  Columns columns(row);
  MarkRow mark;
  mark.kind = columns.text();
  mark.key = columns.text();
  mark.conversation = columns.text();
  mark.person = columns.text();
  mark.run = columns.optional_id<RunId>();
  mark.body = columns.text();
  mark.at = columns.time();
  mark.ends_at = columns.optional_time();
  return columns.done(std::move(mark));
}

// A key of the channel is its kind, a colon and more: from "kind:" up to "kind;", the next character.
std::pair<std::string, std::string> keys_of(const std::string& channel) { return {channel + ":", channel + ";"}; }

/// Conversations in the order they are found, each once.
class Found {
 public:
  explicit Found(int most) : most_(static_cast<std::size_t>(std::max(most, 0))) {}
  bool is_full() const { return keys_.size() >= most_; }
  void add(std::string key) {
    if (!is_full() && known_.insert(key).second) keys_.push_back(std::move(key));
  }
  std::vector<std::string> take() { return std::move(keys_); }

 private:
  std::size_t most_;
  std::set<std::string> known_;
  std::vector<std::string> keys_;
};

}  // namespace

Result<> put_mark(Transaction& in, const MarkRow& mark) {
  const auto run = text_of(mark.run);
  const auto ends_at = mark.ends_at ? std::optional(to_millis(*mark.ends_at)) : std::nullopt;
  sqlite::Statement insert = in.database.prepare(
      "INSERT OR REPLACE INTO marks (kind, key, conversation, person, run, body, at, ends_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  return insert.bind(1, mark.kind)
      .bind(2, mark.key)
      .bind(3, mark.conversation)
      .bind(4, mark.person)
      .bind(5, run)
      .bind(6, mark.body)
      .bind(7, to_millis(mark.at))
      .bind(8, ends_at)
      .run();
}

Result<> end_mark(Transaction& in, const MarkKey& mark) {
  sqlite::Statement remove = in.database.prepare("DELETE FROM marks WHERE kind = ? AND key = ?");
  return remove.bind(1, mark.kind).bind(2, mark.key).run();
}

Result<> set_cursor(Transaction& in, const std::string& channel, const std::string& cursor) {
  sqlite::Statement put = in.database.prepare("INSERT OR REPLACE INTO cursors (channel, cursor) VALUES (?, ?)");
  return put.bind(1, channel).bind(2, cursor).run();
}

Result<std::vector<MarkRow>> read_marks(sqlite::Connection& database, const MarkFilter& filter, Timestamp now) {
  std::vector<MarkRow> marks;
  for (const std::string& key : filter.keys) {
    sqlite::Statement row = database.prepare(kByKey);
    TRY(const bool found, row.bind(1, filter.kind).bind(2, key).bind(3, to_millis(now)).step());
    if (!found) continue;
    TRY(MarkRow mark, decode_mark(row));
    marks.push_back(std::move(mark));
  }
  if (!filter.conversation) return marks;
  sqlite::Statement rows = database.prepare(kByConversation);
  rows.bind(1, filter.kind).bind(2, *filter.conversation).bind(3, to_millis(now)).bind(4, filter.most);
  TRY(std::vector<MarkRow> here, decode_all(rows, &decode_mark));
  std::ranges::move(here, std::back_inserter(marks));
  return marks;
}

Result<std::string> read_cursor(sqlite::Connection& database, const std::string& channel) {
  sqlite::Statement row = database.prepare("SELECT cursor FROM cursors WHERE channel = ?");
  TRY(const bool found, row.bind(1, channel).step());
  return found ? std::string(row.text(0)) : std::string();
}

// Runs have numbers in the order of time, so the newest are read backwards until one is too old. The plus signs keep
// SQLite from another index: with this one it need not sort all unfinished runs to give a few.
Result<std::vector<std::string>> read_active_conversations(sqlite::Connection& database, const std::string& channel,
                                                           Timestamp since, int most) {
  const auto [from, to] = keys_of(channel);
  Found found(most);
  sqlite::Statement unfinished = database.prepare(
      "SELECT conversation FROM runs WHERE state <> 'finished' AND +conversation >= ?1 AND +conversation < ?2 "
      "ORDER BY number DESC");
  unfinished.bind(1, from).bind(2, to);
  while (!found.is_full()) {
    TRY(const bool has_row, unfinished.step());
    if (!has_row) break;
    found.add(std::string(unfinished.text(0)));
  }
  sqlite::Statement newest = database.prepare("SELECT conversation, created_at FROM runs ORDER BY number DESC");
  while (!found.is_full()) {
    TRY(const bool has_row, newest.step());
    if (!has_row || newest.integer(1) < to_millis(since)) break;
    std::string conversation(newest.text(0));
    if (conversation >= from && conversation < to) found.add(std::move(conversation));
  }
  return found.take();
}

}  // namespace deputy::store

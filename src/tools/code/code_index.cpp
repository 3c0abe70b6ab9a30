#include "tools/code/code_index.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr int kLinesInAChunk = 40;
constexpr int kLinesInASnippet = 12;
constexpr std::size_t kMaxLine = 300;  // bytes of a line that are kept
constexpr std::size_t kMaxWords = 32;  // of a query
constexpr int kMaxPlaces = 500;        // matches that are read, the best first

constexpr const char* kOptions = R"(
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
)";

// An index of an earlier version held files as they are, with their secrets.
constexpr int kVersion = 2;
constexpr const char* kNothingOlder = R"(
  DROP TABLE IF EXISTS repositories;
  DROP TABLE IF EXISTS files;
  DROP TABLE IF EXISTS chunks;
  DROP TABLE IF EXISTS not_searched;
  DROP TABLE IF EXISTS words;
)";
constexpr const char* kTables = R"(
  CREATE TABLE IF NOT EXISTS repositories(name TEXT PRIMARY KEY, commit_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS files(id INTEGER PRIMARY KEY, repository TEXT NOT NULL, path TEXT NOT NULL,
                                   blob TEXT NOT NULL, UNIQUE(repository, path));
  CREATE TABLE IF NOT EXISTS chunks(id INTEGER PRIMARY KEY, file INTEGER NOT NULL, first_line INTEGER NOT NULL,
                                    text TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS chunks_of_file ON chunks(file);
  CREATE TABLE IF NOT EXISTS not_searched(file INTEGER PRIMARY KEY);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(path, text, tokenize = 'porter unicode61');
)";

std::string spaced(const std::vector<std::string>& words) { return join(words, " "); }

// Matches any of the words; FTS5 ranks places with more and rarer words first. Words are quoted, so that none of them
// is an operator.
std::string match_of(std::string_view query) {
  std::vector<std::string> quoted;
  for (const std::string& word : words_of_code(query)) {
    if (quoted.size() < kMaxWords) quoted.push_back("\"" + word + "\"");
  }
  return join(quoted, " OR ");
}

// Creates the file readable by its owner only before SQLite opens it: SQLite gives the same mode to its -wal and -shm
// files. An existing file is not opened here: closing it would release the locks that this process holds on it.
Result<> make_private(const std::string& path) {
  constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
  const FileDescriptor fresh(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  if (fresh.number >= 0 || (errno == EEXIST && chmod(path.c_str(), kOwnerOnly) == 0)) return {};
  return fail(ErrorKind::not_configured, fmt::format("cannot open {}: {}", path, std::strerror(errno)),
              "check that the data folder can be written, or name another one with --data");
}

std::unexpected<Error> damaged() {
  return std::unexpected(
      Error{ErrorKind::internal, "the code index was damaged and is being rebuilt", "search again", true});
}

struct Snippet {
  int first = 0;  // line within the chunk
  int count = 0;
  std::string text;
};

// The lines around the line with the most words of the query.
Snippet best_lines(std::string_view chunk, const std::set<std::string>& wanted) {
  std::vector<std::string_view> lines = split(chunk, "\n");
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::vector<int> hits;
  for (const std::string_view line : lines) {
    std::set<std::string> found;
    for (const std::string& word : words_of_code(line)) {
      if (wanted.contains(word)) found.insert(word);
    }
    hits.push_back(static_cast<int>(found.size()));
  }
  const int size = static_cast<int>(lines.size());
  const auto best = static_cast<int>(std::ranges::max_element(hits) - hits.begin());
  Snippet snippet;
  snippet.first = std::clamp(best - kLinesInASnippet / 3, 0, std::max(0, size - kLinesInASnippet));
  snippet.count = std::min(kLinesInASnippet, size - snippet.first);
  for (int line = snippet.first; line < snippet.first + snippet.count; ++line) {
    snippet.text.append(lines[static_cast<std::size_t>(line)]).append("\n");
  }
  return snippet;
}

}  // namespace

Result<> CodeIndex::open() {
  TRY(make_private(path_));
  TRY(sqlite::Connection connection, sqlite::Connection::open(path_, sqlite::Connection::Mode::read_write));
  connection_ = std::make_unique<sqlite::Connection>(std::move(connection));
  TRY(connection_->execute(kOptions));
  bool was_older = false;
  const Result<> made = in_transaction([&]() -> Result<> {
    TRY(const int version, version_of_file());
    was_older = version < kVersion;
    return was_older ? create_tables() : Result<>{};
  });
  if (!made || !was_older) return made;
  return connection_->execute("VACUUM");
}

Result<int> CodeIndex::version_of_file() {
  sqlite::Statement find = connection_->prepare("PRAGMA user_version");
  TRY(const bool row, find.step());
  return row ? static_cast<int>(find.integer(0)) : 0;
}

Result<> CodeIndex::create_tables() {
  TRY(connection_->execute(kNothingOlder));
  TRY(connection_->execute(kTables));
  return connection_->execute(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
}

Result<> CodeIndex::open_once() {
  if (connection_) return {};
  Result<> opened = open();
  if (!opened && drop_if_damaged()) opened = open();
  if (!opened) connection_.reset();
  return opened;
}

bool CodeIndex::drop_if_damaged() {
  const std::optional<sqlite::Damage> damage = connection_ ? connection_->take_damage() : std::nullopt;
  if (!damage || damage->of == sqlite::Damage::Of::disk) return false;
  log::warning("the code index is damaged; rebuilding it", {{"file", path_}, {"why", damage->error.message}});
  connection_.reset();
  begun_.clear();
  // Delete the database last: a new database must not find the -wal and -shm files of the old one.
  for (const char* ending : {"-wal", "-shm", ""}) unlink((path_ + ending).c_str());
  return true;
}

Result<> CodeIndex::in_transaction(const std::function<Result<>()>& work) {
  TRY(connection_->execute("BEGIN IMMEDIATE"));
  Result<> done = work();
  if (done) done = connection_->execute("COMMIT");
  if (!done) connection_->roll_back();
  return done;
}

Result<std::string> CodeIndex::commit_of(const std::string& repository) {
  const std::lock_guard lock(mutex_);
  TRY(open_once());
  Result<std::string> commit = find_commit(repository);
  if (drop_if_damaged()) return std::string();
  return commit;
}

Result<std::string> CodeIndex::find_commit(const std::string& repository) {
  sqlite::Statement find = connection_->prepare("SELECT commit_id FROM repositories WHERE name = ?1");
  find.bind(1, std::string_view(repository));
  TRY(const bool found, find.step());
  return found ? std::string(find.text(0)) : std::string();
}

Result<> CodeIndex::forget(std::int64_t file) {
  TRY(connection_->prepare("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?1)")
          .bind(1, file)
          .run());
  TRY(connection_->prepare("DELETE FROM chunks WHERE file = ?1").bind(1, file).run());
  TRY(connection_->prepare("DELETE FROM not_searched WHERE file = ?1").bind(1, file).run());
  return connection_->prepare("DELETE FROM files WHERE id = ?1").bind(1, file).run();
}

Result<> CodeIndex::forget_missing(const std::string& repository, Unread& unread) {
  std::vector<std::int64_t> gone;
  {
    sqlite::Statement known = connection_->prepare("SELECT id, path, blob FROM files WHERE repository = ?1");
    known.bind(1, std::string_view(repository));
    for (;;) {
      TRY(const bool row, known.step());
      if (!row) break;
      const auto same = unread.find(known.text(1));
      if (same != unread.end() && same->second->blob == known.text(2)) {
        unread.erase(same);
      } else {
        gone.push_back(known.integer(0));
      }
    }
  }
  for (const std::int64_t file : gone) TRY(forget(file));
  return {};
}

Result<std::vector<TreeFile>> CodeIndex::begin_update(const std::string& repository,
                                                      const std::vector<TreeFile>& files) {
  const std::lock_guard lock(mutex_);
  TRY(open_once());
  Unread unread;
  for (const TreeFile& file : files) unread.emplace(file.path, &file);
  const Result<> forgotten = in_transaction([&] { return forget_missing(repository, unread); });
  if (drop_if_damaged()) return damaged();
  TRY(forgotten);
  begun_.insert(repository);
  std::vector<TreeFile> to_read;
  for (const auto& [path, file] : unread) to_read.push_back(*file);
  return to_read;
}

Result<> CodeIndex::add_file(const std::string& repository, const TreeFile& file, Text content) {
  TRY(connection_->prepare("INSERT INTO files(repository, path, blob) VALUES (?1, ?2, ?3)")
          .bind(1, std::string_view(repository))
          .bind(2, std::string_view(file.path))
          .bind(3, std::string_view(file.blob))
          .run());
  const std::int64_t file_id = connection_->last_row_id();
  if (!content) {
    return connection_->prepare("INSERT INTO not_searched(file) VALUES (?1)").bind(1, file_id).run();
  }
  std::string_view text = *content;
  const std::string path_words = spaced(words_of_code(file.path));
  for (int first_line = 1; !text.empty(); first_line += kLinesInAChunk) {
    std::string chunk;
    for (int line = 0; line < kLinesInAChunk && !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      chunk.append(cut_bytes(text.substr(0, end), kMaxLine)).append("\n");
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    chunk = to_valid_utf8(std::move(chunk));
    TRY(connection_->prepare("INSERT INTO chunks(file, first_line, text) VALUES (?1, ?2, ?3)")
            .bind(1, file_id)
            .bind(2, first_line)
            .bind(3, std::string_view(chunk))
            .run());
    const std::int64_t chunk_id = connection_->last_row_id();
    const std::string words = spaced(words_of_code(chunk));
    TRY(connection_->prepare("INSERT INTO words(rowid, path, text) VALUES (?1, ?2, ?3)")
            .bind(1, chunk_id)
            .bind(2, std::string_view(path_words))
            .bind(3, std::string_view(words))
            .run());
  }
  return {};
}

Result<> CodeIndex::replace_file(const std::string& repository, const TreeFile& file, Text text) {
  // Another process that shares the index may have been faster.
  std::optional<std::int64_t> known;
  {
    sqlite::Statement find = connection_->prepare("SELECT id FROM files WHERE repository = ?1 AND path = ?2");
    find.bind(1, std::string_view(repository)).bind(2, std::string_view(file.path));
    TRY(const bool found, find.step());
    if (found) known = find.integer(0);
  }
  if (known) TRY(forget(*known));
  return add_file(repository, file, text);
}

Result<> CodeIndex::add(const std::string& repository, const std::vector<TreeFile>& files,
                        const std::map<std::string, std::string>& blobs, const Redact& redact) {
  std::map<std::string_view, std::string> texts;
  for (const auto& [blob, content] : blobs) {
    if (!content.contains('\0')) texts.emplace(blob, redact ? redact(content) : content);
  }
  const std::lock_guard lock(mutex_);
  TRY(open_once());
  Result<> added = in_transaction([&]() -> Result<> {
    for (const TreeFile& file : files) {
      const auto text = texts.find(file.blob);
      TRY(replace_file(repository, file, text == texts.end() ? Text() : Text(text->second)));
    }
    return {};
  });
  if (drop_if_damaged()) return damaged();
  return added;
}

Result<> CodeIndex::end_update(const std::string& repository, const std::string& commit) {
  const std::lock_guard lock(mutex_);
  TRY(open_once());
  if (!begun_.contains(repository)) return damaged();
  Result<> ended =
      connection_
          ->prepare(
              "INSERT INTO repositories(name, commit_id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET commit_id = ?2")
          .bind(1, std::string_view(repository))
          .bind(2, std::string_view(commit))
          .run();
  if (drop_if_damaged()) return damaged();
  return ended;
}

Result<int> CodeIndex::count_not_searched(std::string_view repositories) {
  sqlite::Statement count = connection_->prepare(
      "SELECT count(*) FROM not_searched JOIN files ON files.id = not_searched.file "
      "WHERE files.repository IN (SELECT value FROM json_each(?1))");
  count.bind(1, repositories);
  TRY(const bool row, count.step());
  return row ? static_cast<int>(count.integer(0)) : 0;
}

Result<int> CodeIndex::count_left_out(std::string_view repositories, const MayRead& may_read) {
  if (!may_read) return 0;
  sqlite::Statement list = connection_->prepare(
      "SELECT path FROM files WHERE repository IN (SELECT value FROM json_each(?1)) "
      "AND id NOT IN (SELECT file FROM not_searched)");
  list.bind(1, repositories);
  int left_out = 0;
  for (;;) {
    TRY(const bool row, list.step());
    if (!row) return left_out;
    if (!may_read(list.text(0))) ++left_out;
  }
}

Result<CodeFound> CodeIndex::search(std::string_view query, int most, const std::vector<std::string>& repositories,
                                    const MayRead& may_read) {
  const std::lock_guard lock(mutex_);
  TRY(open_once());
  Result<CodeFound> found = look_for(query, most, repositories, may_read);
  if (drop_if_damaged()) return damaged();
  return found;
}

Result<CodeFound> CodeIndex::look_for(std::string_view query, int most, const std::vector<std::string>& repositories,
                                      const MayRead& may_read) {
  const std::string match = match_of(query);
  if (match.empty()) {
    return fail(ErrorKind::invalid_input, "the query has no word to search for", "give identifiers or words");
  }
  const std::vector<std::string> words = words_of_code(query);
  const std::set<std::string> wanted(words.begin(), words.end());
  const std::string names = json::serialize(json::array(repositories.begin(), repositories.end()));
  sqlite::Statement find = connection_->prepare(
      "SELECT files.repository, files.path, chunks.first_line, chunks.text FROM words "
      "JOIN chunks ON chunks.id = words.rowid JOIN files ON files.id = chunks.file "
      "WHERE words MATCH ?1 AND files.repository IN (SELECT value FROM json_each(?2)) "
      "ORDER BY bm25(words, 3.0, 1.0), files.repository, files.path, chunks.first_line LIMIT ?3");
  find.bind(1, std::string_view(match)).bind(2, std::string_view(names)).bind(3, kMaxPlaces);
  CodeFound found;
  TRY(found.not_searched, count_not_searched(names));
  TRY(found.left_out, count_left_out(names, may_read));
  int places = 0;
  std::set<std::pair<std::string, std::string>> files;
  while (!found.more) {
    TRY(const bool row, find.step());
    if (!row) break;
    found.more = ++places == kMaxPlaces;
    CodeHit hit{.repository = std::string(find.text(0)), .path = std::string(find.text(1))};
    if (!files.emplace(hit.repository, hit.path).second) continue;
    if (may_read && !may_read(hit.path)) continue;
    if (static_cast<int>(found.hits.size()) == most) {
      found.more = true;
      break;
    }
    Snippet snippet = best_lines(find.text(3), wanted);
    hit.first_line = static_cast<int>(find.integer(2)) + snippet.first;
    hit.last_line = hit.first_line + snippet.count - 1;
    hit.snippet = std::move(snippet.text);
    found.hits.push_back(std::move(hit));
  }
  return found;
}

namespace {

bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_part(char c) {
  return is_upper(c) || is_lower_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// A part begins at a capital after a small letter (findUser) and at the last of several capitals (HTTPServer).
bool begins_part(std::string_view word, std::size_t at) {
  if (at == 0 || !is_upper(word[at])) return false;
  if (!is_upper(word[at - 1])) return true;
  return at + 1 < word.size() && word[at + 1] >= 'a' && word[at + 1] <= 'z';
}

void add_words(std::string_view identifier, std::vector<std::string>& words) {
  std::string whole;
  std::size_t parts = 0;
  for (const std::string_view piece : split(identifier, "_")) {
    std::string part;
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (begins_part(piece, at) && !part.empty()) {
        words.push_back(to_lower(part));
        ++parts;
        part.clear();
      }
      part += piece[at];
    }
    if (part.empty()) continue;
    words.push_back(to_lower(part));
    ++parts;
    whole += to_lower(piece);
  }
  if (parts > 1) words.push_back(std::move(whole));
}

}  // namespace

std::vector<std::string> words_of_code(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    if (end > at) add_words(text.substr(at, end - at), words);
    at = end + 1;
  }
  return words;
}

}  // namespace deputy::tools

// A full-text index of the files of some repositories, in SQLite's FTS5. It holds what may be shown: a word of a secret
// is in no answer and finds nothing. It is a cache and can be rebuilt at any time. If its file is damaged, it starts
// empty again, and a call that was running fails and may be retried. It knows nothing of git: the caller says which
// files a commit has and gives the contents of the new ones. Safe on any thread; it blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sqlite.h"

namespace deputy::tools {

/// A file of a commit.
struct TreeFile {
  std::string path;
  std::string blob;  // id of its content
  std::uint64_t bytes = 0;

  bool operator==(const TreeFile&) const = default;
};

struct CodeHit {
  std::string repository;
  std::string path;
  int first_line = 1;
  int last_line = 1;
  std::string snippet;
};

struct CodeFound {
  std::vector<CodeHit> hits;
  int not_searched = 0;  // files that are not text or too large
  int left_out = 0;      // files that may not be read, whether or not they match
  bool more = false;     // more files match than were asked for, or more places than are looked at
};

class CodeIndex {
 public:
  /// The first call that needs the file opens it, or creates it.
  explicit CodeIndex(std::string path) : path_(std::move(path)) {}

  /// The commit that is indexed; empty: none yet.
  Result<std::string> commit_of(const std::string& repository);

  /// Removes files that the new commit does not have any more, and returns those of its files that must be read.
  Result<std::vector<TreeFile>> begin_update(const std::string& repository, const std::vector<TreeFile>& files);
  /// Redacts a whole file; line numbers hold.
  using Redact = std::function<std::string(std::string_view text)>;

  /// Adds some of these files; `blobs` has their contents by blob id. A file that is not text, or has no entry in
  /// `blobs`, is remembered as read and counted as not searched.
  Result<> add(const std::string& repository, const std::vector<TreeFile>& files,
               const std::map<std::string, std::string>& blobs, const Redact& redact = {});
  /// Marks the commit as indexed. Fails without a begin_update, or if the index was rebuilt since then.
  Result<> end_update(const std::string& repository, const std::string& commit);

  using MayRead = std::function<bool(std::string_view path)>;

  /// Searches these repositories; the best places come first, at most one a file. Files that `may_read` refuses are
  /// left out.
  Result<CodeFound> search(std::string_view query, int most, const std::vector<std::string>& repositories,
                           const MayRead& may_read = {});

 private:
  Result<> open_once();
  Result<> open();
  Result<int> version_of_file();
  Result<> create_tables();
  /// True if the last operation found the file damaged. The file is then deleted, and the next `open_once` creates a
  /// new one.
  bool drop_if_damaged();
  Result<std::string> find_commit(const std::string& repository);
  Result<CodeFound> look_for(std::string_view query, int most, const std::vector<std::string>& repositories,
                             const MayRead& may_read);
  Result<> in_transaction(const std::function<Result<>()>& work);
  using Unread = std::map<std::string_view, const TreeFile*>;  // by path
  Result<> forget_missing(const std::string& repository, Unread& unread);
  Result<> forget(std::int64_t file);
  using Text = std::optional<std::string_view>;  // nothing: the file is not searched
  Result<> replace_file(const std::string& repository, const TreeFile& file, Text text);
  Result<> add_file(const std::string& repository, const TreeFile& file, Text text);
  Result<int> count_not_searched(std::string_view repositories);
  Result<int> count_left_out(std::string_view repositories, const MayRead& may_read);

  std::mutex mutex_;
  std::string path_;
  std::unique_ptr<sqlite::Connection> connection_;  // null until it is open
  std::set<std::string> begun_;                     // repositories with a begin_update in the open file
};

/// The words of a text in their order, in lower case: the parts of each identifier, and the whole identifier if it has
/// several parts. So "find user" finds findUserById, find_user_by_id and FIND_USER. Pure, linear.
std::vector<std::string> words_of_code(std::string_view text);

}  // namespace deputy::tools

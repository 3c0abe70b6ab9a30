// The words of the files of some repositories, in SQLite's FTS5. It can be made again at any time, and is where its
// file is damaged: then no commit is indexed any more, and what was under way fails and may be tried again. It knows no
// git: it is told which files a commit has and what is in those that are new. Safe on any thread; it blocks.
#pragma once

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
#include "tools/code/repository.h"

namespace deputy::tools {

struct CodeHit {
  std::string repository;
  std::string path;
  int first_line = 1;
  int last_line = 1;
  std::string snippet;
};

struct CodeFound {
  std::vector<CodeHit> hits;
  int not_searched = 0;  // files that are no text, or too large
  bool more = false;     // places were left out that might have been in further files
};

class CodeIndex {
 public:
  /// The file is opened, and made when it is not there, by the first call that needs it.
  explicit CodeIndex(std::string path) : path_(std::move(path)) {}

  /// The commit that is indexed; empty: none yet.
  Result<std::string> commit_of(const std::string& repository);

  /// Forgets what the new commit does not have any more, and returns those of its files that are still to be read.
  Result<std::vector<TreeFile>> begin_update(const std::string& repository, const std::vector<TreeFile>& files);
  /// The contents of some of them, by blob id. What is not text, or has no contents there, is remembered as read and
  /// counted as not searched.
  Result<> add(const std::string& repository, const std::vector<TreeFile>& files,
               const std::map<std::string, std::string>& blobs);
  /// What was begun must have stayed: without it, or where the index was made again meanwhile, this fails.
  Result<> end_update(const std::string& repository, const std::string& commit);

  /// The best places first, at most one a file, in these repositories only.
  Result<CodeFound> search(std::string_view query, int most, const std::vector<std::string>& repositories);

 private:
  Result<> open_once();
  Result<> open();
  /// True when what was just done met damage: the file is gone then, and the next `open_once` makes another.
  bool drop_if_damaged();
  Result<std::string> find_commit(const std::string& repository);
  Result<CodeFound> look_for(std::string_view query, int most, const std::vector<std::string>& repositories);
  Result<> in_transaction(const std::function<Result<>()>& work);
  using Unread = std::map<std::string_view, const TreeFile*>;  // by path
  Result<> forget_missing(const std::string& repository, Unread& unread);
  Result<> forget(std::int64_t file);
  using Text = std::optional<std::string_view>;  // none: it is not searched
  Result<> replace_file(const std::string& repository, const TreeFile& file, Text text);
  Result<> add_file(const std::string& repository, const TreeFile& file, Text text);
  Result<int> count_not_searched(std::string_view repositories);

  std::mutex mutex_;
  std::string path_;
  std::unique_ptr<sqlite::Connection> connection_;  // null until it is open
  std::set<std::string> begun_;                     // repositories whose update was begun in the file that is open
};

// The words in code: findUserById, find_user_by_id and FIND_USER are found by "find user". Pure, linear.

/// In the order of the text, small letters: each identifier's parts, and the whole where it has several.
std::vector<std::string> words_of_code(std::string_view text);

}  // namespace deputy::tools

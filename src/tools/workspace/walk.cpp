#include "tools/workspace/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <vector>

#include "base/task.h"
#include "base/text.h"
#include "tools/workspace/root.h"

namespace deputy::tools {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// The entries of one folder, sorted by name.
std::vector<WalkEntry> entries_of(FileDescriptor folder, const std::string& path, int most, GitFolders git) {
  const std::unique_ptr<DIR, CloseFolder> open(fdopendir(folder.number));
  if (!open) return {};
  folder.release();
  const std::string prefix = path == "." ? "" : path + "/";
  std::vector<WalkEntry> entries;
  while (const dirent* found = readdir(open.get())) {
    const std::string name = found->d_name;
    if (name == "." || name == ".." || (name == ".git" && git == GitFolders::left_out)) continue;
    struct stat about{};
    if (fstatat(dirfd(open.get()), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone meanwhile
    using Kind = WalkEntry::Kind;
    const Kind kind = S_ISREG(about.st_mode)   ? Kind::file
                      : S_ISDIR(about.st_mode) ? Kind::folder
                      : S_ISLNK(about.st_mode) ? Kind::link
                                               : Kind::other;
    entries.push_back(
        {prefix + name, kind, static_cast<std::uint64_t>(about.st_size), kind == Kind::file && about.st_nlink > 1});
    if (static_cast<int>(entries.size()) >= most) break;
  }
  std::ranges::sort(entries, {}, &WalkEntry::path);
  return entries;
}

}  // namespace

Result<WalkEnd> walk(const Root& root, const std::string& path, Depth depth, int most, const std::stop_token& stop,
                     const std::function<Next(const WalkEntry&)>& visit, GitFolders git) {
  TRY(const std::string start, normal_path(path));
  TRY(FileDescriptor folder, root.open_folder(start));
  WalkEnd end;
  int left = most;
  // A stack of what is still to be visited. A folder is replaced by its entries.
  struct Waiting {
    WalkEntry entry;
    int depth;
  };
  std::vector<Waiting> waiting;
  const auto enter = [&](FileDescriptor opened, const std::string& at, int level) {
    std::vector<WalkEntry> entries = entries_of(std::move(opened), at, left, git);
    left -= static_cast<int>(entries.size());
    if (left <= 0) end.why = WalkEnd::Why::too_many;
    for (WalkEntry& entry : entries | std::views::reverse) waiting.push_back({std::move(entry), level});
  };
  enter(std::move(folder), start, 1);
  while (!waiting.empty()) {
    if (stop.stop_requested()) return std::unexpected(cancelled_error());
    const Waiting now = std::move(waiting.back());
    waiting.pop_back();
    const Next next = visit(now.entry);
    if (next == Next::enough) {
      end.why = WalkEnd::Why::enough;
      break;
    }
    if (next == Next::not_into || now.entry.kind != WalkEntry::Kind::folder || depth == Depth::this_folder || left <= 0)
      continue;
    Result<FileDescriptor> below = now.depth < kDeepest ? root.open_folder(now.entry.path)
                                                        : Result<FileDescriptor>(std::unexpected(cancelled_error()));
    if (below) {
      enter(*std::move(below), now.entry.path, now.depth + 1);
    } else {
      end.not_entered.push_back(now.entry.path);
    }
  }
  return end;
}

std::string not_looked_at(const WalkEnd& end, int most) {
  std::string text;
  if (end.why == WalkEnd::Why::too_many) {
    text += fmt::format("… there may be more: only {} files and folders were looked at; give a path below this one\n",
                        most);
  }
  if (!end.not_entered.empty())
    text += fmt::format("… {} could not be opened\n", count_of(std::ssize(end.not_entered), "folder"));
  return text;
}

namespace {

constexpr std::size_t kMaxGlob = 500;

std::string expression_of(std::string_view pattern) {
  std::string expression;
  int open = 0;
  while (!pattern.empty()) {
    std::size_t taken = 1;
    if (pattern.starts_with("**/")) {
      expression += "(?:.*/)?";
      taken = 3;
    } else if (pattern.starts_with("**")) {
      expression += ".*";
      taken = 2;
    } else if (pattern[0] == '*') {
      expression += "[^/]*";
    } else if (pattern[0] == '?') {
      expression += "[^/]";
    } else if (pattern[0] == '{') {
      expression += "(?:";
      ++open;
    } else if (pattern[0] == '}' && open > 0) {
      expression += ")";
      --open;
    } else if (pattern[0] == ',' && open > 0) {
      expression += "|";
    } else {
      taken = decode_utf8(pattern).bytes;
      expression += re2::RE2::QuoteMeta(re2::StringPiece(pattern.data(), taken));
    }
    pattern.remove_prefix(taken);
  }
  return expression;
}

}  // namespace

Result<Glob> Glob::parse(std::string_view pattern) {
  Glob glob;
  if (pattern.empty()) return glob;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  glob.last_name_only_ = !pattern.contains('/');
  auto expression =
      std::make_shared<const re2::RE2>(pattern.size() <= kMaxGlob ? expression_of(pattern) : std::string("("), options);
  if (!expression->ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is not a file pattern", cut_with_mark(to_valid_utf8(std::string(pattern)), 100)),
                "give one such as *.cpp, src/**/*.{h,cpp} or docs/*");
  }
  glob.expression_ = std::move(expression);
  return glob;
}

bool Glob::matches(std::string_view path) const {
  if (!expression_) return true;
  if (last_name_only_) path.remove_prefix(path.rfind('/') + 1);
  return re2::RE2::FullMatch(re2::StringPiece(path.data(), path.size()), *expression_);
}

}  // namespace deputy::tools

#include "tools/code/repository.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"
#include "toolkit/cut.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMaxListing = 32UL * 1024 * 1024;
constexpr std::size_t kMaxAtOnce = 8UL * 1024 * 1024;  // bytes of blobs
constexpr std::size_t kMaxFilesAtOnce = 500;

milliseconds left_until(steady_clock::time_point deadline) {
  const auto now = steady_clock::now();
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(deadline - now > std::chrono::hours(1)
                                                                                ? std::chrono::hours(1)
                                                                                : deadline - now));
}

// Takes the files that are read together next off the end.
std::vector<TreeFile> take_batch(std::vector<TreeFile>& files) {
  std::vector<TreeFile> batch;
  std::size_t bytes = 0;
  while (!files.empty() && batch.size() < kMaxFilesAtOnce && bytes <= kMaxAtOnce) {
    bytes += std::min<std::uint64_t>(files.back().bytes, kMaxCodeFile);
    batch.push_back(std::move(files.back()));
    files.pop_back();
  }
  return batch;
}

}  // namespace

Task<Result<std::string>> run_git(SandboxPrograms programs, CodeRepository repository,
                                  std::vector<std::string> arguments, std::string input, std::size_t max_output,
                                  milliseconds timeout) {
  SandboxedProgram program;
  program.arguments = {"git", "--no-pager", "--no-optional-locks", "--no-replace-objects"};
  program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
  program.folder = repository.folder;
  program.access = FolderAccess::read_only;
  program.environment = {{"GIT_CONFIG_COUNT", "1"},
                         {"GIT_CONFIG_KEY_0", "safe.directory"},
                         {"GIT_CONFIG_VALUE_0", "*"},
                         {"GIT_NO_LAZY_FETCH", "1"}};
  program.input = std::move(input);
  program.max_output = max_output;
  program.timeout = timeout;
  CO_TRY(ProcessEnd end, co_await run_sandboxed(std::move(programs), std::move(program)));
  if (end.timed_out) co_return std::unexpected(timeout_error(timeout));
  if (end.exit_code != 0) {
    const std::string said = cut_with_mark(to_valid_utf8(std::string(trim(cut_bytes(end.errors, 2000)))), 300);
    co_return fail(ErrorKind::upstream, fmt::format("git cannot read the repository `{}`: {}", repository.name, said));
  }
  if (end.output_bytes > end.output.size()) {
    co_return fail(ErrorKind::invalid_input,
                   fmt::format("git printed more than {} bytes for the repository `{}`", max_output, repository.name));
  }
  co_return std::move(end.output);
}

Task<Result<>> refresh_repository(CodeSetup setup, CodeRepository repository, CodeIndex::Redact redact,
                                  steady_clock::time_point deadline) {
  const std::string name = repository.name;
  const std::shared_ptr<CodeIndex> index = setup.index;
  CO_TRY(const std::string said,
         co_await run_git(setup.programs, repository, {"rev-parse", "--verify", "HEAD^{commit}"}, {}, 1000,
                          left_until(deadline)));
  const std::string commit(trim(said));
  if (!is_object_id(commit)) co_return fail(ErrorKind::upstream, "git did not return a commit id");
  auto ask_commit = [index, name](const std::stop_token&) { return index->commit_of(name); };
  CO_TRY(const std::string indexed,
         co_await on_worker<std::string>(*setup.workers, left_until(deadline), std::move(ask_commit)));
  if (indexed == commit) co_return Result<>{};
  CO_TRY(const std::string listing,
         co_await run_git(setup.programs, repository, {"ls-tree", "-r", "-z", "-l", "--full-tree", commit}, {},
                          kMaxListing, left_until(deadline)));
  using Files = std::vector<TreeFile>;
  auto begin = [index, name, listing](const std::stop_token&) {
    return index->begin_update(name, parse_tree(listing));
  };
  CO_TRY(Files unread, co_await on_worker<Files>(*setup.workers, left_until(deadline), std::move(begin)));
  while (!unread.empty()) {
    const Files batch = take_batch(unread);
    std::string ids;
    for (const TreeFile& file : batch) {
      if (file.bytes <= kMaxCodeFile) ids += file.blob + "\n";
    }
    CO_TRY(std::string blobs, co_await run_git(setup.programs, repository, {"cat-file", "--batch"}, std::move(ids),
                                               2 * kMaxAtOnce + kMaxFilesAtOnce * 100, left_until(deadline)));
    auto add = [index, name, batch, blobs = std::move(blobs), redact](const std::stop_token&) {
      const auto clean = [&](std::string_view text) { return toolkit::redact_or_withhold(text, redact); };
      return index->add(name, batch, parse_blobs(blobs), clean);
    };
    CO_TRY(co_await on_worker<void>(*setup.workers, left_until(deadline), std::move(add)));
  }
  auto end = [index, name, commit](const std::stop_token&) { return index->end_update(name, commit); };
  co_return co_await on_worker<void>(*setup.workers, left_until(deadline), std::move(end));
}

namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  text = trim(text);
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Removes the text before `separator`, and the separator, and returns the text.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(text.size(), at + 1));
  return taken;
}

}  // namespace

bool is_object_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<TreeFile> parse_tree(std::string_view output) {
  std::vector<TreeFile> files;
  while (!output.empty()) {
    std::string_view path = take_until(output, '\0');
    std::string_view about = take_until(path, '\t');
    const std::string_view mode = take_until(about, ' ');
    const std::string_view type = take_until(about, ' ');
    const std::string_view blob = take_until(about, ' ');
    const auto bytes = number_in(about);
    if (!mode.starts_with("100") || type != "blob" || !is_object_id(blob) || !bytes || path.empty()) continue;
    files.push_back({std::string(path), std::string(blob), *bytes});
  }
  return files;
}

std::map<std::string, std::string> parse_blobs(std::string_view output) {
  std::map<std::string, std::string> blobs;
  while (!output.empty()) {
    std::string_view head = take_until(output, '\n');
    const std::string_view id = take_until(head, ' ');
    const std::string_view type = take_until(head, ' ');
    if (type == "missing") continue;
    const auto bytes = number_in(head);
    if (!is_object_id(id) || !bytes || *bytes > output.size()) break;
    if (type == "blob") blobs.emplace(id, output.substr(0, *bytes));
    output.remove_prefix(std::min<std::size_t>(output.size(), *bytes + 1));
  }
  return blobs;
}

}  // namespace deputy::tools

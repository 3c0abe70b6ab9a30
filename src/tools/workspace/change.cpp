#include "tools/workspace/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/workspace/root.h"

namespace deputy::tools {

namespace {

using toolkit::CallContext;
using toolkit::Looked;
using toolkit::Output;
using toolkit::Step;
using RootPointer = std::shared_ptr<const Root>;

json::value as_json(const FileState& state) { return state.digest ? json::value(*state.digest) : json::value(nullptr); }

// The states of the file that the preview showed, from its journalled output.
struct Seen {
  FileState before;
  FileState after;
};

std::optional<Seen> seen_in(const CallContext& context) {
  const Output* preview = context.output_of("preview");
  if (preview == nullptr) return std::nullopt;
  const auto state = [&](std::string_view key) -> FileState {
    const json::value* digest = preview->data.if_contains(key);
    if (digest == nullptr || !digest->is_string()) return {};
    return {std::string(as_view(digest->get_string()))};
  };
  return Seen{state("digest_before"), state("digest_after")};
}

Result<std::optional<std::string>> read_text(const Root& root, const std::string& path) {
  Result<std::string> text = root.read(path, kMaxFile);
  if (!text && text.error().kind == ErrorKind::not_found) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  if (text->contains('\0') || !is_valid_utf8(*text)) {
    return fail(ErrorKind::invalid_input, fmt::format("{} is not a text file in UTF-8", shown_path(path)));
  }
  return std::optional(*std::move(text));
}

Result<std::string> change_text(const FileChange& change, const std::optional<std::string>& before) {
  TRY(std::string after, change.change(before));
  if (after.size() > kMaxFile) {
    return fail(ErrorKind::invalid_input, fmt::format("the file would have more than {} bytes", kMaxFile));
  }
  return after;
}

Result<Output> preview_of(const Root& root, const FileChange& change) {
  TRY(root.check_has_no_link(change.path));  // do not ask for an approval if it cannot be written
  TRY(const std::optional<std::string> before, read_text(root, change.path));
  TRY(const std::string after, change_text(change, before));
  const FileState state_before = before ? state_of_content(*before) : FileState{};
  const std::string diff = unified_diff(change.path, before.value_or(""), after);
  std::string text = before ? "" : fmt::format("{} is a new file\n", shown_path(change.path));
  text += diff.empty() ? "nothing changes\n" : diff;
  return Output{std::move(text),
                {{"path", change.path},
                 {"digest_before", as_json(state_before)},
                 {"digest_after", as_json(state_of_content(after))}}};
}

Output written(const FileChange& change) { return {fmt::format("wrote {}", shown_path(change.path)), {}}; }

// Computes the change again from the current file; the result must be what was shown.
Result<Output> write_change(const Root& root, const FileChange& change, const Seen& seen) {
  const auto conflict = [&] {
    return fail(ErrorKind::conflict, fmt::format("{} has changed since it was shown", shown_path(change.path)),
                "read it again and make a new change");
  };
  if (!root.check_has_no_link(change.path)) return conflict();
  TRY(const std::optional<std::string> before, read_text(root, change.path));
  const FileState now = before ? state_of_content(*before) : FileState{};
  if (now != seen.before) return conflict();
  TRY(const std::string after, change_text(change, before));
  if (state_of_content(after) != seen.after) return conflict();
  TRY(root.write(change.path, after, seen.before));
  return written(change);
}

Result<Looked> look_at_file(const Root& root, const FileChange& change, const Seen& seen) {
  using Answer = Looked::Answer;
  TRY(const FileState now, root.state(change.path, kMaxFile));
  if (now == seen.after) return Looked{Answer::done, written(change)};
  return Looked{now == seen.before ? Answer::not_done : Answer::cannot_tell};
}

Task<Step> preview(RootPointer root, Workers& workers, FileChange change, const CallContext& context) {
  auto job = [root, change](const std::stop_token&) { return preview_of(*root, change); };
  co_return co_await output_on_worker(workers, context.time_left(), std::move(job));
}

Task<Step> write(RootPointer root, Workers& workers, FileChange change, const CallContext& context) {
  const std::optional<Seen> seen = seen_in(context);
  if (!seen) co_return Error{ErrorKind::conflict, "the change was not shown, so it was not made"};
  auto job = [root, change, seen = *seen](const std::stop_token&) { return write_change(*root, change, seen); };
  co_return co_await output_on_worker(workers, context.time_left(), std::move(job));
}

Task<Result<Looked>> look(RootPointer root, Workers& workers, FileChange change, const CallContext& context) {
  const std::optional<Seen> seen = seen_in(context);
  if (!seen) co_return Looked{};
  auto job = [root, change, seen = *seen](const std::stop_token&) { return look_at_file(*root, change, seen); };
  co_return co_await on_worker<Looked>(workers, context.time_left(), std::move(job));
}

}  // namespace

toolkit::Pipeline change_pipeline(const WorkspaceSetup& setup, const FileChange& change) {
  toolkit::Pipeline pipeline;
  pipeline
      .then({.name = "preview",
             .repeatable = true,
             .call = [setup,
                      change](CallContext& context) { return preview(setup.root, *setup.workers, change, context); }})
      .await_approval()
      .then(
          {.name = "write",
           .call = [setup, change](CallContext& context) { return write(setup.root, *setup.workers, change, context); },
           .look = [setup, change](CallContext& context) { return look(setup.root, *setup.workers, change, context); },
           .look_after = std::chrono::milliseconds(0)});
  return pipeline;
}

namespace {

constexpr std::size_t kContext = 3;
// Comparing takes time and memory for the product of both sides; beyond this the lines are shown as replaced.
constexpr std::size_t kMaxCompared = 4'000'000;

using Lines = std::vector<std::string_view>;

// Each line keeps its line end, so that a missing one at the end of the file is a difference too.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Change {
  char mark;  // ' ', '-', '+'
  std::string_view line;
};

// Finds the longest common subsequence of lines by dynamic programming.
void compare(std::span<const std::string_view> before, std::span<const std::string_view> after,
             std::vector<Change>& changes) {
  if (before.size() * after.size() > kMaxCompared) {
    for (const auto line : before) changes.push_back({'-', line});
    for (const auto line : after) changes.push_back({'+', line});
    return;
  }
  const std::size_t width = after.size() + 1;
  std::vector<std::uint32_t> common((before.size() + 1) * width, 0);
  for (std::size_t i = before.size(); i-- > 0;) {
    for (std::size_t j = after.size(); j-- > 0;) {
      common[i * width + j] = before[i] == after[j] ? common[(i + 1) * width + j + 1] + 1
                                                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      changes.push_back({' ', before[i]});
      ++i, ++j;
    } else if (j == after.size() || (i < before.size() && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      changes.push_back({'-', before[i++]});
    } else {
      changes.push_back({'+', after[j++]});
    }
  }
}

std::vector<Change> changes_between(const Lines& before, const Lines& after) {
  std::size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < before.size() - head && tail < after.size() - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<Change> changes;
  changes.reserve(before.size() + after.size() - head - tail);
  for (std::size_t i = 0; i < head; ++i) changes.push_back({' ', before[i]});
  compare(std::span(before).subspan(head, before.size() - head - tail),
          std::span(after).subspan(head, after.size() - head - tail), changes);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) changes.push_back({' ', before[i]});
  return changes;
}

std::string side(std::size_t first, std::size_t count) {
  return count == 1 ? std::to_string(first) : fmt::format("{},{}", count == 0 ? first - 1 : first, count);
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after, std::size_t most) {
  if (before == after) return {};
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<Change> changes = changes_between(old_lines, new_lines);
  std::string diff = fmt::format("--- {}\n+++ {}\n", name, name);
  std::size_t missing = 0;
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t at = 0; at < changes.size();) {
    std::size_t first = at;
    while (first < changes.size() && changes[first].mark == ' ') ++first;
    if (first == changes.size()) break;
    const std::size_t begin = std::max(at, first - std::min(first, kContext));
    // A hunk goes on as long as the next change is near.
    std::size_t last = first;
    for (std::size_t i = first; i < changes.size() && i <= last + 2 * kContext + 1; ++i) {
      if (changes[i].mark != ' ') last = i;
    }
    const std::size_t end = std::min(changes.size(), last + kContext + 1);
    old_line += begin - at;
    new_line += begin - at;
    const auto hunk = std::span(changes).subspan(begin, end - begin);
    const auto with = [&](char other) {
      return static_cast<std::size_t>(std::ranges::count_if(hunk, [&](const Change& c) { return c.mark != other; }));
    };
    const std::size_t old_count = with('+');
    const std::size_t new_count = with('-');
    std::string text = fmt::format("@@ -{} +{} @@\n", side(old_line, old_count), side(new_line, new_count));
    for (const Change& change : hunk) {
      text += change.mark;
      text += change.line;
      if (!change.line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
    if (missing == 0 && diff.size() + text.size() <= most) {
      diff += text;
    } else {
      // Add as many whole lines as fit and count the rest.
      for (const std::string_view line : lines_of(text)) {
        if (missing == 0 && diff.size() + line.size() <= most) {
          diff += line;
        } else {
          ++missing;
        }
      }
    }
    old_line += old_count;
    new_line += new_count;
    at = end;
  }
  if (missing > 0) diff += fmt::format("… {} more lines of this change are not shown\n", missing);
  return diff;
}

Result<std::string> apply_edits(std::string text, const std::vector<Edit>& edits) {
  std::size_t number = 0;
  for (const auto& [old_string, new_string] : edits) {
    ++number;
    const auto refuse = [&](std::string_view why, std::string hint) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("edit {} cannot be made: `{}` {}", number, cut_with_mark(old_string, 80), why),
                  std::move(hint));
    };
    if (old_string.empty()) return refuse("is empty", "to write a whole file use write_file");
    if (old_string == new_string) return refuse("would be replaced by itself", "leave this edit out");
    const std::size_t at = text.find(old_string);
    if (at == std::string::npos) return refuse("is not in the file", "read the file and copy the passage exactly");
    if (text.find(old_string, at + 1) != std::string::npos) {
      return refuse("occurs more than once in the file", "include more of the lines around it");
    }
    text.replace(at, old_string.size(), new_string);
  }
  return text;
}

}  // namespace deputy::tools

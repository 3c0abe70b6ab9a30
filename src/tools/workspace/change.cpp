#include "tools/workspace/change.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tools/worker_step.h"
#include "tools/workspace/diff.h"
#include "tools/workspace/root_path.h"

namespace deputy::tools {

namespace {

using toolkit::CallContext;
using toolkit::Looked;
using toolkit::Output;
using toolkit::Step;
using RootPointer = std::shared_ptr<const Root>;

json::value as_json(const FileState& state) { return state.digest ? json::value(*state.digest) : json::value(nullptr); }

// What the preview saw, from its journalled output.
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
  Result<std::string> text = root.read(path, kMostFile);
  if (!text && text.error().kind == ErrorKind::not_found) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  if (text->contains('\0') || !is_valid_utf8(*text)) {
    return fail(ErrorKind::invalid_input, fmt::format("{} is not a text file in UTF-8", shown_path(path)));
  }
  return std::optional(*std::move(text));
}

Result<std::string> change_text(const FileChange& change, const std::optional<std::string>& before) {
  TRY(std::string after, change.change(before));
  if (after.size() > kMostFile) {
    return fail(ErrorKind::invalid_input, fmt::format("the file would have more than {} bytes", kMostFile));
  }
  return after;
}

Result<Output> preview_of(const Root& root, const FileChange& change) {
  TRY(const std::optional<std::string> before, read_text(root, change.path));
  TRY(root.check_is_no_link(change.path));  // nobody is asked for what cannot be written
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

// The change is made anew from the file as it is: it must come out as it was shown.
Result<Output> write_change(const Root& root, const FileChange& change, const Seen& seen) {
  TRY(const std::optional<std::string> before, read_text(root, change.path));
  const FileState now = before ? state_of_content(*before) : FileState{};
  const auto conflict = [&] {
    return fail(ErrorKind::conflict, fmt::format("{} has changed since it was shown", shown_path(change.path)),
                "read it again and make the change anew");
  };
  if (now != seen.before) return conflict();
  TRY(const std::string after, change_text(change, before));
  if (state_of_content(after) != seen.after) return conflict();
  TRY(root.write(change.path, after, seen.before));
  return written(change);
}

Result<Looked> look_at_file(const Root& root, const FileChange& change, const Seen& seen) {
  using Answer = Looked::Answer;
  TRY(const FileState now, root.state(change.path, kMostFile));
  if (now == seen.after) return Looked{Answer::done, written(change)};
  return Looked{now == seen.before ? Answer::not_done : Answer::cannot_tell};
}

Task<Step> preview(RootPointer root, Workers& workers, FileChange change, const CallContext& context) {
  auto job = [root, change](const std::stop_token&) { return preview_of(*root, change); };
  co_return co_await output_on_worker(workers, context.time_left(), std::move(job));
}

Task<Step> write(RootPointer root, Workers& workers, FileChange change, const CallContext& context) {
  const std::optional<Seen> seen = seen_in(context);
  if (!seen) co_return Error{ErrorKind::conflict, "the change was not shown before it was to be made"};
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
           .look = [setup,
                    change](CallContext& context) { return look(setup.root, *setup.workers, change, context); }});
  return pipeline;
}

}  // namespace deputy::tools

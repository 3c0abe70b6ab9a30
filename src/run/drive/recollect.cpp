#include "run/drive/recollect.h"

#include "base/text.h"
#include "run/journal/fold.h"

namespace deputy::run {

namespace {

// The most runs of a conversation, child runs included, that are searched for those that ended since the newest one
// began, and the most journals that are read.
constexpr int kMaxListed = 1000;
constexpr std::size_t kMaxRead = 60;

Task<Result<EarlierRun>> read_run(const RunDependencies& dependencies, std::string id) {
  const Result<RunId> run = RunId::parse(id);
  if (!run) co_return EarlierRun{std::move(id), nullptr};
  CO_TRY(std::vector<store::EntryRow> rows, co_await dependencies.patience->ask<std::vector<store::EntryRow>>(
                                                [&] { return dependencies.store.journal(*run, 1); }));
  Result<RunState> state = co_await read_state(std::move(rows));
  if (!state || !state->received) co_return EarlierRun{std::move(id), nullptr};
  co_return EarlierRun{std::move(id), std::make_shared<const RunState>(*std::move(state))};
}

// Oldest first.
Task<Result<std::vector<std::string>>> finished_before(const RunDependencies& dependencies, RunId run,
                                                       std::string conversation) {
  store::RunFilter filter;
  filter.conversation = std::move(conversation);
  filter.state = store::RunStatus::finished;
  filter.before = run;
  filter.most = kMaxListed;
  CO_TRY(const std::vector<store::RunRow> rows, co_await dependencies.patience->ask<std::vector<store::RunRow>>(
                                                    [&] { return dependencies.store.runs(filter); }));
  std::vector<std::string> ids;
  for (const store::RunRow& row : rows) {
    if (!row.parent && !row.forgotten) ids.push_back(row.run.text());
  }
  std::ranges::sort(ids);  // ids sort by time
  co_return ids;
}

}  // namespace

Task<Result<std::vector<EarlierRun>>> read_runs(const RunDependencies& dependencies, std::vector<std::string> ids) {
  std::vector<EarlierRun> runs;
  runs.reserve(ids.size());
  for (std::string& id : ids) {
    CO_TRY(EarlierRun run, co_await read_run(dependencies, std::move(id)));
    runs.push_back(std::move(run));
  }
  co_return runs;
}

Task<Result<Recollection>> recollect(const RunDependencies& dependencies, RunId run, Received received) {
  Recollection found;
  if (received.parent) co_return found;
  CO_TRY(std::vector<std::string> finished,
         co_await finished_before(dependencies, run, std::move(received.conversation)));
  // The newest that was shown others: what it was shown, and then itself, is what its model has seen.
  std::vector<EarlierRun> newest;
  const std::size_t looked_at = std::min(finished.size(), kMaxRead);
  for (std::size_t i = 1; i <= looked_at && newest.empty(); ++i) {
    CO_TRY(EarlierRun one, co_await read_run(dependencies, finished[finished.size() - i]));
    const MemoryShown* memory = one.state ? one.state->memory() : nullptr;
    if (memory == nullptr) continue;
    found.before = *memory;
    newest.push_back(std::move(one));
  }
  CO_TRY(found.runs, co_await read_runs(dependencies, found.before.runs));
  // Runs older than the first that is shown were left out before, if any were.
  const bool left_some_out = found.before.left_out > 0 && !found.before.runs.empty();
  std::erase_if(finished, [&](const std::string& id) {
    const bool is_newest = !newest.empty() && id == newest.front().id;
    const bool was_left_out = left_some_out && id < found.before.runs.front();
    return is_newest || was_left_out || contains(found.before.runs, id);
  });
  const std::size_t too_many = finished.size() - std::min(finished.size(), kMaxRead);
  finished.erase(finished.begin(), finished.begin() + static_cast<std::ptrdiff_t>(too_many));
  found.before.left_out += too_many;
  if (!newest.empty()) found.runs.push_back(std::move(newest.front()));
  CO_TRY(std::vector<EarlierRun> others, co_await read_runs(dependencies, std::move(finished)));
  std::ranges::move(others, std::back_inserter(found.runs));
  co_return found;
}

}  // namespace deputy::run

#include "app/said_before.h"

#include <algorithm>

#include "app/foreground.h"
#include "channel/context.h"
#include "run/place.h"

namespace deputy::app {

namespace {

constexpr int kMostRuns = 1000;
constexpr std::size_t kMessagesOfARun = 2;

void add(std::vector<channel::Said>& said, const run::RunState& state) {
  const run::Received& request = state.request();
  said.push_back({.writer = run::account_of(request.account), .writer_name = request.name, .text = request.text});
  if (state.replied) said.push_back({.writer = {}, .writer_name = {}, .text = state.replied->text, .by_deputy = true});
}

}  // namespace

Task<Result<channel::ConversationContext>> said_before(store::Store& store, std::string conversation, int most) {
  store::RunFilter filter;
  filter.conversation = std::move(conversation);
  filter.most = kMostRuns;
  CO_TRY(std::vector<store::RunRow> runs, co_await store.runs(filter));
  std::erase_if(runs, [](const store::RunRow& run) { return run.parent || run.state != store::RunStatus::finished; });
  std::ranges::reverse(runs);  // oldest first
  // Of those between the first and the newest nothing would be kept, so they are not read.
  const std::size_t read = 2 + static_cast<std::size_t>(std::max(most, 0)) / kMessagesOfARun;
  const std::size_t skipped = runs.size() - std::min(runs.size(), read);
  if (skipped > 0) runs.erase(runs.begin() + 1, runs.begin() + 1 + static_cast<std::ptrdiff_t>(skipped));
  std::size_t left_out = skipped * kMessagesOfARun;
  std::vector<channel::Said> said;
  for (const store::RunRow& run : runs) {
    const Result<run::RunState> state = co_await read_state(store, run.run);
    if (state) {
      add(said, *state);
    } else if (state.error().kind == ErrorKind::not_found) {
      left_out += kMessagesOfARun;
    } else {
      co_return std::unexpected(state.error());
    }
  }
  channel::ConversationContext context = channel::root_and_newest(std::move(said), most);
  context.left_out += left_out;
  co_return context;
}

}  // namespace deputy::app

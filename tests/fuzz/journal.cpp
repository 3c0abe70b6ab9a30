// A stored journal, a row a line as in tests/run/journal/golden: whatever stands in it, reading, folding, planning,
// showing it to a model and replaying it end, and a row that is not understood is an error.
#include <algorithm>
#include <cstdint>
#include <iostream>

#include "base/text.h"
#include "fuzz/complain.h"
#include "run/journal/fold.h"
#include "run/plan/consistency.h"
#include "run/plan/plan.h"
#include "run/prompt/memory.h"
#include "run/prompt/replay.h"
#include "run/prompt/turns.h"

namespace {

using namespace deputy;
using namespace deputy::run;

std::int64_t whole(const json::object& row, std::string_view name, std::int64_t most) {
  const json::value* value = row.if_contains(name);
  return value == nullptr ? 0 : std::clamp<std::int64_t>(as_whole(*value).value_or(0), 0, most);
}

std::vector<store::EntryRow> rows_of(std::string_view text) {
  constexpr std::int64_t kYear2100 = 4'102'444'800'000;
  std::vector<store::EntryRow> rows;
  for (const std::string_view line : split(text, "\n")) {
    const auto row = parse_json_object(line);
    if (!row) continue;
    const json::value* kind = row->if_contains("kind");
    const json::value* body = row->if_contains("body");
    if (kind == nullptr || !kind->is_string() || body == nullptr) continue;
    rows.push_back({static_cast<store::Seq>(rows.size()) + 1, from_millis(whole(*row, "at", kYear2100)),
                    std::string(as_view(kind->get_string())), static_cast<int>(whole(*row, "version", 9)),
                    json::serialize(*body)});
  }
  return rows;
}

void check_plan(const RunState& state) {
  const std::vector<Action> actions = plan(state);
  if (state.finished && !actions.empty()) complain("a finished run has something to do", "");
  Turns turns;
  turns.add_run(state);
  if (turns.take().empty()) complain("the model is shown nothing", "");
  if (!state.enriched || !state.enriched->memory) return;
  const std::vector<EarlierRun> earlier{{"01", std::make_shared<const RunState>(state)}, {"02", nullptr}};
  memory_turns(remember(*state.enriched->memory, earlier, 1000), earlier);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<store::EntryRow> rows = rows_of({reinterpret_cast<const char*>(data), size});
  RunState state;
  bool understood = true;
  for (const store::EntryRow& row : rows) {
    const auto entry = decode(row);
    if (!entry) {
      understood = false;
      continue;
    }
    const store::EntryRow written = encode(entry->body, entry->at);
    const auto again = decode(written);
    if (!again || encode(again->body, again->at) != written) complain("an entry does not read back", row.body);
    problems_of(state, *entry);
    state = fold(std::move(state), *entry);
    check_plan(state);
  }
  const auto replayed = replay(
      rows, [](const std::string&) -> Result<std::string> { return "[]"; },
      [](const MemoryShown&, MemoryCut) -> Result<std::vector<model::Turn>> { return std::vector<model::Turn>{}; });
  if (replayed.has_value() != understood) complain("replay understands another journal", "");
  if (replayed && print(*replayed).empty()) complain("a replay prints nothing", "");
  return 0;
}

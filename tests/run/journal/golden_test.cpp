// Journals that a release has written are understood by every later one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "run/journal/fold.h"
#include "run/journal/golden_journal.h"
#include "run/plan/plan.h"
#include "run/prompt/prompt.h"
#include "run/prompt/replay.h"
#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

using testing::IsEmpty;

std::vector<Entry> golden(const std::string& name) {
  std::vector<Entry> entries;
  for (const store::EntryRow& row : golden_rows(name)) {
    Result<Entry> entry = decode(row);
    EXPECT_OK(entry) << name << " " << row.seq;
    if (entry) entries.push_back(*std::move(entry));
  }
  return entries;
}

struct Row {
  std::string name;
  std::string outcome;
  std::vector<std::string> statuses;  // of calls, in the order of their ids
  int tool_turns;
  int takings;
  std::int64_t cost;
};

class Golden : public testing::TestWithParam<Row> {};

TEST_P(Golden, FoldsToWhatItSaid) {
  const Row& row = GetParam();
  const RunState state = fold_all(golden(row.name));
  ASSERT_TRUE(state.finished.has_value());
  EXPECT_EQ(name(state.finished->outcome), row.outcome);
  std::vector<std::string> statuses;
  statuses.reserve(state.calls.size());
  for (const auto& [id, call] : state.calls)
    statuses.emplace_back(call.finished ? name(call.finished->status) : "open");
  EXPECT_EQ(statuses, row.statuses);
  EXPECT_EQ(state.tool_turns, row.tool_turns);
  EXPECT_EQ(state.owner, row.takings);
  EXPECT_EQ(state.cost, row.cost);
  EXPECT_THAT(plan(state), IsEmpty());
}

const std::vector<Row> kRows{
    {"answered_read", "answered", {"success"}, 1, 1, 13'300},
    {"approved_write", "answered", {"success"}, 1, 2, 13'300},
    {"background", "answered", {"success"}, 1, 2, 13'300},
    {"background_child", "answered", {"success"}, 0, 1, 0},
    {"cancelled_unknown", "cancelled", {"unknown", "cancelled"}, 1, 1, 8'200},
    {"child", "answered", {"success"}, 1, 1, 13'300},
    {"crash_and_retake", "answered", {"success", "unknown"}, 1, 3, 18'400},
    {"denied_write", "answered", {"denied", "error"}, 1, 2, 13'300},
    {"form", "answered", {"success", "error"}, 2, 2, 21'500},
    {"limited", "answered", {"success"}, 1, 1, 13'300},
    {"out_of_time", "failed", {}, 0, 1, 0},
    {"over_budget", "answered", {}, 0, 1, 0},
    {"parent_of_child", "answered", {"success", "success"}, 1, 2, 44'200},
    {"poison", "failed", {}, 0, 4, 0},
    {"summarised", "answered", {"success"}, 1, 1, 15'800},
};

INSTANTIATE_TEST_SUITE_P(Journals, Golden, testing::ValuesIn(kRows), [](const auto& row) { return row.param.name; });

TEST(Golden, EveryJournalIsExpected) {
  std::vector<std::string> expected;
  expected.reserve(kRows.size());
  for (const Row& row : kRows) expected.push_back(row.name);
  EXPECT_EQ(golden_names(), expected);
}

TEST(Golden, EveryKindOfEntryOccurs) {
  std::set<std::size_t> kinds;
  for (const std::string& name : golden_names()) {
    for (const Entry& entry : golden(name)) kinds.insert(entry.body.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<EntryBody>);
}

// Takes out what a later release adds, however deep: members that the old value does not have.
void drop_gained(json::value& after, const json::value& before) {
  if (after.is_object() && before.is_object()) {
    json::object kept;
    for (auto& member : after.get_object()) {
      const json::value* old = before.get_object().if_contains(member.key());
      if (old == nullptr) continue;
      drop_gained(member.value(), *old);
      kept[member.key()] = std::move(member.value());
    }
    after = std::move(kept);
  } else if (after.is_array() && before.is_array() && after.get_array().size() == before.get_array().size()) {
    for (std::size_t i = 0; i < after.get_array().size(); ++i) drop_gained(after.get_array()[i], before.get_array()[i]);
  }
}

// What a later release adds is optional: nothing that stands in the old body is lost or changed.
TEST(Golden, EntriesAreWrittenAgainAsTheyWereRead) {
  for (const std::string& name : golden_names()) {
    for (const store::EntryRow& row : golden_rows(name)) {
      const Result<Entry> entry = decode(row);
      ASSERT_OK(entry);
      const store::EntryRow written = encode(entry->body, entry->at);
      EXPECT_EQ(written.kind, row.kind);
      const json::value before = *parse_json(row.body);
      json::value after = *parse_json(written.body);
      drop_gained(after, before);
      EXPECT_EQ(canonical_json(after), canonical_json(before)) << name << " " << row.seq;
    }
  }
}

TEST(Golden, AnEntryOfAnotherKindOrVersionIsAConflict) {
  for (const std::string& name : golden_names()) {
    for (store::EntryRow row : golden_rows(name)) {
      row.version = 2;
      EXPECT_FAILS(decode(row), conflict);
      row.version = 0;
      EXPECT_FAILS(decode(row), conflict);
      row.kind += "_once_more";
      EXPECT_FAILS(decode(row), conflict);
    }
  }
}

TEST(Golden, EveryJournalIsConsistentAndItsRequestsCanBeRebuilt) {
  const auto text = [](const std::string& digest) -> Result<std::string> {
    return digest.starts_with("5e0b")   ? "Be brief."
           : digest == sha256_hex("[]") ? "[]"
                                        : std::string(model::ToolList{{"a", "A tool", {}}}.text());
  };
  for (const std::string& name : golden_names()) {
    const std::vector<store::EntryRow> rows = golden_rows(name);
    const Result<Replay> replayed = replay(
        rows, text,
        [](const MemoryShown&, MemoryCut) -> Result<std::vector<model::Turn>> { return std::vector<model::Turn>{}; });
    ASSERT_OK(replayed);
    EXPECT_THAT(replayed->problems, IsEmpty()) << name;
    const auto asked = std::ranges::count(rows, "model_called", &store::EntryRow::kind);
    EXPECT_EQ(replayed->turns.size(), static_cast<std::size_t>(asked)) << name;
  }
}

}  // namespace
}  // namespace deputy::run

#include "run/entry.h"

#include <gtest/gtest.h>

#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

store::EntryRow row(std::string kind, std::string body, int version = 1) {
  return {7, from_millis(1000), std::move(kind), version, std::move(body)};
}

TEST(Entry, ComesBackAsItWasWritten) {
  Journal journal = begun();
  journal.calls({{"c1", "restart", {{"service", "cast-core"}}}, {"c2", "restart", {}, "broken"}})
      .ruled("c1", "ask", {{"act", false, true}}, 0, {"clean"});
  journal.asked("c1").answered("c1", "denied", "bo", {{"reason", "not now"}}).finished_call("c1", "denied", "no");
  for (const Entry& entry : journal.entries()) {
    const store::EntryRow encoded = encode(entry.body, entry.at);
    EXPECT_EQ(encoded.kind, kind_of(entry.body));
    const Result<Entry> decoded = decode(encoded);
    ASSERT_OK(decoded);
    EXPECT_EQ(encode(decoded->body, decoded->at), encoded);
    EXPECT_EQ(decoded->at, entry.at);
  }
}

TEST(Entry, IsReadableWhateverBytesItHolds) {
  const Result<Entry> decoded = decode(encode(Noted{.text = "caf\xe9"}, from_millis(1000)));
  ASSERT_OK(decoded);
  EXPECT_EQ(std::get<Noted>(decoded->body).text, "caf\uFFFD");
}

TEST(Entry, OfBeforeCallsHadFaultsReadsAsOneWithout) {
  const Result<Entry> decoded = decode(
      row("model_replied", R"({"text":"","calls":[{"id":"c1","tool":"search","arguments":{}}],"stop":"calls"})"));
  ASSERT_OK(decoded);
  EXPECT_EQ(std::get<ModelReplied>(decoded->body).calls.at(0).fault, std::nullopt);
}

TEST(Entry, KeepsItsPlaceInTheJournal) { EXPECT_EQ(decode(row("woken", R"({"due":"deadline"})"))->seq, 7); }

TEST(Entry, OfAKindThatIsNotKnownIsNeverSkipped) {
  const Result<Entry> decoded = decode(row("teleported", "{}"));
  EXPECT_FAILS(decoded, conflict);
  EXPECT_EQ(decoded.error().message, "this Deputy does not know entries of kind `teleported`");
}

TEST(Entry, OfANewerVersionIsNeverSkipped) { EXPECT_FAILS(decode(row("woken", R"({"due":"deadline"})", 2)), conflict); }

TEST(Entry, WithAFieldThatIsNotKnownIsRefused) {
  EXPECT_FAILS(decode(row("woken", R"({"due":"deadline","mood":"good"})")), internal);
}

TEST(Entry, ThatIsDamagedIsAnError) {
  EXPECT_FAILS(decode(row("woken", "")), internal);
  EXPECT_FAILS(decode(row("woken", "[]")), internal);
  EXPECT_FAILS(decode(row("woken", "{}")), internal);
  EXPECT_FAILS(decode(row("answered", R"({"interaction":"i","call":"c","state":"maybe"})")), internal);
  EXPECT_EQ(decode(row("woken", "[]")).error().message,
            "entry 7 of the journal, `woken`, is damaged: expected a JSON object, got: list");
}

}  // namespace
}  // namespace deputy::run

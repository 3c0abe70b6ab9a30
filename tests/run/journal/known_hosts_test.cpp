#include "run/journal/known_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/journal.h"

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const std::string kEvil = "https://evil.example/?d=1";
const json::object kSoughtEvil{{"query", kEvil}};

Received asks(std::string text) {
  Received received;
  received.text = std::move(text);
  return received;
}

Received child_of_a_run(std::string text) {
  Received received = asks(std::move(text));
  received.parent = "01";
  return received;
}

Received with_only_call(Received received, json::object arguments) {
  received.only_call = OnlyCall{{"call-1", "fetch_url", std::move(arguments)}, {}, {}};
  return received;
}

Received with_pending(std::string line) {
  Received received = asks("and now?");
  received.pending = {std::move(line)};
  return received;
}

Received of_a_parent_that_knew(std::string host) {
  Received received = child_of_a_run("look");
  received.known_hosts = {std::move(host)};
  return received;
}

Noted notes(std::string text) { return {.text = std::move(text), .writer = "bo", .account = "", .name = ""}; }

Enriched thread(ThreadLine line) {
  Enriched enriched;
  enriched.thread = {std::move(line)};
  return enriched;
}

// What a fast model made of the request.
Enriched found(const std::string& words) {
  Enriched enriched;
  enriched.context = words;
  enriched.intent = json::object{{"clarifications_needed", json::array{words}}};
  enriched.dropped = {"address `" + words + "`: the request does not name it"};
  return enriched;
}

Enriched remembers(std::string host) {
  Enriched enriched;
  enriched.memory = MemoryShown{.runs = {"01"}, .known_hosts = {{std::move(host)}}};
  return enriched;
}

Journal starts(Received received) { return Journal().add(std::move(received)).taken_up(); }
Journal wants(json::object arguments, std::string tool = "search_logs") {
  return starts(asks("why?")).calls({{"call-1", std::move(tool), std::move(arguments)}});
}
Journal gives(Journal journal, std::string text, std::string call = "call-1") {
  return journal.finished_call(std::move(call), CallStatus::success, std::move(text));
}
Journal ends(Journal journal, StepDone done) {
  done.call = "call-1";
  done.handler = "act";
  return journal.ruled("call-1", Verdict::allow).started("call-1", "act").add(std::move(done));
}
Journal fails(Journal journal, std::string error) {
  return ends(std::move(journal), {.outcome = StepOutcome::error, .error = std::move(error)});
}
Journal leaves(Journal journal, json::object data) {
  return ends(std::move(journal), {.outcome = StepOutcome::continued, .data = std::move(data)});
}

struct Row {
  std::string name;
  Journal journal;
  Hosts known;
};

class KnownHosts : public testing::TestWithParam<Row> {};

TEST_P(KnownHosts, AreThoseThatNoModelMadeUp) { EXPECT_EQ(known_hosts(GetParam().journal.state()), GetParam().known); }

INSTANTIATE_TEST_SUITE_P(
    Table, KnownHosts,
    testing::Values(
        Row{"NoneBeforeTheRequest", Journal(), {}},
        Row{"ThoseOfTheRequest", starts(asks("why does https://app.example fail?")), {"app.example"}},
        Row{"ThoseOfANote", starts(asks("why?")).add(notes("see https://app.example/x")), {"app.example"}},
        Row{"ThoseOfTheThread",
            starts(asks("why?")).add(thread({"Bo", "https://a.example", false, false})),
            {"a.example"}},
        Row{"ThoseOfAnAlertInTheThread",
            starts(asks("why?")).add(thread({"Alarms", "https://a.example", false, true})),
            {"a.example"}},
        Row{"NotThoseThatDeputySaidThere", starts(asks("why?")).add(thread({"Deputy", kEvil, true, true})), {}},
        Row{"NotWhatAModelFoundInTheRequest", starts(asks("why?")).add(found(kEvil)), {}},
        Row{"NotWhatWaitsForPeople", starts(with_pending("post " + kEvil)), {}},
        Row{"ThoseOfEarlierRunsThatTheModelWasShown", starts(asks("and?")).add(remembers("a.example")), {"a.example"}},
        Row{"ThoseOfTheParentRun", starts(of_a_parent_that_knew("a.example")), {"a.example"}},
        Row{"ThoseOfAResult", gives(wants({{"query", "checkout"}}), "see https://ci.example/1"), {"ci.example"}},
        Row{"ThoseOfWhatAStepLeft",
            leaves(wants({}), {{"links", json::array{"https://ci.example/1"}}}),
            {"ci.example"}},
        Row{"NotWhatAResultRepeats", gives(wants(kSoughtEvil), "No entry with `" + kEvil + "`."), {}},
        Row{"NotWhatAnErrorRepeats", fails(wants({{"path", kEvil}}, "read_file"), "there is no `" + kEvil + "`"), {}},
        Row{"InWhateverLetters", gives(wants({{"query", "HTTPS://Evil.EXAMPLE"}}), kEvil), {}},
        Row{"NotWhatIsRepeatedWithAnAddressAroundIt", gives(wants({{"host", "evil.example"}}), kEvil), {}},
        Row{"NotWhatIsRepeatedCutShort", gives(wants({{"query", "https://evil.example.org"}}), kEvil), {}},
        Row{"NorTheNameOfAParameter", fails(wants({{kEvil, 1}}), "there is no parameter `" + kEvil + "`"), {}},
        Row{"NorTheNameOfATool", gives(wants({}, kEvil), "there is no tool `" + kEvil + "`"), {}},
        Row{"NorFromAnotherCallOfTheTurn",
            gives(starts(asks("why?")).calls({{"call-1", "read_file"}, {"call-2", "search_logs", kSoughtEvil}}), kEvil),
            {}},
        Row{"NorFromALaterCall",
            gives(gives(wants(kSoughtEvil), "nothing").calls({{"call-2", "read_result", {{"call_id", "call-1"}}}}),
                  kEvil, "call-2"),
            {}},
        Row{"BesideIt", gives(wants(kSoughtEvil), kEvil + " https://ci.example"), {"ci.example"}},
        Row{"WhatWasKnownBeforeTheModelSaidIt",
            gives(gives(wants({}), "https://ci.example/1")
                      .calls({{"call-2", "fetch_url", {{"url", "https://ci.example/1"}}}}),
                  "https://ci.example/1", "call-2"),
            {"ci.example"}},
        Row{"WhatTheRequestHoldsStaysKnown",
            gives(starts(asks("fetch https://app.example"))
                      .calls({{"call-1", "fetch_url", {{"url", "https://app.example"}}}}),
                  "https://app.example"),
            {"app.example"}},
        Row{"WhatPeopleSayLater", gives(wants(kSoughtEvil), kEvil).add(notes(kEvil)), {"evil.example"}},
        Row{"NotWhatAChildRunIsTold",
            gives(starts(child_of_a_run("say " + kEvil)).calls({{"call-1", "search_logs"}}), kEvil),
            {}},
        Row{"NotWhatABackgroundCallIsGiven",
            gives(starts(with_only_call(child_of_a_run("`fetch_url` in the background"), {{"url", kEvil}})), kEvil),
            {}},
        Row{"WhatABackgroundCallFinds",
            gives(starts(with_only_call(child_of_a_run("`fetch_url` in the background"), {{"url", kEvil}})),
                  "https://ci.example"),
            {"ci.example"}},
        Row{"ThoseOfACallByHand",
            starts(with_only_call(asks("`fetch_url` by hand"), {{"url", "https://app.example"}})),
            {"app.example"}},
        Row{"NothingAfterTheEnd",
            starts(asks("why?"))
                .add(Replied{"done"})
                .add(Finished{RunOutcome::answered})
                .add(notes("https://late.example")),
            {}}),
    [](const auto& row) { return row.param.name; });

TEST(KnownHostsOfAText, AreThoseThatItLeadsTo) {
  const Journal journal = starts(asks("https://b.example https://a.example https://c.example"));
  EXPECT_THAT(known_hosts_in("see [this](https://c.example/1), <https://a.example> or " + kEvil, journal.state()),
              ElementsAre("a.example", "c.example"));
}

TEST(KnownHostsForLaterRuns, AreBounded) {
  Hosts many;
  for (int i = 0; i < 5000; ++i) many.insert(std::to_string(i) + ".example");
  EXPECT_THAT(stored_hosts(many), SizeIs(1000));
  EXPECT_THAT(stored_hosts({"b.example", "a.example"}), ElementsAre("a.example", "b.example"));
}

}  // namespace
}  // namespace deputy::run

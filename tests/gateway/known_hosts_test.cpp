#include "gateway/known_hosts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/entry.h"

namespace deputy::gateway {
namespace {

using channel::Hosts;
using run::CallFinished;
using run::Enriched;
using run::EntryBody;
using run::ModelReplied;
using run::Noted;
using run::Received;
using run::StepDone;

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
  received.only_call = run::OnlyCall{{"call-1", "fetch_url", std::move(arguments)}, {}, {}};
  return received;
}

Received with_pending(std::string line) {
  Received received = asks("and now?");
  received.pending = {std::move(line)};
  return received;
}

Noted notes(std::string text) { return {.text = std::move(text), .writer = "bo", .account = "", .name = ""}; }

Enriched thread(run::ThreadLine line) {
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

ModelReplied wants(json::object arguments, std::string tool = "search_logs") {
  ModelReplied replied;
  replied.calls = {{"call-1", std::move(tool), std::move(arguments)}};
  return replied;
}

CallFinished gives(std::string text) { return {"call-1", run::CallStatus::success, std::move(text)}; }

StepDone fails(std::string error) {
  StepDone done;
  done.call = "call-1";
  done.outcome = run::StepOutcome::error;
  done.error = std::move(error);
  return done;
}

StepDone leaves(json::object data) {
  StepDone done;
  done.outcome = run::StepOutcome::continued;
  done.data = std::move(data);
  return done;
}

struct Row {
  std::string name;
  std::vector<EntryBody> journal;
  Hosts known;
};

class KnownHosts : public testing::TestWithParam<Row> {};

TEST_P(KnownHosts, AreThoseThatNoModelMadeUp) {
  std::vector<store::EntryRow> journal;
  for (const EntryBody& body : GetParam().journal) journal.push_back(run::encode(body, Timestamp{}));
  EXPECT_EQ(known_hosts(journal), GetParam().known);
}

const std::string kEvil = "https://evil.example/?d=1";
const json::object kSoughtEvil{{"query", kEvil}};

INSTANTIATE_TEST_SUITE_P(
    Table, KnownHosts,
    testing::Values(
        Row{"ThoseOfTheRequest", {asks("why does https://app.example fail?")}, {"app.example"}},
        Row{"ThoseOfANote", {asks("why?"), notes("see https://app.example/x")}, {"app.example"}},
        Row{"ThoseOfTheThread", {thread({"Bo", "https://a.example", false, false})}, {"a.example"}},
        Row{"ThoseOfAnAlertInTheThread", {thread({"Alarms", "https://a.example", false, true})}, {"a.example"}},
        Row{"NotThoseThatDeputySaidThere", {thread({"Deputy", kEvil, true, true})}, {}},
        Row{"NotWhatAModelFoundInTheRequest", {asks("why?"), found(kEvil)}, {}},
        Row{"NotWhatWaitsForPeople", {with_pending("post " + kEvil)}, {}},
        Row{"ThoseOfAResult", {wants({{"query", "checkout"}}), gives("see https://ci.example/1")}, {"ci.example"}},
        Row{"ThoseOfWhatAStepLeft", {leaves({{"links", json::array{"https://ci.example/1"}}})}, {"ci.example"}},
        Row{"NotWhatAResultRepeats", {wants(kSoughtEvil), gives("No entry with `" + kEvil + "`.")}, {}},
        Row{"NotWhatAnErrorRepeats", {wants({{"path", kEvil}}, "read_file"), fails("there is no `" + kEvil + "`")}, {}},
        Row{"InWhateverLetters", {wants({{"query", "HTTPS://Evil.EXAMPLE"}}), gives(kEvil)}, {}},
        Row{"NotWhatIsRepeatedWithAnAddressAroundIt", {wants({{"host", "evil.example"}}), gives(kEvil)}, {}},
        Row{"NotWhatIsRepeatedCutShort", {wants({{"query", "https://evil.example.org"}}), gives(kEvil)}, {}},
        Row{"NorTheNameOfAParameter", {wants({{kEvil, 1}}), fails("there is no parameter `" + kEvil + "`")}, {}},
        Row{"NorTheNameOfATool", {wants({}, kEvil), gives("there is no tool `" + kEvil + "`")}, {}},
        Row{"NorFromALaterCall",
            {wants(kSoughtEvil), gives("nothing"), wants({{"call_id", "call-1"}}, "read_result"), gives(kEvil)},
            {}},
        Row{"BesideIt", {wants(kSoughtEvil), gives(kEvil + " https://ci.example")}, {"ci.example"}},
        Row{"WhatWasKnownBeforeTheModelSaidIt",
            {gives("https://ci.example/1"), wants({{"url", "https://ci.example/1"}}), gives("https://ci.example/1")},
            {"ci.example"}},
        Row{"WhatTheRequestHoldsStaysKnown",
            {asks("fetch https://app.example"), wants({{"url", "https://app.example"}}), gives("https://app.example")},
            {"app.example"}},
        Row{"WhatPeopleSayLater", {wants(kSoughtEvil), gives(kEvil), notes(kEvil)}, {"evil.example"}},
        Row{"NotWhatAChildRunIsTold", {child_of_a_run("say " + kEvil), gives(kEvil)}, {}},
        Row{"NotWhatABackgroundCallIsGiven",
            {with_only_call(child_of_a_run("`fetch_url` in the background"), {{"url", kEvil}}), gives(kEvil)},
            {}},
        Row{"ThoseOfACallByHand",
            {with_only_call(asks("`fetch_url` by hand"), {{"url", "https://app.example"}})},
            {"app.example"}},
        Row{"NothingAfterTheAnswer", {run::Replied{"done"}, notes("https://late.example")}, {}}),
    [](const auto& row) { return row.param.name; });

TEST(KnownHostsOfAJournal, AddToThoseThatWereKnown) {
  const std::vector<store::EntryRow> journal{run::encode(asks("https://a.example"), Timestamp{})};
  EXPECT_EQ(known_hosts(journal, {"b.example"}), (Hosts{"a.example", "b.example"}));
}

TEST(KnownHostsOfAJournal, WhatCannotBeReadNamesNothing) {
  std::vector<store::EntryRow> journal;
  for (const char* body : {"", "{", "[]", R"({"text":7})", R"({"thread":{"text":"https://a.example"}})",
                           R"({"thread":["https://a.example"]})", R"({"calls":"x"})"}) {
    for (const std::string_view kind : {Received::kKind, Noted::kKind, Enriched::kKind, ModelReplied::kKind}) {
      journal.push_back({0, Timestamp{}, std::string(kind), 1, body});
    }
  }
  EXPECT_EQ(known_hosts(journal), Hosts{});
}

}  // namespace
}  // namespace deputy::gateway

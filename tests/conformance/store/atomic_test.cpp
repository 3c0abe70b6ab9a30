// Every write that takes Effects brings all of them or none: each is refused by its first effect, by one in the middle
// and by its last one, with everything else that can be among them.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

// A field that is added to Effects does not compile here until it is filled below.
bool fills_everything(const Effects& effects) {
  const auto& [run, children, mail, interactions, settled, drafts, consumed, deliveries, adopted, dues, dues_ended,
               grants, grants_used, spent, audit, results, texts, search, marks, marks_ended] = effects;
  return run && !children.empty() && !mail.empty() && !interactions.empty() && !settled.empty() && !drafts.empty() &&
         !consumed.empty() && !deliveries.empty() && !adopted.empty() && !dues.empty() && !dues_ended.empty() &&
         !grants.empty() && !grants_used.empty() && !spent.empty() && !audit.empty() && !results.empty() &&
         !texts.empty() && !search.empty() && !marks.empty() && !marks_ended.empty();
}

// All that can be looked at without changing it.
struct Seen {
  std::vector<std::vector<EntryRow>> journals;
  std::vector<RunRow> runs;
  std::vector<InteractionRow> interactions;
  std::vector<GrantRow> grants;
  std::vector<SpendRow> spent;
  std::vector<AuditRow> audit;
  BrakeRow brake;
  std::vector<MarkRow> marks;
  std::vector<ConversationRow> conversations;
  bool result = false;
  bool text = false;
  bool token = false;
  std::size_t found = 0;

  bool operator==(const Seen&) const = default;
};

class AtomicWrites : public StoreTest {
 protected:
  static constexpr const char* kElsewhere = "slack:T1:C7:1.0";
  static constexpr const char* kTaken = "a message that was stored before";

  AtomicWrites() {
    finished_ = working_run("slack:T1:C8:1.0");
    append(finished_, 1, {entry("finished", "words")}, {.run = RunChange{RunStatus::finished, "answered"}});
    other_ = working_run("slack:T1:C9:1.0");
    lease_ = working_run();
    spent_ = grant(0);
    live_ = grant(std::nullopt);
    asked_ = approval(lease_);
    settled_ = approval(lease_);
    drafted_ = approval(lease_);
    append(lease_, 1, {entry("asked")},
           {.interactions = {asked_, settled_, drafted_},
            .dues = {{"expiry", "ending", now() - 1s}},
            .grants = {spent_, live_},
            .marks = {{.kind = "mute", .key = kElsewhere, .at = now(), .ends_at = now() + 1h}}});
    must(store_->admit(message(kTaken, kElsewhere), ToNobody{}, {}));
  }

  static GrantRow grant(std::optional<std::int64_t> max_uses) {
    return {.id = GrantId::make(now()),
            .conversation = kThread,
            .tool = "run_pipeline",
            .holder = "ana",
            .by = "bo",
            .body = "{}",
            .created_at = now(),
            .ends_at = now() + 8h,
            .max_uses = max_uses};
  }

  Effects everything() {
    NewRunRow child = new_run();
    child.parent = lease_.run;
    NewInteractionRow opened = approval(lease_);
    opened.tokens = {{"token", "{}"}};
    return {.run = RunChange{RunStatus::open, "so far"},
            .children = {child},
            .mail = {{other_.run, entry("noted")}},
            .interactions = {opened},
            .settled = {{settled_.interaction.id, {InteractionState::cancelled, "{}", "deputy", now()}}},
            .drafts = {{drafted_.interaction.id, "so far"}},
            .consumed = {{"a typed answer", kThread}},
            .deliveries = {delivery("owed")},
            .adopted = {{DeliveryId::make(now()), "a message"}},
            .dues = {{"expiry", "begun", now() - 1s}},
            .dues_ended = {{"expiry", "ending"}},
            .grants = {grant(3)},
            .grants_used = {live_.id},
            .spent = {{"all", "2026-11-15", 5}},
            .audit = {{now(), "ruled", "ana"}},
            .results = {{lease_.run, "call-1", "the result"}},
            .texts = {{"digest", "prompt"}},
            .search = {{lease_.run, "needle"}},
            .marks = {{.kind = "mute", .key = kThread, .conversation = kThread, .at = now(), .ends_at = now() + 1h}},
            .marks_ended = {{"mute", kElsewhere}}};
  }

  struct Refusal {
    const char* by;
    Effects effects;
  };
  std::vector<Refusal> refusals() {
    std::vector<Refusal> all(3, {"", everything()});
    all[0].by = "the first effect";
    all[0].effects.grants_used = {spent_.id};
    all[1].by = "one in the middle";
    all[1].effects.consumed.push_back({kTaken, kElsewhere});
    all[2].by = "the last effect";
    all[2].effects.grants.push_back(spent_);  // its id is taken
    return all;
  }

  struct Write {
    const char* name;
    std::function<bool(Effects)> succeeds;
  };
  std::vector<Write> writes() {
    const AnswerRow yes{InteractionState::approved, "{}", "bo", now()};
    return {
        {"admit, a new run",
         [this](Effects effects) {
           return await(store_->admit(message("m1", kElsewhere), new_run(kElsewhere), std::move(effects))).has_value();
         }},
        {"admit, a note",
         [this](Effects effects) {
           return await(store_->admit(message("m2"), MailRow{lease_.run, entry("noted")}, std::move(effects)))
               .has_value();
         }},
        {"append",
         [this](Effects effects) {
           return await(store_->append(lease_, 2, If::unchanged, {entry("ruled")}, std::move(effects))).has_value();
         }},
        {"mail",
         [this](Effects effects) {
           return await(store_->mail({lease_.run, entry("cancel_requested")}, std::move(effects))).has_value();
         }},
        {"answer",
         [this, yes](Effects effects) {
           const auto answered =
               await(store_->answer(asked_.interaction.id, yes, entry("answered"), std::move(effects)));
           return answered && answered->how == AnswerStored::How::settled;
         }},
        {"set_brake",
         [this](Effects effects) {
           return await(store_->set_brake({Pause::all, "ana", now()}, std::move(effects))).has_value();
         }},
        {"revoke_grant",
         [this](Effects effects) {
           return await(store_->revoke_grant(live_.id, "bo", std::move(effects))).has_value();
         }},
        {"forget",
         [this](Effects effects) {
           return await(store_->forget({.run = finished_.run}, std::move(effects), 100)).has_value();
         }},
    };
  }

  Seen seen() {
    Seen seen;
    for (const Lease& lease : {lease_, other_, finished_}) seen.journals.push_back(must(store_->journal(lease.run, 1)));
    seen.runs = must(store_->runs({}));
    seen.marks = must(store_->marks({.kind = "mute", .keys = {kThread, kElsewhere}}));
    seen.interactions = must(store_->interactions({.pending_only = false}));
    seen.grants = must(store_->grants({.live_only = false}));
    seen.spent = must(store_->spent("2026-01-01", "2027-01-01"));
    seen.audit = must(store_->audit({}));
    seen.brake = must(store_->brake());
    for (const char* key : {kThread, kElsewhere}) seen.conversations.push_back(must(store_->conversation(key)));
    seen.result = await(store_->result(lease_.run, "call-1")).has_value();
    seen.text = await(store_->text("digest")).has_value();
    seen.token = await(store_->token("token")).has_value();
    seen.found = must(store_->search("needle", {}, 10)).size();
    return seen;
  }
  std::vector<std::string> dues() {
    std::vector<std::string> ids;
    for (const DueRow& row : must(store_->take_due(10)).dues) ids.push_back(row.id);
    return ids;
  }

  Lease lease_;
  Lease other_;
  Lease finished_;
  NewInteractionRow asked_;
  NewInteractionRow settled_;
  NewInteractionRow drafted_;
  GrantRow spent_;
  GrantRow live_;
};

INSTANTIATE_TEST_SUITE_P(Every, AtomicWrites, testing::ValuesIn(implementations()), name_of);

TEST_P(AtomicWrites, ThatAreRefusedLeaveNothing) {
  ASSERT_TRUE(fills_everything(everything()));
  const Seen before = seen();
  for (const Write& write : writes()) {
    for (Refusal& refusal : refusals()) {
      SCOPED_TRACE(std::string(write.name) + " is refused by " + refusal.by);
      EXPECT_FALSE(write.succeeds(std::move(refusal.effects)));
      EXPECT_TRUE(seen() == before);
    }
  }
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
  EXPECT_EQ(dues(), std::vector<std::string>{"ending"});
}

// What the case above looks for is there when nothing refuses it.
TEST_P(AtomicWrites, ThatAreTakenBringEverything) {
  const Seen before = seen();
  EXPECT_EQ(append(lease_, 2, {entry("ruled")}, everything()).how, Appended::How::stored);
  const Seen after = seen();
  EXPECT_EQ(after.journals[0].size(), before.journals[0].size() + 1);
  EXPECT_EQ(after.journals[1].size(), before.journals[1].size() + 1);
  EXPECT_EQ(after.runs.size(), before.runs.size() + 1);
  EXPECT_EQ(after.interactions.size(), before.interactions.size() + 1);
  EXPECT_EQ(after.grants.size(), before.grants.size() + 1);
  EXPECT_EQ(after.spent.size(), 1U);
  EXPECT_EQ(after.audit.size(), before.audit.size() + 1);
  EXPECT_NE(after.conversations[0].version, before.conversations[0].version);
  EXPECT_TRUE(after.result && after.text && after.token);
  EXPECT_EQ(after.found, 1U);
  EXPECT_EQ(must(store_->interactions({.id = settled_.interaction.id, .pending_only = false})).at(0).state,
            InteractionState::cancelled);
  EXPECT_EQ(must(store_->interactions({.id = drafted_.interaction.id})).at(0).draft, "so far");
  EXPECT_EQ(must(store_->admit(message("a typed answer"), ToNobody{}, {})).how, Admitted::How::duplicate);
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 1U);
  EXPECT_EQ(dues(), std::vector<std::string>{"begun"});
}

}  // namespace
}  // namespace deputy::store

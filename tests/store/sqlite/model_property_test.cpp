// Whatever sequence of writes comes, from two instances, the store agrees with a model of a few lines: journals are in
// order, a run has one owner, the first answer wins.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

struct ModelRun {
  std::vector<std::string> journal;
  std::optional<Lease> lease;
  Seq seen = 0;        // by the holder
  Seq passed = 0;      // what the holder has appended behind
  bool ready = false;  // to be claimed
  bool finished = false;
};

struct ModelInteraction {
  InteractionId id;
  std::size_t run = 0;
  std::string settled_by;
};

struct Step {
  enum class Do {
    admit,
    admit_again,
    append_unchanged,
    append_held,
    ask_and_park,
    finish,
    mail,
    claim,
    release,
    answer,
    stale
  };
  Do what;
  std::size_t pick;
  std::size_t instance;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << static_cast<int>(step.what) << "(" << step.pick << ") by " << step.instance;
}

class Comparison : SqliteFixture {
 public:
  Comparison() : stores_{open(), open()} {}

  void take(const Step& step) {
    Store& store = *stores_.at(step.instance);
    const std::string text = "t" + std::to_string(++count_);
    if (step.what == Step::Do::admit) return admit(store, text);
    if (step.what == Step::Do::claim) return claim(store, 1 + static_cast<int>(step.pick % 3));
    if (runs_.empty()) return;
    const std::size_t at = step.pick % runs_.size();
    switch (step.what) {
      case Step::Do::admit_again:
        return admit_again(store, at);
      case Step::Do::append_unchanged:
        return append(at, text, If::unchanged, {});
      case Step::Do::append_held:
        return append(at, text, If::held, {});
      case Step::Do::ask_and_park:
        return ask(at, text);
      case Step::Do::finish:
        return append(at, text, If::unchanged, RunChange{RunStatus::finished, "answered"});
      case Step::Do::mail:
        return mail(store, at, text);
      case Step::Do::release:
        return release(at);
      case Step::Do::answer:
        return answer(store, step.pick, text);
      case Step::Do::stale:
        return stale(at, text);
      default:
        return;
    }
  }

  void compare() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::vector<std::string> bodies;
      Seq seq = 0;
      for (const EntryRow& row : must(stores_[i % 2]->journal(ids_[i], 1))) {
        RC_ASSERT(row.seq == ++seq);
        bodies.push_back(row.body);
      }
      RC_ASSERT(bodies == runs_[i].journal);
    }
    for (const InteractionRow& row : must(stores_[0]->interactions({.pending_only = false, .most = 1000}))) {
      const auto known = std::ranges::find(interactions_, row.id, &ModelInteraction::id);
      RC_ASSERT(known != interactions_.end());
      RC_ASSERT(row.responded_by == known->settled_by);
      RC_ASSERT((row.state == InteractionState::pending) == known->settled_by.empty());
    }
  }

 private:
  void admit(Store& store, const std::string& text) {
    const NewRunRow run = new_run("thread-" + std::to_string(count_ % 3), "ana", text);
    start(store, run);
    ids_.push_back(run.run);
    runs_.push_back({.journal = {text}, .ready = true});
  }

  void admit_again(Store& store, std::size_t at) {
    RC_ASSERT(must(store.admit(message(store, ids_[at].text()), new_run(), {})).how == Admitted::How::duplicate);
  }

  void claim(Store& store, int most) {
    std::vector<RunId> expected;
    for (std::size_t i = 0; i < runs_.size() && static_cast<int>(expected.size()) < most; ++i) {
      if (runs_[i].ready) expected.push_back(ids_[i]);
    }
    std::set<RunId> has_mail;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const ModelRun& run = runs_[i];
      if (run.lease && run.lease->instance == store.instance() && run.passed < last(run)) has_mail.insert(ids_[i]);
    }
    const Claimed claimed = must(store.claim(most, {}));
    std::vector<RunId> got;
    for (const Lease& lease : claimed.leases) {
      got.push_back(lease.run);
      ModelRun& run = runs_.at(index(lease.run));
      RC_ASSERT(!run.lease.has_value());
      run.lease = lease;
      run.ready = false;
      run.passed = run.seen = last(run);
    }
    RC_ASSERT(got == expected);
    RC_ASSERT(std::set<RunId>(claimed.has_mail.begin(), claimed.has_mail.end()) == has_mail);
  }

  bool append(std::size_t at, const std::string& text, If condition, std::optional<RunChange> change,
              std::vector<NewInteractionRow> asked) {
    ModelRun& run = runs_[at];
    if (!run.lease) return false;
    Store& store = holder(*run.lease);
    const bool has_mail = run.seen < last(run);
    const Appended appended = must(store.append(*run.lease, run.seen, condition, {entry("e", text)},
                                                {.run = std::move(change), .interactions = std::move(asked)}));
    std::vector<std::string> mail;
    mail.reserve(appended.mail.size());
    for (const EntryRow& row : appended.mail) mail.push_back(row.body);
    RC_ASSERT(mail == std::vector<std::string>(run.journal.begin() + run.seen, run.journal.end()));
    run.seen = last(run);
    if (has_mail && condition == If::unchanged) {
      RC_ASSERT(appended.how == Appended::How::mail_first);
      return false;
    }
    RC_ASSERT(appended.how == Appended::How::stored);
    run.journal.push_back(text);
    run.passed = run.seen = last(run);
    RC_ASSERT(appended.last == run.seen);
    return true;
  }

  void append(std::size_t at, const std::string& text, If condition, const std::optional<RunChange>& change) {
    const bool finishes = change.has_value();
    if (!append(at, text, condition, change, {}) || !finishes) return;
    runs_[at].lease.reset();
    runs_[at].finished = true;
  }

  void ask(std::size_t at, const std::string& text) {
    const NewInteractionRow asked = question(ids_[at]);
    if (!append(at, text, If::unchanged, RunChange{RunStatus::parked}, {asked})) return;
    interactions_.push_back({asked.interaction.id, at, ""});
    runs_[at].lease.reset();
  }

  void get_mail(ModelRun& run, const std::string& text) {
    run.journal.push_back(text);
    if (!run.lease) run.ready = true;
  }

  void mail(Store& store, std::size_t at, const std::string& text) {
    ModelRun& run = runs_[at];
    const Result<> sent = await(store.mail({ids_[at], entry("noted", text)}, {}));
    RC_ASSERT(sent.has_value() == !run.finished);
    if (!sent) RC_ASSERT(sent.error().kind == ErrorKind::conflict);
    if (sent) get_mail(run, text);
  }

  void release(std::size_t at) {
    ModelRun& run = runs_[at];
    if (!run.lease) return;
    must(holder(*run.lease).release(*run.lease));
    old_.push_back(*run.lease);
    run.lease.reset();
    run.ready = true;
  }

  void answer(Store& store, std::size_t pick, const std::string& text) {
    if (interactions_.empty()) return;
    ModelInteraction& interaction = interactions_[pick % interactions_.size()];
    const AnswerStored answered = must(store.answer(interaction.id, approved_by(text), entry("answered", text), {}));
    const bool is_first = interaction.settled_by.empty();
    RC_ASSERT(answered.how == (is_first ? AnswerStored::How::settled : AnswerStored::How::already));
    if (!is_first) return;
    interaction.settled_by = text;
    if (ModelRun& run = runs_[interaction.run]; !run.finished) get_mail(run, text);
  }

  // Whoever held a run before does nothing to it.
  void stale(std::size_t at, const std::string& text) {
    if (old_.empty()) return;
    const Lease& lease = old_[at % old_.size()];
    Store& store = *stores_[lease.instance == stores_[0]->instance() ? 0 : 1];
    const Seq seen = last(runs_.at(index(lease.run)));
    RC_ASSERT(must(store.append(lease, seen, If::held, {entry("ghost", text)}, {})).how == Appended::How::lost);
    must(store.release(lease));
  }

  static Seq last(const ModelRun& run) { return static_cast<Seq>(run.journal.size()); }
  std::size_t index(const RunId& run) const {
    return static_cast<std::size_t>(std::ranges::find(ids_, run) - ids_.begin());
  }
  Store& holder(const Lease& lease) { return *stores_[lease.instance == stores_[0]->instance() ? 0 : 1]; }

  std::array<std::unique_ptr<SqliteStore>, 2> stores_;
  std::vector<RunId> ids_;
  std::vector<ModelRun> runs_;
  std::vector<ModelInteraction> interactions_;
  std::vector<Lease> old_;
  int count_ = 0;
};

RC_GTEST_PROP(StoreProperty, AnySequenceOfWritesAgreesWithTheModel, ()) {
  using Do = Step::Do;
  const auto steps = *rc::gen::container<std::vector<Step>>(
      rc::gen::construct<Step>(rc::gen::weightedElement<Do>({{3, Do::admit},
                                                             {1, Do::admit_again},
                                                             {4, Do::append_unchanged},
                                                             {3, Do::append_held},
                                                             {3, Do::ask_and_park},
                                                             {1, Do::finish},
                                                             {3, Do::mail},
                                                             {5, Do::claim},
                                                             {2, Do::release},
                                                             {4, Do::answer},
                                                             {1, Do::stale}}),
                               rc::gen::inRange<std::size_t>(0, 1000), rc::gen::inRange<std::size_t>(0, 2)));
  Comparison comparison;
  for (const Step& step : steps) comparison.take(step);
  comparison.compare();
}

}  // namespace
}  // namespace deputy::store

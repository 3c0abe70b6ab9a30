// Drives the store and says on standard output what it was told is stored, one line each, after it was told. It has no
// logic of its own: tests kill it and then compare its words with the file.
//
//   admitted RUN             a message with its run, an owed delivery, two dues, an audit row, money spent and a text;
//                            or a child run with the same
//   appended RUN LAST        entries up to LAST
//   asked RUN INTERACTION    with the entry `asked` and a draft
//   answered RUN INTERACTION settled, with the entry `answered` mailed to its run, a grant and the click that did it
//   sent RUN DELIVERY
//   finished RUN             with a result, a search row and an audit row `ended`
//   forgot RUN
//   error WORDS              an operation was refused
//
// Runs that have finished are removed after a while.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <iostream>
#include <random>

#include "store/sqlite/sqlite_store.h"
#include "support/fault_vfs.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

const SystemClock system_clock;

void say(const std::string& line) {
  const std::string whole = line + "\n";
  if (::write(1, whole.data(), whole.size()) < 0) std::_Exit(1);
}

template <class T>
bool stored(const Result<T>& result) {
  if (!result) say("error " + result.error().message);
  return result.has_value();
}

EntryRow entry(std::string kind, std::string body = "{}") {
  return {0, system_clock.now(), std::move(kind), 1, std::move(body)};
}

DeliveryRow delivery(const std::string& conversation, RunId run) {
  DeliveryRow row;
  row.id = DeliveryId::make(system_clock.now());
  row.conversation = conversation;
  row.kind = "message";
  row.body = "hello";
  row.owed_at = system_clock.now();
  row.run = run;
  return row;
}

class Driver {
 public:
  Driver(Store& store, unsigned seed) : store_(store), random_(seed) {}

  Task<> round() {
    co_await admit();
    co_await work();
    co_await send();
    const auto due = co_await store_.take_due(10);
    stored(due);
    co_await forget();
    co_await wipe();
    co_await remove();
  }

 private:
  Task<> admit() {
    const RunId run = RunId::make(system_clock.now());
    const std::string conversation = "thread-" + std::to_string(random_() % 20);
    const auto seen = co_await store_.conversation(conversation);
    if (!stored(seen)) co_return;
    const InboundRow message{run.text(), conversation, seen->version};
    const NewRunRow fresh{run, conversation, "ana", entry("received")};
    const auto admitted = co_await store_.admit(message, fresh, belongings(run, conversation));
    if (stored(admitted) && admitted->how == Admitted::How::routed) say("admitted " + run.text());
  }

  Task<> work() {
    const auto claimed = co_await store_.claim(3, {});
    if (!stored(claimed)) co_return;
    for (const Lease& lease : claimed->leases) co_await work_on(lease);
  }

  Task<> work_on(Lease lease) {
    const std::string run = lease.run.text();
    const auto journal = co_await store_.journal(lease.run, 1);
    if (!stored(journal)) co_return;
    Seq seen = journal->back().seq;
    Effects asking;
    InteractionRow question;
    question.id = InteractionId::make(system_clock.now());
    question.run = lease.run;
    question.conversation = "thread-0";
    question.kind = "approval";
    asking.interactions = {{question, {{"token-" + question.id.text(), "approve"}}}};
    asking.drafts = {{question.id, "half an answer"}};
    std::optional<RunId> child;
    if (random_() % 3 == 0) child = add_child(asking, lease.run);
    const auto asked = co_await store_.append(lease, seen, If::unchanged, {entry("asked", question.id.text())}, asking);
    if (!stored(asked) || asked->how != Appended::How::stored) co_return;
    say("asked " + run + " " + question.id.text());
    if (child) say("admitted " + child->text());
    const AnswerRow approval{InteractionState::approved, "{}", "bo", system_clock.now()};
    Effects answering;
    answering.grants = {grant(question)};
    answering.consumed = {{"click:" + question.id.text(), question.conversation}};
    const auto answered =
        co_await store_.answer(question.id, approval, entry("answered", question.id.text()), answering);
    if (stored(answered) && answered->how == AnswerStored::How::settled)
      say("answered " + run + " " + question.id.text());
    const std::string body(random_() % 2000, 'x');
    const auto appended =
        co_await store_.append(lease, asked->last, If::held, {entry("step_done", body), entry("step_done")}, {});
    if (!stored(appended) || appended->how != Appended::How::stored) co_return;
    say("appended " + run + " " + std::to_string(appended->last));
    co_await end(lease, appended->last);
  }

  // One in three runs is finished, one parked, and one kept, so that a dead writer leaves leases behind.
  Task<> end(Lease lease, Seq seen) {
    const unsigned choice = random_() % 3;
    if (choice == 2) co_return;
    Effects effects;
    effects.run = RunChange{choice == 0 ? RunStatus::finished : RunStatus::parked, "answered"};
    if (choice == 0) {
      effects.results = {{lease.run, "call", std::string(random_() % 9000, 'r')}};
      effects.search = {{lease.run, "what was found in " + lease.run.text()}};
      effects.audit = {{system_clock.now(), "ended", "ana", lease.run}};
    }
    const auto ended = co_await store_.append(lease, seen, If::unchanged, {entry("finished")}, effects);
    if (stored(ended) && ended->how == Appended::How::stored && choice == 0) say("finished " + lease.run.text());
  }

  Task<> send() {
    const auto taken = co_await store_.take_deliveries(5);
    if (!stored(taken)) co_return;
    for (const DeliveryRow& row : *taken) {
      const auto changed = co_await store_.change_delivery({row.id, DeliveryState::sent, "ref", system_clock.now()});
      if (stored(changed) && row.run) say("sent " + row.run->text() + " " + row.id.text());
    }
  }

  // The oldest that has finished, in batches of one.
  Task<> forget() {
    const auto finished = co_await store_.runs({.state = RunStatus::finished, .most = 20});
    if (!stored(finished)) co_return;
    const auto oldest = std::ranges::find(finished->rbegin(), finished->rend(), false, &RunRow::forgotten);
    if (oldest == finished->rend()) co_return;
    ForgetScope scope{.run = oldest->run};
    std::int64_t runs = 0;
    std::int64_t unfinished = 0;
    for (bool more = true; more;) {
      const auto forgotten = co_await store_.forget(scope, {}, 1);
      if (!stored(forgotten)) co_return;
      runs += forgotten->runs;
      unfinished += forgotten->unfinished;
      more = forgotten->last.has_value();
      scope.after = forgotten->last.value_or(0);
    }
    if (runs > 0 && unfinished == 0) say("forgot " + oldest->run.text());
  }

  Task<> wipe() {
    for (int step = 0; step < 10; ++step) {
      const auto traces = co_await store_.wipe();
      if (!stored(traces) || traces->left != Traces::Left::more) co_return;
    }
  }

  Task<> remove() {
    const auto removed = co_await store_.remove_old({1h, 50ms, 1h, 1h}, 2);
    stored(removed);
  }

  /// The rows that come with a run.
  static Effects belongings(RunId run, const std::string& conversation) {
    Effects effects;
    effects.deliveries = {delivery(conversation, run)};
    effects.dues = {{"deadline", run.text(), system_clock.now() + 1h, MailRow{run, entry("late")}},
                    {"wake", run.text(), system_clock.now(), MailRow{run, entry("woken")}}};
    effects.audit = {{system_clock.now(), "admitted", "ana", run}};
    effects.spent = {{"all", "2999-12-31", 1}};
    effects.texts = {{"prompt", "answer briefly"}};
    return effects;
  }

  static RunId add_child(Effects& effects, RunId parent) {
    const RunId run = RunId::make(system_clock.now());
    const std::string conversation = "thread-0";
    effects.add(belongings(run, conversation));
    effects.children = {{run, conversation, "ana", entry("received"), parent}};
    effects.consumed = {{run.text(), conversation}};
    return run;
  }

  static GrantRow grant(const InteractionRow& question) {
    GrantRow row;
    row.id = GrantId::make(system_clock.now());
    row.conversation = question.conversation;
    row.by = question.id.text();
    row.created_at = system_clock.now();
    row.ends_at = system_clock.now() + 1h;
    return row;
  }

  Store& store_;
  std::mt19937 random_;
};

Task<> drive(Store& store, unsigned seed, int rounds) {
  Driver driver(store, seed);
  for (int i = 0; rounds == 0 || i < rounds; ++i) co_await driver.round();
}

// The schema with one more step than the program has: what a newer release would bring.
std::vector<Migration> newer_schema() {
  std::vector<Migration> list(migrations().begin(), migrations().end());
  list.push_back({list.back().version + 1, "CREATE TABLE newer (x)"});
  return list;
}

int run(int argc, char** argv) {
  CLI::App app("drives the store");
  std::string folder;
  std::string fault;
  int nth = 0;
  int rounds = 0;
  int coroutines = 1;
  unsigned seed = 1;
  bool newer = false;
  bool lasting = false;
  app.add_option("--data", folder)->required();
  app.add_option("--fault", fault);
  app.add_option("--nth", nth);
  app.add_option("--rounds", rounds, "0: until killed");
  app.add_option("--coroutines", coroutines);
  app.add_option("--seed", seed);
  app.add_flag("--newer", newer);
  app.add_flag("--lasting", lasting, "all calls from the n-th on fail");
  CLI11_PARSE(app, argc, argv);

  SqliteOptions options{.folder = folder};
  const std::vector<Migration> newer_list = newer_schema();
  if (newer) options.schema = newer_list;
  if (!fault.empty()) {
    test::install_fault_vfs(test::parse_fault(fault), nth, lasting ? test::Lasts::from_then_on : test::Lasts::once);
    options.vfs = test::kFaultVfs;
  }
  asio::io_context loop;
  {
    auto store = SqliteStore::open(loop.get_executor(), system_clock, options);
    if (!stored(store)) return 3;
    say("open");
    for (int i = 0; i < coroutines; ++i)
      spawn(loop.get_executor(), "drive", drive(**store, seed + static_cast<unsigned>(i), rounds));
    loop.run();
  }
  if (!fault.empty()) say("calls " + std::to_string(test::fault_calls()));
  return 0;
}

}  // namespace
}  // namespace deputy::store

int main(int argc, char** argv) { return deputy::store::run(argc, argv); }

// What a run costs: CPU of one read call and one answer, without and with the durable store, and the memory of runs
// that wait for their model.
//
// It works in a folder of its own under $TMPDIR, or beside the program, and removes it.

#include <fmt/format.h>
#include <malloc.h>

#include <boost/asio/io_context.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "memory_store.h"
#include "run/drive/runner.h"
#include "run/journal/stored_rows.h"
#include "sized.h"
#include "store/sqlite/sqlite_store.h"

namespace {

using namespace deputy;

const int kRuns = bench::sized(2000, 20);
const int kLiveRuns = bench::sized(4000, 20);
constexpr double kMaxMemory = 20;  // KB a live run

struct NoteParams {
  std::string query;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&NoteParams::query, "query", "Words to look for");
  }
};

Task<toolkit::Step> read_notes(std::string query) { co_return toolkit::Output{"two notes about " + query + "\n", {}}; }

std::shared_ptr<const toolkit::Tool> search_notes() {
  toolkit::ToolSpec spec{.name = "search_notes",
                         .version = 1,
                         .description = "Finds notes that contain the given words",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "query"};
  return toolkit::make_tool<NoteParams>(std::move(spec), [](const NoteParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search", .repeatable = true, .call = [query = params.query](toolkit::CallContext&) {
                     return read_notes(query);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

/// Calls the tool, then answers; or waits for ever.
class QuickModel final : public model::Model {
 public:
  enum class Manner { answers, hangs };

  QuickModel(const asio::any_io_executor& loop, Manner manner) : never_(loop), manner_(manner) {
    never_.expires_at(std::chrono::steady_clock::time_point::max());
  }

  std::string_view name() const override { return "quick"; }
  std::optional<std::int64_t> cost_of(const model::Usage&) const override { return 0; }
  Task<Result<model::Reply>> ask(model::Request request, model::OnText) override {
    ++asked_;
    if (manner_ == Manner::hangs) co_await never_.async_wait(asio::use_awaitable);
    const bool has_result = std::holds_alternative<model::CallResult>(request.turns.back().blocks.front());
    model::Reply reply;
    if (has_result) {
      reply.blocks.emplace_back(model::Text{"There are two notes."});
    } else {
      reply.blocks.emplace_back(model::Call{"1", "search_notes", {{"query", "checkout"}}});
      reply.stop = model::Stop::calls;
    }
    co_return reply;
  }
  int asked() const { return asked_; }

 private:
  asio::steady_timer never_;
  Manner manner_;
  int asked_ = 0;
};

class Everybody final : public run::Lookups {
 public:
  Task<policy::Identity> who(policy::Account account) override {
    co_return policy::Identity{.account = std::move(account), .standing = policy::AccountKind::member};
  }
  Task<run::ThreadContext> thread(std::string, std::string, int) override { co_return run::ThreadContext{}; }
};

class Engine {
 public:
  Engine(asio::io_context& loop, store::Store& store, QuickModel::Manner manner)
      : loop_(loop), store_(store), model_(std::make_shared<QuickModel>(loop.get_executor(), manner)) {
    if (!registry_.add(search_notes())) std::abort();
    auto rules = std::make_shared<run::Rules>();
    rules->limits.requests_a_person = 0;  // or runs wait for minutes
    rules->limits.runs_a_person = 0;
    rules->policy = *policy::Policy::make({});
    rules->environments = {{"prod", {}}};
    services_ = std::make_unique<run::RunDependencies>(
        run::RunDependencies{store_, clock_, registry_, executor_, people_, [rules] { return rules; },
                             [this] { return model_; }, run::Redaction("secret")});
    runner_ = std::make_unique<run::Runner>(*services_, loop.get_executor());
    store_.on_change([this] { runner_->wake(); });
    spawn(loop.get_executor(), "runner", runner_->run());
  }

  void admit(int count) {
    for (int i = 0; i < count; ++i) spawn(loop_.get_executor(), "admit", admit_one(i));
  }
  const QuickModel& model() const { return *model_; }
  void until(const std::function<bool()>& ended) {
    while (!ended()) loop_.run_one();
  }
  std::size_t live() const { return runner_->health().live; }

 private:
  Task<> admit_one(int number) {
    run::Received received;
    received.text = "what about checkout?";
    received.requester = received.account = fmt::format("scripted:U{}", number);
    received.conversation = fmt::format("scripted:C1:{}:{}", number, ++conversations_);
    received.place = run::write_place({.channel = "scripted", .id = "C1", .open_to = policy::OpenTo::members});
    const RunId run = RunId::make(clock_.now());
    store::NewRunRow row{run, received.conversation, received.requester, run::encode(received, clock_.now())};
    const auto admitted = co_await store_.admit({run.text(), received.conversation, 0}, std::move(row), {});
    if (!admitted) fmt::print(stderr, "{}\n", describe(admitted.error()));
  }

  asio::io_context& loop_;
  store::Store& store_;
  SystemClock clock_;
  toolkit::Registry registry_;
  toolkit::Executor executor_{clock_};
  Everybody people_;
  std::shared_ptr<QuickModel> model_;
  std::unique_ptr<run::RunDependencies> services_;
  std::unique_ptr<run::Runner> runner_;
  int conversations_ = 0;
};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6));
  }
  return 0;
}

class Folder {
 public:
  Folder() {
    const char* place = std::getenv("TMPDIR");
    path_ = std::filesystem::path(place == nullptr ? "." : place) / fmt::format("bench_engine.{}", getpid());
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::unique_ptr<store::SqliteStore> open(asio::io_context& loop, const Clock& clock, std::filesystem::path folder) {
  auto store = store::SqliteStore::open(loop.get_executor(), clock, {.folder = std::move(folder)});
  if (store) return *std::move(store);
  fmt::print(stderr, "{}\n", describe(store.error()));
  std::exit(1);
}

double microseconds_a_run(Engine& engine, const std::function<bool()>& idle) {
  engine.admit(kRuns / 10);  // warm
  engine.until([&] { return engine.model().asked() >= 2 * kRuns / 10 && idle(); });
  const double before = cpu_seconds();
  engine.admit(kRuns);
  engine.until([&] { return engine.model().asked() >= 2 * (kRuns / 10 + kRuns) && idle(); });
  return (cpu_seconds() - before) / kRuns * 1e6;
}

void measure_cpu(const Folder& folder) {
  const SystemClock clock;
  double without = 0;
  {
    asio::io_context loop;
    bench::MemoryStore store(clock);
    Engine engine(loop, store, QuickModel::Manner::answers);
    without = microseconds_a_run(engine, [&] { return engine.live() == 0; });
  }
  asio::io_context loop;
  const auto store = open(loop, clock, folder / "cpu");
  Engine engine(loop, *store, QuickModel::Manner::answers);
  const double with = microseconds_a_run(engine, [&] { return engine.live() == 0; });
  fmt::print("CPU of a run with one read call and one answer, {} at once:\n", kRuns);
  fmt::print("  without a store   {:8.0f} us\n", without);
  fmt::print("  durable (SQLite)  {:8.0f} us, {:.2f} times\n", with, with / without);
}

void measure_memory(const Folder& folder) {
  const SystemClock clock;
  asio::io_context loop;
  const auto store = open(loop, clock, folder / "memory");
  Engine engine(loop, *store, QuickModel::Manner::hangs);
  engine.admit(1);
  engine.until([&] { return engine.model().asked() == 1; });
  malloc_trim(0);
  const double before = resident_kilobytes();
  engine.admit(kLiveRuns - 1);
  engine.until([&] { return engine.model().asked() == kLiveRuns; });
  malloc_trim(0);
  const double each = (resident_kilobytes() - before) / (kLiveRuns - 1);
  fmt::print("memory of {} live runs that wait for their model: {:.1f} KB each (target under {:.0f}: {})\n", kLiveRuns,
             each, kMaxMemory, each < kMaxMemory ? "met" : "MISSED");
}

}  // namespace

int main() {
  deputy::log::set_level(deputy::log::Level::error);
  const Folder folder;
  measure_memory(folder);
  measure_cpu(folder);
  return 0;
}

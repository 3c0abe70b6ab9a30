// What the store does a second, how long a message waits to be admitted beside writers that never rest, and what a
// hundred thousand parked runs cost. Real commits on a real disk: `synchronous=FULL` throughout.
//
// It works in a folder of its own under $TMPDIR, or beside the program, and removes it.

#include <fmt/format.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <fstream>

#include "sized.h"
#include "store/sqlite/sqlite_store.h"

namespace {

using namespace deputy;
using namespace deputy::store;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

const int kManyWriters = bench::sized(2000, 20);
const int kParkedRuns = bench::sized(100'000, 500);
const int kSamples = bench::sized(200, 5);
const std::chrono::milliseconds kMeasured = bench::sized<std::chrono::milliseconds>(2s, 50ms);

[[noreturn]] void give_up(const Error& error) {
  fmt::print(stderr, "{}\n", describe(error));
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

double milliseconds(SteadyClock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

const char* verdict(bool met) { return met ? "met" : "MISSED"; }

// A loop, a clock and an open store.
class Bench {
 public:
  explicit Bench(const std::filesystem::path& folder, Writer::Limits limits = {})
      : store_(must(SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder, .writer = limits}))) {}

  Store& store() { return *store_; }
  Timestamp now() const { return clock_.now(); }

  /// Runs all tasks to their end, at once.
  void run(std::vector<Task<>> tasks) {
    for (Task<>& task : tasks) {
      asio::co_spawn(loop_, std::move(task), [](const std::exception_ptr& thrown) {
        if (thrown) std::rethrow_exception(thrown);
      });
    }
    loop_.restart();
    loop_.run();
  }
  void run(Task<> task) {
    std::vector<Task<>> one;
    one.push_back(std::move(task));
    run(std::move(one));
  }

  EntryRow entry(std::string kind) const {
    return {0, now(), std::move(kind), 1, std::string(300, 'x')};  // about what a step writes
  }

  Task<> admit(std::string conversation) {
    const RunId run = RunId::make(now());
    NewRunRow row{run, conversation, "ana", entry("received")};
    InboundRow message{run.text(), std::move(conversation), 0};
    must(co_await store().admit(std::move(message), std::move(row), {}));
  }

  std::vector<Lease> claim_all() {
    std::vector<Lease> leases;
    run(claim_into(leases));
    return leases;
  }

 private:
  Task<> claim_into(std::vector<Lease>& leases) {
    for (;;) {
      const Claimed claimed = must(co_await store().claim(1000, {}));
      if (claimed.leases.empty()) co_return;
      leases.insert(leases.end(), claimed.leases.begin(), claimed.leases.end());
    }
  }

  SystemClock clock_;
  asio::io_context loop_;
  std::unique_ptr<SqliteStore> store_;
};

Task<> keep_appending(Bench& bench, Lease lease, SteadyClock::time_point until, std::int64_t& count) {
  for (Seq last = 1; SteadyClock::now() < until; ++count) {
    std::vector<EntryRow> entries(1, bench.entry("step_done"));
    const Appended appended = must(co_await bench.store().append(lease, last, If::held, std::move(entries), {}));
    last = appended.last;
  }
}

void make_runs(const std::filesystem::path& folder, int count) {
  Bench bench(folder);
  std::vector<Task<>> admissions;
  admissions.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) admissions.push_back(bench.admit(fmt::format("thread-{}", i)));
  bench.run(std::move(admissions));
}

double appends_per_second(const std::filesystem::path& folder, int writers, Writer::Limits limits) {
  std::filesystem::remove_all(folder);
  make_runs(folder, writers);
  Bench bench(folder, limits);
  std::int64_t count = 0;
  const auto begun = SteadyClock::now();
  std::vector<Task<>> tasks;
  for (const Lease& lease : bench.claim_all()) tasks.push_back(keep_appending(bench, lease, begun + kMeasured, count));
  bench.run(std::move(tasks));
  return static_cast<double>(count) / (milliseconds(SteadyClock::now() - begun) / 1000);
}

void measure_appends(const std::filesystem::path& folder) {
  fmt::print("appends a second       group commit   one commit each   ratio\n");
  for (const int writers : {1, 16, 256, kManyWriters}) {
    const double grouped = appends_per_second(folder, writers, {});
    const double single = appends_per_second(folder, writers, {.operations = 1});
    fmt::print("{:>6} writers          {:>12.0f}      {:>12.0f}   {:>5.1f}\n", writers, grouped, single,
               grouped / single);
  }
}

Task<> keep_admitting(Bench& bench, int admitter, SteadyClock::time_point until, std::vector<double>& times) {
  for (int i = 0; SteadyClock::now() < until; ++i) {
    const auto begun = SteadyClock::now();
    co_await bench.admit(fmt::format("new-{}-{}", admitter, i));
    times.push_back(milliseconds(SteadyClock::now() - begun));
  }
}

void measure_admissions(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  make_runs(folder, kManyWriters);
  Bench bench(folder);
  std::int64_t count = 0;
  std::vector<double> times;
  const auto until = SteadyClock::now() + 3 * kMeasured;
  std::vector<Task<>> tasks;
  for (const Lease& lease : bench.claim_all()) tasks.push_back(keep_appending(bench, lease, until, count));
  for (int i = 0; i < 4; ++i) tasks.push_back(keep_admitting(bench, i, until, times));
  bench.run(std::move(tasks));
  const double p99 = percentile(times, 0.99);
  fmt::print("admit beside {} writers: p50 {:.1f} ms, p99 {:.1f} ms of {} (target: p99 under 100 ms: {})\n",
             kManyWriters, percentile(times, 0.5), p99, times.size(), verdict(p99 < 100));
}

Task<> ask_and_park(Bench& bench, Lease lease) {
  InteractionRow asked;
  asked.id = InteractionId::make(bench.now());
  asked.run = lease.run;
  asked.call = "call-1";
  asked.conversation = "thread-" + lease.run.text();
  asked.kind = "approval";
  asked.body = std::string(300, 'q');
  asked.created_at = bench.now();
  asked.expires_at = bench.now() + 24h;
  Effects effects;
  effects.run = RunChange{RunStatus::parked};
  effects.interactions.push_back({asked, {}});
  effects.dues.push_back({"expiry", asked.id.text(), asked.expires_at, std::nullopt, true});
  std::vector<EntryRow> entries(1, bench.entry("asked"));
  must(co_await bench.store().append(lease, 1, If::unchanged, std::move(entries), std::move(effects)));
}

void park_many(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  const int at_once = std::min(kParkedRuns, 10'000);
  for (int made = 0; made < kParkedRuns; made += at_once) {
    Bench bench(folder);
    std::vector<Task<>> admissions;
    admissions.reserve(static_cast<std::size_t>(at_once));
    for (int i = 0; i < at_once; ++i) admissions.push_back(bench.admit(fmt::format("thread-{}", made + i)));
    bench.run(std::move(admissions));
    std::vector<Task<>> parking;
    for (const Lease& lease : bench.claim_all()) parking.push_back(ask_and_park(bench, lease));
    bench.run(std::move(parking));
  }
}

double resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

struct Woken {
  std::vector<double> answers;
  std::vector<double> claims;
};

Task<> answer_some(Bench& bench, std::vector<InteractionId> asked, Woken& woken) {
  for (const InteractionId& id : asked) {
    const auto begun = SteadyClock::now();
    AnswerRow yes{InteractionState::approved, "{}", "bo", bench.now()};
    must(co_await bench.store().answer(id, std::move(yes), bench.entry("answered"), {}));
    const auto answered = SteadyClock::now();
    const Claimed claimed = must(co_await bench.store().claim(1, {}));
    if (claimed.leases.size() != 1) give_up({ErrorKind::internal, "an answered run was not claimed", ""});
    woken.answers.push_back(milliseconds(answered - begun));
    woken.claims.push_back(milliseconds(SteadyClock::now() - answered));
  }
}

Task<> read_ids(Bench& bench, std::vector<InteractionId>& ids) {
  // Every so-manieth, over all of them.
  const auto all = must(co_await bench.store().interactions({.most = kParkedRuns}));
  for (std::size_t i = 0; i < all.size(); i += all.size() / kSamples) ids.push_back(all[i].id);
  ids.resize(kSamples);
}

// In a process of its own: what is resident is what the open store needs, not what filling it left behind.
void wake_some(const std::filesystem::path& folder, const std::filesystem::path& list) {
  const auto begun = SteadyClock::now();
  Bench bench(folder);
  const double opening = milliseconds(SteadyClock::now() - begun);
  const double ready = resident_megabytes();
  std::vector<InteractionId> ids;
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);) ids.push_back(must(InteractionId::parse(line)));
  Woken woken;
  bench.run(answer_some(bench, ids, woken));
  const double answer = percentile(woken.answers, 1);
  const double claim = percentile(woken.claims, 1);
  const double after = resident_megabytes();
  fmt::print("with {} parked runs, in a fresh process (opened in {:.0f} ms):\n", kParkedRuns, opening);
  fmt::print("  answer one: worst of {} {:.1f} ms, p50 {:.1f} ms (target: under 20 ms: {})\n", kSamples, answer,
             percentile(woken.answers, 0.5), verdict(answer < 20));
  fmt::print("  claim its run: worst of {} {:.1f} ms, p50 {:.1f} ms (target: under 20 ms: {})\n", kSamples, claim,
             percentile(woken.claims, 0.5), verdict(claim < 20));
  fmt::print("  resident: {:.1f} MB after opening, {:.1f} MB after the answers (target: under 40 MB: {})\n", ready,
             after, verdict(after < 40));
}

void measure_parked(const std::filesystem::path& folder, const std::string& program) {
  park_many(folder);
  const std::filesystem::path list = folder / "asked";
  {
    Bench bench(folder);
    std::vector<InteractionId> ids;
    bench.run(read_ids(bench, ids));
    std::ofstream out(list);
    for (const InteractionId& id : ids) out << id.text() << "\n";
  }
  fmt::print("the file with them: {} MB\n", std::filesystem::file_size(folder / "deputy.db") >> 20U);
  std::fflush(stdout);
  const std::string command = fmt::format("'{}' --wake '{}' '{}'", program, folder.string(), list.string());
  if (std::system(command.c_str()) != 0) give_up({ErrorKind::internal, "the fresh process failed", ""});
}

std::string filesystem_of(const std::filesystem::path& folder) {
  struct statfs about{};
  if (statfs(folder.c_str(), &about) != 0) return "unknown";
  switch (static_cast<std::uint32_t>(about.f_type)) {
    case 0xEF53:
      return "ext4";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x01021994:
      return "tmpfs: commits cost nothing here, set TMPDIR to a real disk";
    case 0x794C7630:
      return "overlayfs";
    default:
      return fmt::format("{:#x}", about.f_type);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  if (count == 4 && std::string_view(arguments[1]) == "--wake") {
    wake_some(arguments[2], arguments[3]);
    return 0;
  }
  const char* chosen = std::getenv("TMPDIR");
  const std::filesystem::path under = chosen != nullptr ? chosen : std::filesystem::path(program).parent_path();
  const std::filesystem::path folder = under / fmt::format("bench-store-{}", getpid());
  std::filesystem::create_directories(folder);
  fmt::print("store: SQLite {}, in {} ({}), synchronous=FULL\n", sqlite3_libversion(), under.string(),
             filesystem_of(under));
  measure_appends(folder / "appends");
  measure_admissions(folder / "admissions");
  measure_parked(folder / "parked", program);
  std::filesystem::remove_all(folder);
  return 0;
}

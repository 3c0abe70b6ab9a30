// A process that stays: 20,000 requests from a channel through the whole engine and back, with its memory on the way;
// then what a request costs as the store grows to 200,000 runs.
//
// Channel, model and tool are the simplest there are. The older runs are copies of one, written beside the engine. It
// works in a folder of its own under $TMPDIR, or in the current one, and removes it.

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/log.h"
#include "base/sqlite.h"
#include "gateway/gateway.h"
#include "sized.h"
#include "store/sqlite/sqlite_store.h"

namespace {

using namespace deputy;

const int kRequests = bench::sized(20'000, 40);
const int kRows = bench::sized(20, 4);  // of the plot
const int kMeasured = bench::sized(1'000, 10);
const std::vector<int> kStored = bench::sized<std::vector<int>>({25'000, 50'000, 100'000, 200'000}, {100, 200});
constexpr int kAtOnce = 32;

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

/// Calls the tool, then answers.
class QuickModel final : public model::Model {
 public:
  std::string_view name() const override { return "quick"; }
  std::optional<std::int64_t> cost_of(const model::Usage&) const override { return 0; }
  Task<Result<model::Reply>> ask(model::Request request, model::OnText) override {
    model::Reply reply;
    if (std::holds_alternative<model::CallResult>(request.turns.back().blocks.front())) {
      reply.blocks.emplace_back(model::Text{"There are two notes."});
    } else {
      reply.blocks.emplace_back(model::Call{"1", "search_notes", {{"query", "checkout"}}});
      reply.stop = model::Stop::calls;
    }
    co_return reply;
  }
};

/// Keeps nothing of what it shows.
class CountingChannel final : public channel::Channel {
 public:
  std::string_view name() const override { return "bench"; }
  channel::Capabilities capabilities() const override {
    return {.edit = true, .threads = true, .working = true, .find = true};
  }
  Task<Result<>> run(channel::Receiver& receiver) override {
    receiver_ = &receiver;
    for (;;) co_await sleep_for(kMaxWait);
  }
  Task<Result<channel::MessageRef>> post(channel::ConversationKey, channel::Message message) override {
    if (message.kind == channel::Message::Kind::answer) ++answers_;
    co_return std::to_string(++posts_);
  }
  Task<Result<>> edit(channel::ConversationKey, channel::MessageRef, channel::Message message) override {
    if (message.kind == channel::Message::Kind::answer) ++answers_;
    co_return Result<>{};
  }
  Task<Result<>> working(channel::ConversationKey, channel::MessageRef, channel::Working) override {
    co_return Result<>{};
  }
  Task<Result<std::optional<channel::MessageRef>>> find(channel::ConversationKey, channel::DeliveryKey) override {
    co_return std::optional<channel::MessageRef>();
  }
  Task<Result<channel::ConversationContext>> context(channel::ConversationKey, channel::MessageRef, int) override {
    co_return channel::ConversationContext{};
  }
  Task<Result<policy::Identity>> who(policy::Account account) override {
    co_return policy::Identity{.account = std::move(account), .standing = policy::AccountKind::member};
  }
  Task<Result<channel::Diagnosis>> diagnose() override { co_return channel::Diagnosis{}; }

  bool is_connected() const { return receiver_ != nullptr; }
  int answers() const { return answers_; }
  Task<> ask(int number, Timestamp at) {
    channel::InboundMessage message;
    message.key = fmt::format("bench:message:{}", number);
    message.conversation = fmt::format("bench:C1:{}", number);
    message.place = {.channel = "bench", .id = "C1"};
    message.sender = {"bench", "U1"};
    message.sender_name = "Ana";
    message.text = "what about checkout?";
    message.ref = std::to_string(number);
    message.at = at;
    message.begins_thread = true;
    const Result<> received = co_await receiver_->message(std::move(message));
    if (!received) fmt::print(stderr, "{}\n", describe(received.error()));
  }

 private:
  channel::Receiver* receiver_ = nullptr;
  int posts_ = 0;
  int answers_ = 0;
};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double resident_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

template <class T>
T must(Result<T> result) {
  if (result) {
    if constexpr (std::is_void_v<T>) {
      return;
    } else {
      return *std::move(result);
    }
  }
  fmt::print(stderr, "{}\n", describe(result.error()));
  std::exit(1);
}

class Folder {
 public:
  Folder() {
    const char* place = std::getenv("TMPDIR");
    path_ = std::filesystem::path(place == nullptr ? "." : place) / fmt::format("bench_serve.{}", getpid());
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path data() const { return path_ / "data"; }

 private:
  std::filesystem::path path_;
};

/// The engine as a process has it, over the store in the folder.
class Process {
 public:
  explicit Process(const Folder& folder)
      : store_(must(store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder.data()}))) {
    must(registry_.add(search_notes()));
    auto rules = std::make_shared<run::Rules>();
    rules->limits.requests_a_person = rules->limits.runs_a_person = 0;  // or they wait for minutes
    policy::Settings settings;
    settings.access.people = std::vector<std::string>{"bench:U1"};
    settings.channels["C1"].categories = std::vector<std::string>{"doc_tools"};
    rules->policy = must(policy::Policy::make(std::move(settings)));
    gateway::Channels channels;
    channels.add(channel_);
    gateway_ = std::make_unique<gateway::Gateway>(
        gateway::GatewaySetup{*store_, clock_, registry_, executor_, [rules] { return rules; },
                              [model = model_] { return model; }, run::Redaction("the secret of a bench"),
                              std::move(channels), gateway::DeliverySettings{}},
        loop_.get_executor());
    gateway_->start();
    until([&] { return channel_->is_connected(); });
  }
  ~Process() {
    bool stopped = false;
    asio::co_spawn(loop_, gateway_->stop(), [&](const std::exception_ptr&) { stopped = true; });
    until([&] { return stopped; });
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Asks so many times and returns when all are answered.
  void answer(int requests) {
    const int first = channel_->answers();
    int asked = 0;
    until([&] {
      const int answered = channel_->answers() - first;
      for (; asked < requests && asked - answered < kAtOnce; ++asked)
        spawn(loop_.get_executor(), "ask", channel_->ask(++number_, clock_.now()));
      return answered == requests;
    });
  }

 private:
  void until(const std::function<bool()>& ended) {
    while (!ended()) loop_.run_one();
  }

  // Over all processes of the bench, so that every request has a conversation of its own.
  inline static int number_ = 0;

  asio::io_context loop_;
  SystemClock clock_;
  std::unique_ptr<store::SqliteStore> store_;
  toolkit::Registry registry_;
  toolkit::Executor executor_{clock_};
  std::shared_ptr<CountingChannel> channel_ = std::make_shared<CountingChannel>();
  std::shared_ptr<QuickModel> model_ = std::make_shared<QuickModel>();
  std::unique_ptr<gateway::Gateway> gateway_;
};

void measure_memory(const Folder& folder) {
  Process process(folder);
  fmt::print("{} requests, {} at once, each with one call and an answer:\n", kRequests, kAtOnce);
  std::vector<double> sizes;
  for (int row = 1; row <= kRows; ++row) {
    const double before = cpu_seconds();
    process.answer(kRequests / kRows);
    sizes.push_back(resident_megabytes());
    const double each = (cpu_seconds() - before) / (kRequests / kRows) * 1e6;
    const auto bar = static_cast<std::size_t>(std::min(sizes.back(), 100.0));
    fmt::print("  {:>6} {:7.1f} MB {:6.0f} us CPU each  {}\n", row * (kRequests / kRows), sizes.back(), each,
               std::string(bar, '#'));
  }
  const double warm = sizes[sizes.size() / 4];
  fmt::print("  memory at the end is {:.2f} times that after a quarter of them\n", sizes.back() / warm);
}

// Copies the newest finished run until there are `most` runs.
void fill(const Folder& folder, int most) {
  using Mode = sqlite::Connection::Mode;
  auto database = must(sqlite::Connection::open((folder.data() / "deputy.db").string(), Mode::read_write));
  const auto number = [&](std::string_view sql) {
    sqlite::Statement statement = database.prepare(sql);
    return must(statement.step()) ? statement.integer(0) : 0;
  };
  const std::int64_t missing = most - number("SELECT count(*) FROM runs");
  if (missing <= 0) return;
  const std::int64_t model = number("SELECT max(number) FROM runs WHERE state = 'finished'");
  const std::int64_t last = number("SELECT max(number) FROM runs");
  const auto copy = [&](std::string_view into, std::string_view columns, std::string_view what, std::string_view from) {
    const std::string sql = fmt::format(
        "WITH RECURSIVE copies(n) AS (SELECT {0} + 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {0} + {1}) "
        "INSERT INTO {2} ({3}) SELECT {4} FROM copies, {5}",
        last, missing, into, columns, what, from);
    must(database.execute(sql.c_str()));
  };
  const std::string run = fmt::format("runs WHERE runs.number = {}", model);
  const std::string id = "substr(runs.id, 1, length(runs.id) - 7) || printf('%07d', n)";
  const std::string conversation = "runs.conversation || ':' || n";
  must(database.execute("BEGIN"));
  copy("runs",
       "number, id, conversation, requester, state, outcome, headline, fence, last_seq, seen_seq, created_at, "
       "finished_at",
       fmt::format("n, {}, {}, requester, state, outcome, headline, fence, last_seq, seen_seq, created_at, finished_at",
                   id, conversation),
       run);
  copy("conversations", "key, version", conversation + ", 1", run);
  copy("inbox", "key, conversation, at", fmt::format("'copy:' || n, {}, created_at", conversation), run);
  copy("entries", "run, seq, at, kind, version, body", "n, seq, at, kind, version, body",
       fmt::format("entries WHERE entries.run = {}", model));
  copy("deliveries", "id, conversation, kind, body, owed_at, run, state, ref, attempts, next_at",
       fmt::format("substr(one.id, 1, length(one.id) - 9) || printf('%07d', n) || substr(one.id, -2), {}, one.kind, "
                   "one.body, one.owed_at, {}, one.state, one.ref, one.attempts, one.next_at",
                   conversation, id),
       fmt::format("runs JOIN deliveries AS one ON one.run = runs.id WHERE runs.number = {}", model));
  must(database.execute("COMMIT"));
  must(database.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
}

void measure_growth(const Folder& folder) {
  fmt::print("CPU of a request by the number of runs in the store:\n");
  double first = 0;
  for (const int stored : kStored) {
    fill(folder, stored);
    Process process(folder);
    process.answer(kMeasured / 2);  // warm
    const double before = cpu_seconds();
    process.answer(kMeasured);
    const double each = (cpu_seconds() - before) / kMeasured * 1e6;
    if (first == 0) first = each;
    fmt::print("  {:>7} {:6.0f} us, {:.2f} times\n", stored, each, each / first);
  }
}

}  // namespace

int main() {
  deputy::log::set_level(deputy::log::Level::error);
  const Folder folder;
  measure_memory(folder);
  measure_growth(folder);
  return 0;
}

// Deputy in Slack beside a Bolt app and a bare loop: each answers the same mentions in the same simulated workspace
// with the same model. Printed for each: flows a second, processor time of a flow, how soon receipts come, memory idle
// and with many flows in flight, and how soon it is connected.
//
// The flow is that of bench/peers/bolt/app.js: receipt, acknowledgement in the thread, the thread and the person are
// read, the model is asked, one tool, the model again, the answer is edited in. Deputy's acknowledgement is a stream,
// which it also ends: a call and an event more. Simulator, model and measuring are this process; only the app's own
// process counts. Between them is plain HTTP on loopback; where the start and the idle memory are measured, the model
// is behind TLS.
//
// It works in a folder of its own under $TMPDIR, or in the current one, and removes it.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/log.h"
#include "base/text.h"
#include "sized.h"
#include "slack/load.h"

namespace {

using namespace deputy;
using namespace deputy::bench;
using namespace std::chrono_literals;

const int kStarts = sized(5, 1);
const int kFlows = sized(3'000, 10);
const int kAtOnce = sized(64, 5);
const int kWarmUp = sized(500, 5);
const int kInFlight = sized(2'000, 20);
const std::chrono::milliseconds kModelTakes = sized(2'500ms, 50ms);  // where many are in flight

/// What was measured of one app.
struct Figures {
  std::string name;
  double connected = 0;  // milliseconds
  double idle = 0;       // MB
  LoadResult busy;
  LoadResult many;
};

[[noreturn]] void give_up(const std::string& why) { throw std::runtime_error(why); }

template <class T>
T must(Result<T> result) {
  if (!result) give_up(describe(result.error()));
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

class Folder {
 public:
  Folder() {
    const char* place = std::getenv("TMPDIR");
    path_ = std::filesystem::absolute(place == nullptr ? "." : place) / fmt::format("bench_slack.{}", getpid());
    std::filesystem::create_directories(path_ / "home");
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// A certificate for localhost, and a list of authorities that has it beside those of the machine.
void make_certificates(const Folder& folder) {
  const std::string command = fmt::format(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext "
      "subjectAltName=DNS:localhost -keyout {} -out {} 2>/dev/null",
      (folder / "key.pem").string(), (folder / "certificate.pem").string());
  if (std::system(command.c_str()) != 0) give_up("openssl made no certificate");
  write(folder / "authorities.pem",
        text_of("/etc/ssl/certs/ca-certificates.crt") + text_of(folder / "certificate.pem"));
}

App deputy_app(const Folder& folder, const std::string& model) {
  write(folder / "services.yaml", "checkout: {description: Takes orders}\nbilling: {description: Sends invoices}\n");
  write(folder / "deputy.yaml",
        fmt::format("timezone: UTC\nlog: {{level: error}}\nserve: {{health: '127.0.0.1:0'}}\n"
                    "services: {{file: {}}}\n"
                    "models: {{default: {{provider: anthropic, model: claude-sonnet-5-5, base_url: '{}'}}, budgets: "
                    "{{day_usd: 0}}}}\n",
                    (folder / "services.yaml").string(), model));
  return {
      "deputy",
      {DEPUTY_PROGRAM, "--config", (folder / "deputy.yaml").string(), "--data", (folder / "data").string(), "serve"},
      {"HOME=" + (folder / "home").string()}};
}

App bolt_app(const Folder& folder) {
  return {"bolt",
          {NODE, SOURCE_FOLDER "/bench/peers/bolt/app.js"},
          {"NODE_ENV=production", "NODE_EXTRA_CA_CERTS=" + (folder / "certificate.pem").string()}};
}

App bare_app() { return {"bare loop", {BARE_PROGRAM}, {fmt::format("BARE_ANSWER={}", kAnswer)}}; }

App make_app(std::string_view name, const Folder& folder, const SlackLoad& load, const std::string& model) {
  App app = name == "deputy" ? deputy_app(folder, model) : name == "bolt" ? bolt_app(folder) : bare_app();
  std::ranges::copy(
      std::vector<std::string>{"SLACK_BOT_TOKEN=xoxb-fake-bot-token", "SLACK_APP_TOKEN=xapp-fake-app-token",
                               "SLACK_API_URL=" + load.api_url(), "ANTHROPIC_API_KEY=a-key-of-a-bench",
                               "ANTHROPIC_BASE_URL=" + model, "SSL_CERT_FILE=" + (folder / "authorities.pem").string()},
      std::back_inserter(app.variables));
  return app;
}

void end(asio::io_context& loop, ModelStandIn& model) {
  bool stopped = false;
  asio::co_spawn(loop, model.stop(), [&](const std::exception_ptr&) { stopped = true; });
  while (!stopped) loop.run_one();
}

Figures measure(std::string_view name, const Folder& folder) {
  asio::io_context loop;
  const auto load = must(SlackLoad::start(loop));
  Figures figures{.name = std::string(name)};
  const auto log = folder / fmt::format("{}.log", name);
  const auto checked = [&](auto result) {
    if (!result) give_up(fmt::format("{}: {}\n{}", name, describe(result.error()), text_of(log)));
    if constexpr (!std::is_void_v<typename decltype(result)::value_type>) return *std::move(result);
  };

  std::vector<double> connected;
  std::vector<double> idle;
  const auto model = must(ModelStandIn::listen(loop.get_executor(), {.certificate = text_of(folder / "certificate.pem"),
                                                                     .key = Secret(text_of(folder / "key.pem"))}));
  for (int start = 0; start < kStarts; ++start) {
    const App app = make_app(name, folder, *load, model->address());
    {
      const auto begin = SteadyClock::now();
      const AppProcess process(app, log);
      checked(load->until_connected(process));
      connected.push_back(std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count());
      checked(load->run(process, *model, {.flows = 1, .at_once = 1}));  // all that it needs is loaded then
      load->wait(1s);
      idle.push_back(process.resident_megabytes());
    }
    checked(load->until_disconnected());
  }
  end(loop, *model);
  figures.connected = median(connected);
  figures.idle = median(idle);

  const auto quick = must(ModelStandIn::listen(loop.get_executor(), {}));
  {
    const AppProcess process(make_app(name, folder, *load, quick->address()), log);
    checked(load->until_connected(process));
    checked(load->run(process, *quick, {.flows = kWarmUp, .at_once = kAtOnce}));
    figures.busy = checked(load->run(process, *quick, {.flows = kFlows, .at_once = kAtOnce}));
  }
  checked(load->until_disconnected());
  end(loop, *quick);

  const auto slow = must(ModelStandIn::listen(loop.get_executor(), {.takes = kModelTakes}));
  {
    const AppProcess process(make_app(name, folder, *load, slow->address()), log);
    checked(load->until_connected(process));
    const auto rate = static_cast<int>(kInFlight * 1s / (2 * kModelTakes));
    figures.many =
        checked(load->run(process, *slow, {.flows = 3 * kInFlight, .at_once = kInFlight, .per_second = rate}));
  }
  checked(load->until_disconnected());
  end(loop, *slow);
  return figures;
}

void print_row(std::string_view what, const std::vector<Figures>& all,
               const std::function<double(const Figures&)>& of) {
  const double deputy = of(all[0]);
  const auto times = [&](const Figures& other) { return of(other) > 0 ? deputy / of(other) : 0; };
  fmt::print("{:<52}{:>10.1f}{:>10.1f}{:>10.1f}{:>14.2f}{:>14.2f}\n", what, deputy, of(all[1]), of(all[2]),
             times(all[1]), times(all[2]));
}

void print_target(std::string_view what, double value, double most) {
  fmt::print("  {:<60}{:>8.2f}  {}\n", what, value, value <= most ? "met" : "missed");
}

void print(const std::vector<Figures>& all) {
  fmt::print("{:<52}{:>10}{:>10}{:>10}{:>14}{:>14}\n", "", all[0].name, all[1].name, all[2].name, "deputy/bolt",
             "deputy/bare");
  print_row(fmt::format("flows a second, {} at once", kAtOnce), all, [](auto& a) { return kFlows / a.busy.seconds; });
  print_row("CPU of a flow, us", all, [](auto& a) { return a.busy.cpu; });
  print_row("receipt, median, ms", all, [](auto& a) { return a.busy.receipt_median; });
  print_row("receipt, p99, ms", all, [](auto& a) { return a.busy.receipt_p99; });
  print_row(fmt::format("{} in flight: CPU of a flow, us", kInFlight), all, [](auto& a) { return a.many.cpu; });
  print_row(fmt::format("{} in flight: receipt, median, ms", kInFlight), all,
            [](auto& a) { return a.many.receipt_median; });
  print_row(fmt::format("{} in flight: receipt, p99, ms", kInFlight), all, [](auto& a) { return a.many.receipt_p99; });
  print_row(fmt::format("{} in flight: resident memory, MB", kInFlight), all, [](auto& a) { return a.many.megabytes; });
  print_row(fmt::format("{} in flight: receipts that came too late for Slack", kInFlight), all,
            [](auto& a) { return a.many.late; });
  print_row("idle: resident memory, MB", all, [](auto& a) { return a.idle; });
  print_row("start to connected, ms", all, [](auto& a) { return a.connected; });
  print_row("calls to Slack, a flow", all, [](auto& a) { return a.busy.slack_calls; });
  print_row("requests to the model, a flow", all, [](auto& a) { return a.busy.model_calls; });
  print_row("CPU of simulator, model and measuring, a flow, us", all, [](auto& a) { return a.busy.judge_cpu; });
  print_row("  percent of one core while busy", all,
            [](auto& a) { return a.busy.judge_cpu * kFlows / a.busy.seconds / 1e4; });
  const Figures& own = all[0];
  const Figures& bolt = all[1];
  const Figures& bare = all[2];
  fmt::print("targets:\n");
  print_target("CPU of a flow, times the bare loop's: at most 2", own.busy.cpu / bare.busy.cpu, 2);
  print_target("CPU of a flow, of Bolt's: at most an eighth", own.busy.cpu / bolt.busy.cpu, 1.0 / 8);
  print_target(fmt::format("receipt p99 with {} in flight: under 100 ms", kInFlight), own.many.receipt_p99, 100);
  print_target(fmt::format("memory with {} in flight, of Bolt's: at most a fifth", kInFlight),
               own.many.megabytes / bolt.many.megabytes, 1.0 / 5);
  print_target("idle memory: under 20 MB", own.idle, 20);
  print_target("start to connected: under 100 ms", own.connected, 100);
}

}  // namespace

int main() {
  deputy::log::set_level(deputy::log::Level::error);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  try {
    const Folder folder;
    make_certificates(folder);
    fmt::print("Slack's rate limits are raised; a flow is a mention in a thread, {} flows after {} to warm up;\n",
               kFlows, kWarmUp);
    fmt::print("with {} in flight each reply of the model takes {} ms\n", kInFlight, kModelTakes.count());
    std::fflush(stdout);
    std::vector<Figures> all;
    for (const std::string_view name : {"deputy", "bolt", "bare loop"}) all.push_back(measure(name, folder));
    print(all);
  } catch (const std::exception& failed) {
    fmt::print(stderr, "{}\n", failed.what());
    return 1;
  }
  return 0;
}

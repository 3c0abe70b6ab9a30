#include "app/serve.h"

#include <fmt/format.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cstdlib>
#include <list>

#include "app/connections.h"
#include "app/health_listener.h"
#include "app/models.h"
#include "app/reload.h"
#include "app/run_metrics.h"
#include "app/tools.h"
#include "base/log.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "gateway/gateway.h"
#include "policy/persons.h"
#include "run/journal/delivery.h"

namespace deputy::app {

namespace {

using observe::MetricName;

// Of kLongestStop the rest is for deliveries that are being sent and for recording them.
constexpr std::chrono::seconds kGrace{22};
constexpr std::chrono::minutes kLately{1};

const MetricName kReady{"deputy_ready", "1 if /readyz says so"};
const MetricName kLive{"deputy_runs_live", "Runs that this process works on now"};
const MetricName kNotUnderstood{"deputy_runs_not_understood", "Runs that another version wrote and this one leaves"};
const MetricName kFailing{"deputy_runs_failing", "Runs that the store or a bug keeps from going on"};
const MetricName kRestarts{"deputy_loop_restarts_total", "Loops that failed, and channels that ended, by name"};
const MetricName kTaskFailures{"deputy_task_failures_total", "Tasks that ended with an exception: bugs"};
const MetricName kTraffic{"deputy_channel_last_traffic_seconds", "When something last came from the platform"};
const MetricName kDeliveries{"deputy_deliveries_total", "Deliveries, by what came of an attempt"};
const MetricName kAlerts{"deputy_alerts_total", "Alerts to operators: sent, grouped with others, or lost"};

Result<std::vector<std::string>> reach_of(const Settings& settings, const std::vector<ChannelKind>& kinds) {
  std::vector<std::string> reach;
  std::vector<std::string> missing;
  for (const ChannelKind& kind : kinds) {
    const std::string to_set = kind.missing(settings);
    if (to_set.empty()) reach.push_back(kind.kind + ":");
    if (!to_set.empty()) missing.push_back(fmt::format("{}: {}", kind.kind, to_set));
  }
  if (reach.empty()) {
    return fail(ErrorKind::not_configured, "no network channel is set up, so there is nothing to serve",
                join(missing, "; "));
  }
  reach.emplace_back(run::kAlertConversation);
  return reach;
}

/// Tasks beside the main one. They must be ended before this is destroyed.
class Alongside {
 public:
  explicit Alongside(asio::any_io_executor loop) : loop_(std::move(loop)), ended_(loop_) {}

  void start(std::string name, Task<> task) {
    ++running_;
    Cancel& cancel = cancels_.emplace_back(loop_);
    auto on_end = [this, name = std::move(name)](const std::exception_ptr& thrown) {
      if (thrown && !is_cancellation(thrown)) log::error("a task failed", {{"task", name}, {"why", what_of(thrown)}});
      --running_;
      ended_.cancel();
    };
    asio::co_spawn(loop_, std::move(task), asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
  }

  Task<Result<>> end() {
    for (Cancel& cancel : cancels_) cancel.emit();
    while (running_ > 0) {
      ended_.expires_at(std::chrono::steady_clock::time_point::max());
      boost::system::error_code ignored;
      co_await ended_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return Result<>{};
  }

 private:
  asio::any_io_executor loop_;
  asio::steady_timer ended_;
  std::list<Cancel> cancels_;
  int running_ = 0;
};

class Service {
 public:
  Service(const Context& context, Process& process, ServeSetup setup)
      : context_(context),
        process_(process),
        setup_(std::move(setup)),
        alerts_(process.clock()),
        run_metrics_(metrics_, process.clock(), process.registry()),
        alongside_(process.executor()) {}

  Result<> open();
  ExitCode run();

 private:
  Result<> make_channels();
  Result<> listen_for_channels();
  void set_up_health();
  void read_counts();
  std::vector<std::string> problems_of_channels() const;
  std::vector<std::string> problems_of_work() const;
  void set_alert_conversation();
  void print_start(const std::string& address) const;
  Task<Result<>> until_stopped();
  Task<Result<>> stop_listening();
  Task<> exit_when_stopping_takes_too_long();
  Task<> post_alert(std::string text) { co_await process_.gateway().alert(std::move(text)); }

  const Context& context_;
  Process& process_;
  ServeSetup setup_;
  observe::Metrics metrics_;
  observe::Health health_;
  observe::Alerts alerts_;
  RunMetrics run_metrics_;
  std::vector<std::shared_ptr<channel::Channel>> channels_;
  std::map<std::string, net::RequestHandler, std::less<>> routes_;  // of channels, by path
  std::unique_ptr<net::Server> server_;                             // health
  std::unique_ptr<net::Server> outside_;                            // for channels; null: none listens
  std::unique_ptr<Reload> reload_;
  Alongside alongside_;
  bool stopping_ = false;
};

Result<> Service::open() {
  TRY(make_channels());
  gateway::GatewayHooks hooks;
  hooks.entry = [this](RunId run, gateway::RunKind kind, const run::EntryBody& body) {
    run_metrics_.on_entry(run, kind, body);
  };
  hooks.loop_failed = [this](const std::string& loop, const std::string& why) {
    alerts_.raise("loop " + loop, fmt::format("`{}` stopped working and begins again: {}", loop, why));
  };
  TRY(process_.compose(channels_, std::move(hooks), [this](const std::string& text) { return alerts_.admit(text); }));
  set_alert_conversation();
  alerts_.send_with([this](std::string text) { spawn(process_.executor(), "alert", post_alert(std::move(text))); });
  set_up_health();
  TRY(const ListenAddress address, parse_listen_address(process_.settings().serve.health));
  TRY(server_, listen_for_health(process_.executor(), address, metrics_, health_));
  TRY(listen_for_channels());
  TRY(config::Sources sources, sources_of(context_, config::LoadMode::serve));
  std::vector<std::string> fixed;
  for (const ChannelKind& kind : setup_.channels) std::ranges::copy(kind.fixed, std::back_inserter(fixed));
  reload_ = std::make_unique<Reload>(ReloadSetup{process_, std::move(sources), context_.channel_kinds, std::move(fixed),
                                                 alerts_, metrics_, [this] { set_alert_conversation(); }});
  const std::string host = address.host.contains(':') ? "[" + address.host + "]" : address.host;
  print_start(fmt::format("http://{}:{}", host, server_->port()));
  return {};
}

Result<> Service::make_channels() {
  const Settings& settings = process_.settings();
  const auto groups = [this](std::string_view kind) {
    return policy::possible_groups(kind, process_.settings().for_policy());
  };
  for (const ChannelKind& kind : setup_.channels) {
    if (!kind.missing(settings).empty()) continue;
    TRY(std::shared_ptr<channel::Channel> channel,
        kind.make({settings, process_.accounts(), process_.clock(), process_.executor(), groups, routes_}));
    channels_.push_back(std::move(channel));
  }
  return {};
}

Task<net::Answer> not_found() { co_return net::Response{404, {{"Content-Type", "text/plain"}}, "nothing is here\n"}; }

Result<> Service::listen_for_channels() {
  if (routes_.empty()) return {};
  TRY(const ListenAddress address, parse_listen_address(process_.settings().serve.listen));
  const auto handle = [this](net::ServerRequest request) -> Task<net::Answer> {
    const std::string_view path = request.path;
    const auto found = routes_.find(path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
    return found == routes_.end() ? not_found() : found->second(std::move(request));
  };
  TRY(outside_, net::Server::listen(process_.executor(), {.host = address.host, .port = address.port}, handle));
  return {};
}

// The first channel, in the order of the list, that has one.
void Service::set_alert_conversation() {
  const auto rules = process_.settings().channels.rules();
  for (const auto& channel : channels_) {
    const auto found = rules.find(std::string(channel->name()));
    if (found == rules.end() || found->second.alert_channel.empty()) continue;
    return process_.gateway().set_alert_conversation(channel->conversation_in(found->second.alert_channel));
  }
  process_.gateway().set_alert_conversation("");
}

void Service::print_start(const std::string& address) const {
  std::ostream& out = context_.outside.out;
  const Settings& settings = process_.settings();
  const auto line = [&](std::string_view what, std::string_view name, const std::string& to_set) {
    out << fmt::format("{:<8} {:<16} {}\n", what, channel::one_line(name),
                       to_set.empty() ? "ready" : channel::one_line("not set up: " + to_set));
  };
  for (const ChannelKind& kind : setup_.channels) line("channel", kind.kind, kind.missing(settings));
  const std::string model = setup_.model ? std::string(setup_.model->name()) : who_answers(settings.models);
  out << fmt::format("{:<8} {:<16} ready: {}\n", "model", "default", channel::one_line(model));
  for (const auto& [name, one] : {std::pair("fast", settings.models.chosen_fast()),
                                  std::pair("fallback", settings.models.completed(settings.models.fallback))}) {
    const bool is_set = std::string_view(name) == "fast" ? one.is_set() : settings.models.fallback.is_set();
    if (is_set) out << fmt::format("{:<8} {:<16} ready: {}\n", "model", name, channel::one_line(one.model));
  }
  for (const Check& check : process_.tools().checks()) line("backend", check.name, check.missing);
  for (const std::string& address_line : model_addresses(settings)) out << channel::one_line(address_line) << "\n";
  if (outside_) out << fmt::format("taking events on port {}\n", outside_->port());
  out << "listening on " << address << "\n" << std::flush;
}

// ---- What operators see.

void Service::set_up_health() {
  health_.add([this] { return problems_of_channels(); });
  health_.add([this] { return problems_of_work(); });
  metrics_.before_text([this] { read_counts(); });
}

std::vector<std::string> Service::problems_of_channels() const {
  std::vector<std::string> problems;
  const Timestamp now = process_.clock().now();
  for (const auto& channel : channels_) {
    const channel::Traffic traffic = channel->traffic();
    if (!traffic.expected) continue;
    if (!traffic.last) problems.push_back(fmt::format("{}: nothing has come from it yet", channel->name()));
    if (traffic.last && now - *traffic.last > traffic.at_least_every)
      problems.push_back(
          fmt::format("{}: nothing has come from it since {}", channel->name(), format_timestamp(*traffic.last)));
  }
  return problems;
}

std::vector<std::string> Service::problems_of_work() const {
  std::vector<std::string> problems;
  if (stopping_) problems.emplace_back("stopping");
  for (const auto& [loop, failed] : process_.gateway().failures()) {
    if (std::chrono::steady_clock::now() - failed.last < kLately)
      problems.push_back(fmt::format("{}: it failed within the last minute and began again", loop));
  }
  const run::RunnerHealth runs = process_.gateway().health();
  if (!runs.not_understood.empty())
    problems.push_back(fmt::format("{} of another version", count_of(runs.not_understood.size(), "run")));
  if (!runs.failing.empty()) problems.push_back(fmt::format("{} cannot go on", count_of(runs.failing.size(), "run")));
  return problems;
}

void Service::read_counts() {
  const gateway::Gateway& gateway = process_.gateway();
  const run::RunnerHealth runs = gateway.health();
  const auto number = [](auto count) { return static_cast<double>(count); };
  metrics_.set(kReady, {}, health_.problems().empty() ? 1 : 0);
  metrics_.set(kLive, {}, number(runs.live));
  metrics_.set(kNotUnderstood, {}, number(runs.not_understood.size()));
  metrics_.set(kFailing, {}, number(runs.failing.size()));
  metrics_.raise_to(kTaskFailures, {}, number(spawn_failures()));
  for (const auto& [loop, failed] : gateway.failures()) metrics_.raise_to(kRestarts, {{"loop", loop}}, failed.times);
  for (const auto& channel : channels_) {
    if (const auto last = channel->traffic().last)
      metrics_.set(kTraffic, {{"channel", std::string(channel->name())}}, number(to_millis(*last)) / 1000);
  }
  const gateway::DeliveryCounts& counts = gateway.delivery_counts();
  const std::initializer_list<std::pair<const char*, std::int64_t>> deliveries{
      {"sent", counts.sent}, {"tried_again", counts.tried_again},    {"in_doubt", counts.in_doubt},
      {"dead", counts.dead}, {"card_as_text", counts.cards_as_text}, {"store_error", counts.store_errors}};
  for (const auto& [result, count] : deliveries) metrics_.raise_to(kDeliveries, {{"result", result}}, number(count));
  const std::initializer_list<std::pair<const char*, std::int64_t>> alerts{
      {"sent", alerts_.counts().sent}, {"grouped", alerts_.counts().grouped}, {"lost", counts.alerts_lost}};
  for (const auto& [result, count] : alerts) metrics_.raise_to(kAlerts, {{"result", result}}, number(count));
}

// ---- Working and stopping.

ExitCode Service::run() {
  process_.start();
  alongside_.start("reload", reload_->run(setup_.reload_interval));
  alongside_.start("alerts", alerts_.run());
  const Result<> ended = process_.wait(until_stopped());
  stopping_ = true;
  log::info("stopping", {{"because", ended ? "it was asked to" : "of a signal"}});
  alongside_.start("stop", exit_when_stopping_takes_too_long());
  process_.stop(kGrace);
  using Signals = Process::Signals;
  [[maybe_unused]] const Result<> rest = process_.wait(alongside_.end(), Signals::left_to_the_task);
  [[maybe_unused]] const Result<> closed = process_.wait(stop_listening(), Signals::left_to_the_task);
  return ExitCode::done;
}

Task<Result<>> Service::until_stopped() {
  Serving serving{process_, server_->port(), metrics_, health_};
  if (setup_.until) co_await setup_.until(serving);
  while (!setup_.until) co_await sleep_for(kMaxWait);
  co_return Result<>{};
}

Task<Result<>> Service::stop_listening() {
  if (outside_) co_await outside_->stop(std::chrono::seconds(1));
  co_await server_->stop(std::chrono::seconds(1));
  co_return Result<>{};
}

// The store is sound whenever a process ends; what was in flight is taken up by the next one as after a crash.
Task<> Service::exit_when_stopping_takes_too_long() {
  co_await sleep_for(kLongestStop);
  log::error("stopping took too long; what is unfinished is taken up at the next start");
  context_.outside.out.flush();
  std::_Exit(static_cast<int>(ExitCode::failed));
}

}  // namespace

ExitCode serve(const Context& given, ServeSetup setup) {
  Context context = given;
  for (const ChannelKind& kind : setup.channels) context.channel_kinds.push_back(kind.kind);
  ServiceOptions options;
  options.reach = [&](const Settings& settings) { return reach_of(settings, setup.channels); };
  options.model = setup.model;
  options.tools = setup.tools;
  options.adjust = setup.adjust;
  const auto process = Process::open_service(context, std::move(options));
  if (!process) return print_failure(context, process.error());
  Service service(context, **process, std::move(setup));
  if (const Result<> opened = service.open(); !opened) return print_failure(context, opened.error());
  return service.run();
}

}  // namespace deputy::app

#include "app/build.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>

#include "app/connections.h"
#include "app/context.h"
#include "app/known_services.h"
#include "app/models.h"
#include "app/redaction.h"
#include "app/time_zone.h"
#include "app/tools.h"
#include "base/log.h"
#include "base/task.h"
#include "base/text.h"
#include "channel/terminal/terminal_channel.h"
#include "gateway/gateway.h"
#include "store/sqlite/sqlite_store.h"

namespace deputy::app {

namespace {

constexpr std::string_view kAutoConfirm = "DEPUTY_AUTO_CONFIRM";

AutoConfirm auto_confirm(const Context& context) {
  const std::string* variable = config::find_variable(context.outside.environment, kAutoConfirm);
  const std::string word = variable == nullptr ? "" : to_lower(*variable);
  const bool is_on = word == "1" || word == "true" || word == "yes" || word == "on";
  const bool is_off = word.empty() || word == "0" || word == "false" || word == "no" || word == "off";
  if (is_on) {
    context.outside.errors << "notice: " << kAutoConfirm << " is set: writes run without asking\n";
  } else if (!is_off) {
    context.outside.errors << "notice: " << kAutoConfirm
                           << " has an unknown value and counts as off: set it to 1 or 0\n";
  }
  return is_on ? AutoConfirm::yes : AutoConfirm::no;
}

// These limits protect the people of a network channel from each other; a terminal has only one person.
std::shared_ptr<const run::Rules> without_limits_of_a_person(const run::Rules& rules) {
  auto free = std::make_shared<run::Rules>(rules);
  free->limits.runs_a_person = free->limits.requests_a_person = 0;
  return free;
}

}  // namespace

std::string os_user() {
  const uid_t id = getuid();
  const passwd* entry = getpwuid(id);
  return entry == nullptr || *entry->pw_name == '\0' ? std::to_string(id) : std::string(entry->pw_name);
}

gateway::Caller local_caller() {
  const std::string user = os_user();
  return {.identity = channel::local_user(user), .place = channel::terminal_place(), .name = user, .stays_here = true};
}

// In the order of construction; they are destroyed in the opposite order.
struct Process::Parts {
  asio::io_context loop;
  SystemClock clock;
  Settings settings;
  std::shared_ptr<const run::Rules> rules;
  std::filesystem::path data;
  std::unique_ptr<Tools> tools;
  std::unique_ptr<net::HttpClient> http;  // for addresses from settings
  std::unique_ptr<Aws> aws;
  std::unique_ptr<Models> models;
  std::unique_ptr<SystemPrompt> system_prompt;
  std::unique_ptr<KnownServices> services;
  std::shared_ptr<const ServiceNames> known;  // the ones in `rules`
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<toolkit::Executor> executor;
  std::unique_ptr<gateway::Gateway> gateway;
  bool started = false;

  Result<> make_gateway(std::vector<std::shared_ptr<channel::Channel>> channels);
  /// Runs the loop until the task has ended.
  void load(std::string_view what, Task<> task);
  /// The rules with the present system prompt and services.
  std::shared_ptr<const run::Rules> current_rules();
  void run_until(const bool& ended);
  void run_until_cancelled(const bool& ended, Cancel& cancel);
};

Process::Process(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Process::~Process() { stop(); }

Result<std::unique_ptr<Process>> Process::open(const Context& context, std::vector<std::string> reach) {
  auto made = std::make_unique<Parts>();
  Parts& parts = *made;
  const asio::any_io_executor loop = parts.loop.get_executor();
  TRY(ReadSettings read, sound_settings(context, parts.clock, loop));
  parts.settings = std::move(read.loaded.settings);
  parts.data = read.own.data;
  parts.tools = std::move(read.tools);
  TRY(const std::shared_ptr<const run::Rules> rules, make_rules(parts.settings, auto_confirm(context)));
  parts.rules = without_limits_of_a_person(*rules);
  parts.services = std::make_unique<KnownServices>(parts.tools->services(), parts.tools->logs(), parts.clock, loop);
  parts.http = std::make_unique<net::Client>(loop, client_options(parts.settings.network));
  parts.aws = std::make_unique<Aws>(parts.settings.aws, context.outside.environment, *parts.http, parts.clock, loop);
  parts.models =
      std::make_unique<Models>(parts.settings.models, *parts.http, *parts.aws, parts.clock, parts.tools->registry());
  auto fetch = [aws = parts.aws.get()](std::string address) {
    return aws->read_s3(std::move(address), SystemPrompt::kMaxBytes);
  };
  parts.system_prompt =
      std::make_unique<SystemPrompt>(parts.settings.models.system_prompt, parts.clock, loop, std::move(fetch));
  TRY(parts.store, store::SqliteStore::open(loop, parts.clock, {.folder = parts.data, .reach = std::move(reach)}));
  return std::unique_ptr<Process>(new Process(std::move(made)));
}

const Settings& Process::settings() const { return parts_->settings; }
const run::Rules& Process::rules() const { return *parts_->rules; }
store::Store& Process::store() { return *parts_->store; }
const Clock& Process::clock() const { return parts_->clock; }
const toolkit::Registry& Process::registry() const { return parts_->tools->registry(); }
const Tools& Process::tools() const { return *parts_->tools; }
const std::filesystem::path& Process::data() const { return parts_->data; }
Models& Process::models() { return *parts_->models; }
SystemPrompt& Process::system_prompt() { return *parts_->system_prompt; }
asio::any_io_executor Process::executor() { return parts_->loop.get_executor(); }
gateway::Requests& Process::requests() { return parts_->gateway->requests(); }

Result<> Process::compose(std::vector<std::shared_ptr<channel::Channel>> channels) {
  TRY(parts_->make_gateway(std::move(channels)));
  parts_->services->begin();
  parts_->load("the system prompt", parts_->system_prompt->load());
  return {};
}

Result<> Process::compose_requests() { return parts_->make_gateway({}); }

Result<> Process::Parts::make_gateway(std::vector<std::shared_ptr<channel::Channel>> channels) {
  TRY(const Secret secret, redaction_secret(data));
  executor = std::make_unique<toolkit::Executor>(clock);
  gateway::Channels all;
  for (std::shared_ptr<channel::Channel>& channel : channels) all.add(std::move(channel));
  gateway = std::make_unique<gateway::Gateway>(
      gateway::GatewaySetup{*store, clock, tools->registry(), *executor, [this] { return current_rules(); },
                            [this] { return models->main(); }, run::Redaction(std::string(secret.reveal())),
                            std::move(all), gateway::DeliverySettings{}, store::retention_of(settings.retention),
                            [this] { return models->fast(); }},
      loop.get_executor());
  return {};
}

Task<> Process::services_known() { return parts_->services->known(); }

void Process::wait_for_services() { parts_->load("the known services", parts_->services->known()); }

void Process::Parts::load(std::string_view what, Task<> task) {
  bool loaded = false;
  asio::co_spawn(loop, std::move(task), [&](const std::exception_ptr& thrown) {
    if (thrown) log::error("loading failed at start", {{"what", std::string(what)}, {"why", what_of(thrown)}});
    loaded = true;
  });
  run_until(loaded);
}

std::shared_ptr<const run::Rules> Process::Parts::current_rules() {
  const std::shared_ptr<const std::string> prompt = system_prompt->text();
  std::shared_ptr<const ServiceNames> names = services->names();
  if (*prompt != rules->system_prompt || names != known) {
    auto changed = std::make_shared<run::Rules>(*rules);
    changed->system_prompt = *prompt;
    changed->services = *names;
    rules = std::move(changed);
    known = std::move(names);
  }
  return rules;
}

void Process::start() {
  parts_->gateway->start();
  parts_->started = true;
}

void Process::set_session(Yolo yolo) {
  auto rules = std::make_shared<run::Rules>(*parts_->rules);
  rules->in_session = true;
  rules->stop_asking = yolo == Yolo::on;
  parts_->rules = std::move(rules);
}

void Process::run(Task<> task, Signals signals) {
  bool ended = false;
  std::exception_ptr thrown;
  Cancel cancel(parts_->loop.get_executor());
  auto on_end = [&](const std::exception_ptr& error) {
    thrown = error;
    ended = true;
  };
  asio::co_spawn(parts_->loop, std::move(task), asio::bind_cancellation_slot(cancel.slot(), std::move(on_end)));
  if (signals == Signals::cancel) {
    parts_->run_until_cancelled(ended, cancel);
  } else {
    parts_->run_until(ended);
  }
  if (thrown && !is_cancellation(thrown)) {
    stop();  // before the objects that its channels refer to are destroyed
    std::rethrow_exception(thrown);
  }
}

void Process::Parts::run_until_cancelled(const bool& ended, Cancel& cancel) {
  // Handles signals while this object exists; after that, the first one ends the process.
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  // The handler of a signal that came just as the task ended runs later, when the references are no longer valid.
  const auto stands = std::make_shared<bool>(true);
  signals.async_wait([&, stands](const boost::system::error_code& error, int) {
    if (error || !*stands) return;
    cancel.emit();
    signals.clear();
  });
  run_until(ended);
  *stands = false;
}

void Process::Parts::run_until(const bool& ended) {
  const auto guard = asio::make_work_guard(loop);
  loop.restart();
  while (!ended) loop.run_one();
}

void Process::stop() {
  if (!parts_->started) return;
  parts_->started = false;
  bool stopped = false;
  asio::co_spawn(parts_->loop, parts_->gateway->stop(), [&](const std::exception_ptr& thrown) {
    if (thrown) log::error("the engine did not stop cleanly", {{"why", what_of(thrown)}});
    stopped = true;
  });
  parts_->run_until(stopped);
}

Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings, AutoConfirm auto_confirm) {
  auto rules = std::make_shared<run::Rules>();
  TRY(rules->policy, policy::Policy::make(settings));
  TRY(rules->zone, zone_named(settings.timezone));
  rules->zone_named = [zones = std::make_shared<KnownZones>()](std::string_view name) { return zones->find(name); };
  rules->tools = settings.tools.by_category();
  rules->environments = settings.environments;
  rules->limits = settings.limits;
  rules->budgets = settings.models.budgets;
  rules->auto_confirm = auto_confirm == AutoConfirm::yes;
  return rules;
}

}  // namespace deputy::app

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
#include "base/process.h"
#include "base/task.h"
#include "base/text.h"
#include "channel/terminal/terminal_channel.h"
#include "config/live.h"
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

// Replaced tools are kept until the process ends, because a handler may still use them.
constexpr std::size_t kMaxRetired = 8;

/// False for what only the rules of runs read: whether tools are on, and settings of one tool.
bool is_read_by_tools(const std::string& path, const toolkit::Registry& registry) {
  const std::vector<std::string_view> keys = split(path, ".");
  if (keys.front() != "tools") return false;
  return keys.size() < 3 || (keys[2] != "enabled" && !registry.find(keys[2]));
}

/// Of these paths those that are read at the start only.
std::vector<std::string> need_a_restart(const std::vector<std::string>& changed) {
  std::vector<std::string> paths;
  for (const std::string& path : changed) {
    const std::array one{path};
    const bool is_fixed =
        config::touches(one, "network") || config::touches(one, "aws") || config::touches(one, "serve");
    if (is_fixed) paths.push_back(path);
  }
  return paths;
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
  std::shared_ptr<const Settings> settings;
  config::LoadReport report;  // of the first load
  std::shared_ptr<const run::Rules> rules;
  OwnFolders own;
  std::unique_ptr<Accounts> accounts;
  std::vector<std::unique_ptr<Tools>> retired;  // replaced while runs may have used them
  std::unique_ptr<Tools> tools;
  toolkit::Registry registry;                       // of `tools`, or given
  std::shared_ptr<const Settings> models_settings;  // that `models` refers to
  std::unique_ptr<Models> models;
  std::shared_ptr<model::Model> given_model;  // in place of the main one
  bool has_given_tools = false;
  std::unique_ptr<SystemPrompt> system_prompt;
  std::unique_ptr<KnownServices> services;
  std::shared_ptr<const ServiceNames> known;  // the ones in `rules`
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<toolkit::Executor> executor;
  std::unique_ptr<gateway::Gateway> gateway;
  bool started = false;
  AutoConfirm auto_confirm = AutoConfirm::no;
  bool has_limits_of_a_person = true;  // not in a terminal

  Result<std::shared_ptr<const run::Rules>> new_rules(const Settings& read) const;
  Result<> make_gateway(std::vector<std::shared_ptr<channel::Channel>> channels, gateway::GatewayHooks hooks,
                        std::function<bool(const std::string& text)> admit_alert);
  std::unique_ptr<KnownServices> make_services();
  std::unique_ptr<SystemPrompt> make_system_prompt();
  void make_models();
  std::shared_ptr<model::Model> main_model() const { return given_model ? given_model : models->main(); }
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
  TRY(std::unique_ptr<Parts> parts, read(context, config::LoadMode::command));
  parts->auto_confirm = auto_confirm(context);
  parts->has_limits_of_a_person = false;
  TRY(parts->rules, parts->new_rules(*parts->settings));
  return finish(std::move(parts), std::move(reach));
}

Result<std::unique_ptr<Process>> Process::open_service(const Context& context, ServiceOptions options) {
  TRY(std::unique_ptr<Parts> parts, read(context, config::LoadMode::serve));
  TRY(std::vector<std::string> reach, options.reach(*parts->settings));
  if (auto_confirm(context) == AutoConfirm::yes) {
    return fail(ErrorKind::not_configured,
                fmt::format("{} is set: whoever writes to a channel could change things without a yes", kAutoConfirm),
                "unset it; it is for tests and CI");
  }
  if (options.adjust) {
    auto adjusted = std::make_shared<Settings>(*parts->settings);
    options.adjust(*adjusted);
    parts->settings = std::move(adjusted);
  }
  TRY(parts->rules, parts->new_rules(*parts->settings));
  parts->given_model = std::move(options.model);
  if (!options.tools.empty()) {
    parts->has_given_tools = true;
    parts->registry = {};
    for (std::shared_ptr<const toolkit::Tool>& tool : options.tools) {
      TRY(parts->registry.add(std::move(tool)));
    }
  }
  return finish(std::move(parts), std::move(reach));
}

Result<std::shared_ptr<const run::Rules>> Process::Parts::new_rules(const Settings& read) const {
  TRY(std::shared_ptr<const run::Rules> made, make_rules(read, auto_confirm));
  return has_limits_of_a_person ? std::move(made) : without_limits_of_a_person(*made);
}

Result<std::unique_ptr<Process::Parts>> Process::read(const Context& context, config::LoadMode mode) {
  auto made = std::make_unique<Parts>();
  TRY(ReadSettings read, sound_settings(context, made->clock, made->loop.get_executor(), mode));
  made->settings = std::make_shared<const Settings>(std::move(read.loaded.settings));
  made->report = std::move(static_cast<config::LoadReport&>(read.loaded));
  made->own = std::move(read.own);
  made->accounts = std::move(read.accounts);
  made->tools = std::move(read.tools);
  made->registry = made->tools->registry();
  return made;
}

Result<std::unique_ptr<Process>> Process::finish(std::unique_ptr<Parts> made, std::vector<std::string> reach) {
  Parts& parts = *made;
  const asio::any_io_executor loop = parts.loop.get_executor();
  parts.services = parts.make_services();
  parts.make_models();
  parts.system_prompt = parts.make_system_prompt();
  TRY(parts.store, store::SqliteStore::open(loop, parts.clock, {.folder = parts.own.data, .reach = std::move(reach)}));
  return std::unique_ptr<Process>(new Process(std::move(made)));
}

std::unique_ptr<KnownServices> Process::Parts::make_services() {
  return std::make_unique<KnownServices>(tools->services(), tools->logs().all(), clock, loop.get_executor());
}

void Process::Parts::make_models() {
  models = std::make_unique<Models>(settings->models, *accounts->http, *accounts->aws, clock, registry);
  models_settings = settings;
}

std::unique_ptr<SystemPrompt> Process::Parts::make_system_prompt() {
  auto fetch = [account = accounts->aws.get()](std::string address) {
    return account->read_s3(std::move(address), SystemPrompt::kMaxBytes);
  };
  return std::make_unique<SystemPrompt>(settings->models.system_prompt, clock, loop.get_executor(), std::move(fetch));
}

const Settings& Process::settings() const { return *parts_->settings; }
const config::LoadReport& Process::report() const { return parts_->report; }
const run::Rules& Process::rules() const { return *parts_->rules; }
store::Store& Process::store() { return *parts_->store; }
const Clock& Process::clock() const { return parts_->clock; }
const toolkit::Registry& Process::registry() const { return parts_->registry; }
const Tools& Process::tools() const { return *parts_->tools; }
const std::filesystem::path& Process::data() const { return parts_->own.data; }
Models& Process::models() { return *parts_->models; }
SystemPrompt& Process::system_prompt() { return *parts_->system_prompt; }
Accounts& Process::accounts() { return *parts_->accounts; }
const OwnFolders& Process::own() const { return parts_->own; }
asio::any_io_executor Process::executor() { return parts_->loop.get_executor(); }
gateway::Requests& Process::requests() { return parts_->gateway->requests(); }
gateway::Gateway& Process::gateway() { return *parts_->gateway; }

Result<> Process::compose(std::vector<std::shared_ptr<channel::Channel>> channels) {
  return compose(std::move(channels), {}, {});
}

Result<> Process::compose(std::vector<std::shared_ptr<channel::Channel>> channels, gateway::GatewayHooks hooks,
                          std::function<bool(const std::string& text)> admit_alert) {
  TRY(parts_->make_gateway(std::move(channels), std::move(hooks), std::move(admit_alert)));
  parts_->services->begin();
  parts_->load("the system prompt", parts_->system_prompt->load());
  return {};
}

Result<> Process::compose_requests() { return parts_->make_gateway({}, {}, {}); }

Result<> Process::Parts::make_gateway(std::vector<std::shared_ptr<channel::Channel>> channels,
                                      gateway::GatewayHooks hooks,
                                      std::function<bool(const std::string& text)> admit_alert) {
  TRY(const Secret secret, redaction_secret(own.data));
  executor = std::make_unique<toolkit::Executor>(clock);
  gateway::Channels all;
  for (std::shared_ptr<channel::Channel>& channel : channels) all.add(std::move(channel));
  gateway::DeliverySettings deliveries;
  deliveries.admit_alert = std::move(admit_alert);
  gateway = std::make_unique<gateway::Gateway>(
      gateway::GatewaySetup{*store, clock, registry, *executor, [this] { return current_rules(); },
                            [this] { return main_model(); }, run::Redaction(std::string(secret.reveal())),
                            std::move(all), std::move(deliveries), store::retention_of(settings->retention),
                            [this] { return given_model ? nullptr : models->fast(); }, gateway::WorkSignSettings{},
                            std::move(hooks)},
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

Task<std::vector<std::string>> Process::take(std::shared_ptr<const Settings> settings,
                                             std::vector<std::string> changed) {
  Parts& parts = *parts_;
  std::vector<std::string> need_restart = need_a_restart(changed);
  const auto touched = [&](std::string_view part) { return config::touches(changed, part); };
  const bool tools_changed =
      touched("services") || touched("environments") ||
      std::ranges::any_of(changed, [&](const std::string& path) { return is_read_by_tools(path, parts.registry); });
  const bool can_make_tools = parts.retired.size() < kMaxRetired && !parts.has_given_tools;
  if (tools_changed && !can_make_tools) need_restart.emplace_back("tools");
  // Checked when they were read, so it does not fail.
  Result<std::shared_ptr<const run::Rules>> made = parts.new_rules(*settings);
  if (!made) {
    log::error("settings were not taken", {{"why", describe(made.error())}});
    co_return changed;
  }
  auto rules = std::make_shared<run::Rules>(**made);
  rules->system_prompt = parts.rules->system_prompt;
  rules->services = parts.rules->services;
  parts.rules = std::move(rules);
  const bool makes_tools = tools_changed && can_make_tools;
  if (makes_tools) {
    parts.retired.push_back(std::move(parts.tools));
    parts.tools =
        std::make_unique<Tools>(*settings, parts.own, *parts.accounts, parts.clock, parts.loop.get_executor());
    parts.registry = parts.tools->registry();
  }
  parts.settings = std::move(settings);
  if (touched("models")) parts.make_models();
  parts.gateway->set_retention(store::retention_of(parts.settings->retention));
  apply(parts.settings->log);
  // These are read first, so that a run never starts without them.
  if (touched("models.system_prompt")) {
    std::unique_ptr<SystemPrompt> prompt = parts.make_system_prompt();
    co_await prompt->load();
    parts.system_prompt = std::move(prompt);
  }
  if (makes_tools) {
    std::unique_ptr<KnownServices> services = parts.make_services();
    co_await services->known();
    parts.services = std::move(services);
  }
  co_return need_restart;
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
  for (const int signal : {SIGINT, SIGTERM}) restart_interrupted_calls(signal);
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

void Process::stop(std::chrono::milliseconds grace) {
  if (!parts_->started) return;
  parts_->started = false;
  bool stopped = false;
  asio::co_spawn(parts_->loop, parts_->gateway->stop(grace), [&](const std::exception_ptr& thrown) {
    if (thrown) log::error("the engine did not stop cleanly", {{"why", what_of(thrown)}});
    stopped = true;
  });
  parts_->run_until(stopped);
}

Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings, AutoConfirm auto_confirm) {
  auto rules = std::make_shared<run::Rules>();
  TRY(rules->policy, policy::Policy::make(settings.for_policy()));
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

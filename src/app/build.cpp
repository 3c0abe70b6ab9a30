#include "app/build.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>

#include "app/network.h"
#include "app/redaction_secret.h"
#include "app/rules.h"
#include "app/tools.h"
#include "base/log.h"
#include "base/text.h"

namespace deputy::app {

namespace {

constexpr std::string_view kAutoConfirm = "DEPUTY_AUTO_CONFIRM";

AutoConfirm auto_confirm(const Context& context) {
  const std::string* variable = config::find_variable(context.outside.environment, kAutoConfirm);
  const std::string word = variable == nullptr ? "" : to_lower(*variable);
  const bool is_on = word == "1" || word == "true" || word == "yes" || word == "on";
  const bool is_off = word.empty() || word == "0" || word == "false" || word == "no" || word == "off";
  if (is_on) {
    context.outside.errors << "notice: " << kAutoConfirm << " is set: nothing asks before it changes something\n";
  } else if (!is_off) {
    context.outside.errors << "notice: " << kAutoConfirm << " is neither on nor off, so it is off: write 1 or 0\n";
  }
  return is_on ? AutoConfirm::yes : AutoConfirm::no;
}

// They keep the people of a network channel from each other's way; a terminal has only one.
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

Result<std::unique_ptr<Process>> Process::open(const Context& context, std::vector<std::string> reach) {
  TRY(SoundSettings sound, sound_settings(context));
  std::unique_ptr<Process> process(new Process(std::move(sound.settings)));
  TRY(const std::shared_ptr<const run::Rules> rules, make_rules(process->settings_, auto_confirm(context)));
  process->rules_ = without_limits_of_a_person(*rules);
  process->data_ = sound.own.data;
  process->tools_ =
      std::make_unique<Tools>(process->settings_, sound.own, process->clock_, process->loop_.get_executor());
  process->services_ = std::make_unique<KnownServices>(process->tools_->services(), process->tools_->logs(),
                                                       process->clock_, process->loop_.get_executor());
  process->http_ =
      std::make_unique<net::Client>(process->loop_.get_executor(), client_options(process->settings_.network));
  process->aws_ = std::make_unique<Aws>(process->settings_.aws, context.outside.environment, *process->http_,
                                        process->clock_, process->loop_.get_executor());
  process->models_ = std::make_unique<Models>(process->settings_.models, *process->http_, *process->aws_,
                                              process->clock_, process->tools_->registry());
  auto fetch = [aws = process->aws_.get()](std::string address) {
    return aws->read_s3(std::move(address), SystemPrompt::kMostBytes);
  };
  process->system_prompt_ = std::make_unique<SystemPrompt>(process->settings_.models.system_prompt, process->clock_,
                                                           process->loop_.get_executor(), std::move(fetch));
  TRY(process->store_, store::SqliteStore::open(process->loop_.get_executor(), process->clock_,
                                                {.folder = process->data_, .reach = std::move(reach)}));
  return process;
}

Process::~Process() { stop(); }

Result<> Process::compose(std::vector<std::shared_ptr<channel::Channel>> channels, run::Watcher* watcher) {
  TRY(const Secret secret, redaction_secret(data_));
  services_->begin();
  load("the system prompt", system_prompt_->load());
  executor_ = std::make_unique<toolkit::Executor>(clock_);
  gateway::Channels all;
  for (std::shared_ptr<channel::Channel>& channel : channels) all.add(std::move(channel));
  gateway_ = std::make_unique<gateway::Gateway>(
      gateway::GatewaySetup{*store_, clock_, tools_->registry(), *executor_, [this] { return current_rules(); },
                            [this] { return models_->main(); }, run::Redaction(std::string(secret.reveal())),
                            std::move(all), gateway::DeliverySettings{}, watcher,
                            store::retention_of(settings_.retention), [this] { return models_->fast(); }},
      loop_.get_executor());
  return {};
}

void Process::load(std::string_view what, Task<> task) {
  bool loaded = false;
  asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& thrown) {
    if (thrown) log::error("not loaded at start", {{"what", std::string(what)}, {"why", what_of(thrown)}});
    loaded = true;
  });
  run_until(loaded);
}

std::shared_ptr<const run::Rules> Process::current_rules() {
  const std::shared_ptr<const std::string> prompt = system_prompt_->text();
  std::shared_ptr<const ServiceNames> known = services_->names();
  if (*prompt != rules_->system_prompt || known != known_) {
    auto rules = std::make_shared<run::Rules>(*rules_);
    rules->system_prompt = *prompt;
    rules->services = *known;
    rules_ = std::move(rules);
    known_ = std::move(known);
  }
  return rules_;
}

void Process::start() {
  gateway_->start();
  started_ = true;
}

void Process::be_session(Asking asking) {
  auto rules = std::make_shared<run::Rules>(*rules_);
  rules->in_session = true;
  rules->stop_asking = asking == Asking::off;
  rules_ = std::move(rules);
}

void Process::run_until_cancelled(const bool& ended, Cancel& cancel) {
  // While this stands a signal is ours; after it, the first one ends the process.
  asio::signal_set signals(loop_, SIGINT, SIGTERM);
  // One that came just as the task ended is heard later, when nothing of this stands any more.
  const auto stands = std::make_shared<bool>(true);
  signals.async_wait([&, stands](const boost::system::error_code& error, int) {
    if (error || !*stands) return;
    cancel.emit();
    signals.clear();
  });
  run_until(ended);
  *stands = false;
}

void Process::run_until(const bool& ended) {
  const auto guard = asio::make_work_guard(loop_);
  loop_.restart();
  while (!ended) loop_.run_one();
}

void Process::stop() {
  if (!started_) return;
  started_ = false;
  bool stopped = false;
  asio::co_spawn(loop_, gateway_->stop(), [&](const std::exception_ptr& thrown) {
    if (thrown) log::error("the engine did not stop in order", {{"why", what_of(thrown)}});
    stopped = true;
  });
  run_until(stopped);
}

}  // namespace deputy::app

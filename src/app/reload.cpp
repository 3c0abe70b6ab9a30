#include "app/reload.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>

#include "app/context.h"
#include "app/tools.h"
#include "base/log.h"
#include "base/text.h"
#include "config/reference.h"

namespace deputy::app {

namespace {

const observe::MetricName kReloads{"deputy_settings_reloads_total", "Changed settings files, by what came of them"};

// Called on a worker, so it makes tools of its own, on a loop that never runs, only to know their names.
config::Check<Settings> check_against_tools(OwnFolders own, std::vector<std::string> kinds) {
  return [own = std::move(own), kinds = std::move(kinds)](const Settings& settings,
                                                          const std::vector<config::ReadFile>&, FieldReader& reader) {
    const SystemClock clock;
    asio::io_context never_run;
    const Settings usable = reader.clean() ? settings : Settings{};
    Accounts accounts(usable, {}, clock, never_run.get_executor());
    const Tools tools(usable, own, accounts, clock, never_run.get_executor());
    check(settings, tools.registry(), kinds, reader);
  };
}

}  // namespace

Reload::Reload(ReloadSetup setup)
    : setup_(std::move(setup)),
      workers_("settings", {}),
      live_(
          workers_, setup_.sources, {setup_.process.report(), setup_.process.settings()},
          [this](const std::vector<config::LocatedProblem>& problems) { refuse(problems); },
          check_against_tools(setup_.process.own(), setup_.channel_kinds)) {
  live_.subscribe([this](const config::Change<Settings>& change) { changes_.push_back(change); });
}

Task<> Reload::run(std::chrono::milliseconds interval) {
  for (;;) {
    co_await sleep_for(interval);
    co_await live_.poll();
    while (!changes_.empty()) {
      config::Change<Settings> change = std::move(changes_.front());
      changes_.pop_front();
      co_await take(std::move(change));
    }
  }
}

Task<> Reload::take(config::Change<Settings> change) {
  log::info("settings changed", {{"paths", join(change.paths, " ")}});
  std::vector<std::string> need_restart = co_await setup_.process.take(change.after, change.paths);
  for (const std::string& path : setup_.fixed) {
    if (config::touches(change.paths, path)) need_restart.push_back(path);
  }
  setup_.metrics.add(kReloads, {{"result", "taken"}});
  setup_.taken();
  if (need_restart.empty()) co_return;
  setup_.alerts.raise("settings need a restart",
                      fmt::format("Settings have changed that count only after a restart: `{}`. All others count now.",
                                  join(need_restart, "`, `")));
}

void Reload::refuse(const std::vector<config::LocatedProblem>& problems) {
  setup_.metrics.add(kReloads, {{"result", "refused"}});
  const std::string first = config::describe(problems.front());
  const std::size_t more = problems.size() - 1;
  setup_.alerts.raise(
      "settings: " + observe::cause_of(first),
      fmt::format("The changed settings cannot be used, so the old ones stay: {}{}. `deputy config check` shows all.",
                  first, more == 0 ? "" : fmt::format(" (and {} more)", more)));
}

}  // namespace deputy::app

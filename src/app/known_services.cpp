#include "app/known_services.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/log.h"
#include "config/files.h"
#include "config/yaml.h"
#include "tools/pipelines/pipeline_tools.h"

namespace deputy::app {

namespace {

constexpr std::chrono::seconds kMaxLook{30};  // through the folders of the logs

bool same(const ServiceNames& a, const ServiceNames& b) {
  const auto equal = [](const intent::KnownService& one, const intent::KnownService& other) {
    return one.key == other.key && one.full_name == other.full_name && one.aliases == other.aliases;
  };
  return std::ranges::equal(a, b, equal);
}

}  // namespace

ServiceNames join_services(const std::vector<tools::Service>& registered, const std::vector<std::string>& logged) {
  ServiceNames names;
  std::set<std::string> taken;
  for (const tools::Service& service : registered) {
    names.push_back({service.key, service.full_name, service.aliases});
    // Tools that take a repository or a service see one spelling of it.
    if (!service.repo.empty()) names.back().aliases.push_back(tools::pipelines::repository_name(service.repo));
    taken.insert(tools::plain_name(service.key));
    taken.insert(tools::plain_name(service.full_name));
    for (const std::string& alias : service.aliases) taken.insert(tools::plain_name(alias));
  }
  for (const std::string& name : logged) {
    if (taken.insert(tools::plain_name(name)).second) names.push_back({name, "", {}});
  }
  return names;
}

struct KnownServices::Sources {
  std::shared_ptr<tools::ServicesRegistry> registry;
  std::vector<std::shared_ptr<tools::LogBackend>> logs;
  std::vector<tools::Service> registered;                  // the last good ones
  std::map<std::string, std::vector<std::string>> logged;  // by backend
  std::shared_ptr<const ServiceNames> names = std::make_shared<const ServiceNames>();

  void settle() {
    std::vector<std::string> all_logged;
    for (const auto& [backend, services] : logged)
      all_logged.insert(all_logged.end(), services.begin(), services.end());
    ServiceNames joined = join_services(registered, all_logged);
    if (!same(joined, *names)) names = std::make_shared<const ServiceNames>(std::move(joined));
  }

  Task<> read_registry() {
    if (!registry->configured()) co_return;
    const auto list = co_await registry->current();
    if (list) registered = (*list)->services();
    if (!list) log::warning("the services could not be read", {{"why", describe(list.error())}});
  }

  Task<> read_logs(std::shared_ptr<tools::LogBackend> backend) {
    const std::string name(backend->name());
    Result<std::vector<std::string>> found = co_await backend->services(kMaxLook);
    if (!found) {
      log::warning("the services with logs could not be listed", {{"backend", name}, {"why", describe(found.error())}});
      co_return;
    }
    logged[name] = *std::move(found);
  }

  static Task<> read(std::shared_ptr<Sources> sources) {
    co_await sources->read_registry();
    sources->settle();
    for (const auto& backend : sources->logs) {
      co_await sources->read_logs(backend);
      sources->settle();
    }
  }

  /// Empty if there is nothing to read.
  static BackgroundRefresh::Read reader(const std::shared_ptr<Sources>& sources) {
    if (!sources->registry->configured() && sources->logs.empty()) return {};
    return [sources] { return read(sources); };
  }
};

KnownServices::KnownServices(std::shared_ptr<tools::ServicesRegistry> registry,
                             std::vector<std::shared_ptr<tools::LogBackend>> logs, const Clock& clock,
                             asio::any_io_executor loop)
    : sources_(std::make_shared<Sources>(std::move(registry), std::move(logs))),
      behind_("known services", {kMaxLoad, tools::kServicesTtl}, clock, std::move(loop), Sources::reader(sources_)) {}

std::shared_ptr<const ServiceNames> KnownServices::names() {
  behind_.look();
  return sources_->names;
}

Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file) {
  TRY(const config::FileContent content, config::read_bounded(file, config::kLargestFile));
  return parse_services(content.text, file.string(), file.parent_path());
}

Result<std::vector<tools::Service>> parse_services(std::string_view text, const std::string& name,
                                                   const std::filesystem::path& folder) {
  const auto source = std::make_shared<const config::Source>(
      config::Source{.kind = config::SourceKind::file, .name = name, .folder = folder});
  const config::ParsedFile parsed = config::parse_yaml(text, source);
  if (!parsed.problems.empty()) {
    const config::LocatedProblem& first = parsed.problems.front();
    return fail(ErrorKind::invalid_input, describe(first), first.hint);
  }
  return tools::services_from(parsed.document.root);
}

}  // namespace deputy::app

#include "app/known_services.h"

#include <algorithm>
#include <set>

#include "base/log.h"
#include "config/files.h"
#include "config/yaml.h"

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
  std::shared_ptr<tools::LogBackend> logs;
  std::vector<tools::Service> registered;  // the last good ones
  std::vector<std::string> logged;
  std::shared_ptr<const ServiceNames> names = std::make_shared<const ServiceNames>();

  void settle() {
    ServiceNames joined = join_services(registered, logged);
    if (!same(joined, *names)) names = std::make_shared<const ServiceNames>(std::move(joined));
  }

  Task<> read_registry() {
    if (!registry->configured()) co_return;
    const auto list = co_await registry->current();
    if (list) registered = (*list)->services();
    if (!list) log::warning("the services file could not be read", {{"why", describe(list.error())}});
  }

  Task<> read_logs() {
    if (!logs) co_return;
    Result<std::vector<std::string>> found = co_await logs->services(kMaxLook);
    if (!found) {
      log::warning("the services with logs could not be listed", {{"why", describe(found.error())}});
      co_return;
    }
    logged = *std::move(found);
  }

  static Task<> read(std::shared_ptr<Sources> sources) {
    co_await sources->read_registry();
    sources->settle();
    co_await sources->read_logs();
    sources->settle();
  }

  /// Empty if there is nothing to read.
  static BackgroundRefresh::Read reader(const std::shared_ptr<Sources>& sources) {
    if (!sources->registry->configured() && !sources->logs) return {};
    return [sources] { return read(sources); };
  }
};

KnownServices::KnownServices(std::shared_ptr<tools::ServicesRegistry> registry, std::shared_ptr<tools::LogBackend> logs,
                             const Clock& clock, asio::any_io_executor loop)
    : sources_(std::make_shared<Sources>(std::move(registry), std::move(logs))),
      behind_("known services", {kMaxLoad, tools::kServicesTtl}, clock, std::move(loop), Sources::reader(sources_)) {}

std::shared_ptr<const ServiceNames> KnownServices::names() {
  behind_.look();
  return sources_->names;
}

Result<std::vector<tools::Service>> read_services(const std::filesystem::path& file) {
  TRY(const config::FileContent content, config::read_bounded(file, config::kLargestFile));
  const auto source = std::make_shared<const config::Source>(
      config::Source{.kind = config::SourceKind::file, .name = file.string(), .folder = file.parent_path()});
  const config::ParsedFile parsed = config::parse_yaml(content.text, source);
  if (!parsed.problems.empty()) {
    const config::LocatedProblem& first = parsed.problems.front();
    return fail(ErrorKind::invalid_input, describe(first), first.hint);
  }
  return tools::services_from(parsed.document.root);
}

}  // namespace deputy::app

#include "app/known_services.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <optional>
#include <set>

#include "base/log.h"

namespace deputy::app {

namespace {

constexpr std::chrono::seconds kLongestLook{30};  // through the folders of the logs

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
  std::optional<Timestamp> read_at;
  bool reading = false;

  bool has_any() const { return registry->configured() || logs; }

  void settle() {
    ServiceNames joined = join_services(registered, logged);
    if (!same(joined, *names)) names = std::make_shared<const ServiceNames>(std::move(joined));
  }

  Task<> read_registry() {
    if (!registry->configured()) co_return;
    const auto list = co_await registry->current();
    if (list) registered = (*list)->services();
    if (!list) log::warning("services are not known by name", {{"why", describe(list.error())}});
  }

  Task<> read_logs() {
    if (!logs) co_return;
    Result<std::vector<std::string>> found = co_await logs->services(kLongestLook);
    if (!found) {
      log::warning("services that have logs are not known by name", {{"why", describe(found.error())}});
      co_return;
    }
    logged = *std::move(found);
  }

  /// Wakes who waits for the first.
  static Task<> refresh(std::shared_ptr<Sources> sources, std::shared_ptr<asio::steady_timer> waiting) {
    struct Ended {
      Sources& sources;
      ~Ended() { sources.reading = false; }
    };
    const Ended ended{*sources};
    co_await sources->read_registry();
    sources->settle();
    co_await sources->read_logs();
    sources->settle();
    if (waiting) waiting->expires_at(asio::steady_timer::time_point::min());
  }
};

KnownServices::KnownServices(std::shared_ptr<tools::ServicesRegistry> registry, std::shared_ptr<tools::LogBackend> logs,
                             const Clock& clock, asio::any_io_executor loop)
    : clock_(clock), loop_(std::move(loop)), sources_(std::make_shared<Sources>()) {
  sources_->registry = std::move(registry);
  sources_->logs = std::move(logs);
}

void KnownServices::begin() {
  if (!sources_->has_any() || first_) return;
  first_ = std::make_shared<asio::steady_timer>(loop_, kLongestLoad);
  read(first_);
}

Task<> KnownServices::known() {
  begin();
  const std::shared_ptr<asio::steady_timer> first = first_;
  if (first) co_await first->async_wait(asio::as_tuple(asio::use_awaitable));
}

std::shared_ptr<const ServiceNames> KnownServices::names() {
  const std::optional<Timestamp> read_at = sources_->read_at;
  const bool is_old = !read_at || clock_.now() - *read_at >= tools::kServicesTtl;
  if (sources_->has_any() && is_old && !sources_->reading) read(nullptr);
  return sources_->names;
}

void KnownServices::read(std::shared_ptr<asio::steady_timer> waiting) {
  sources_->reading = true;
  sources_->read_at = clock_.now();
  spawn(loop_, "known services", Sources::refresh(sources_, std::move(waiting)));
}

}  // namespace deputy::app

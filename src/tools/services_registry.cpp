#include "tools/services_registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "base/workers.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxRegistered = 5000;
constexpr std::size_t kMaxNamed = 30;  // in an error

std::vector<std::string> names_of(const Service& service) {
  std::vector<std::string> names{service.key};
  names.insert(names.end(), service.aliases.begin(), service.aliases.end());
  if (!service.full_name.empty()) names.push_back(service.full_name);
  return names;
}

/// If two services shared a name, a question could reach the wrong one.
void check_names(const std::vector<Service>& services, FieldReader& reader) {
  std::map<std::string, std::string> taken;  // name to key
  for (const Service& service : services) {
    const FieldReader::Deeper inside(reader, service.key);
    for (const std::string& name : names_of(service)) {
      const auto [at, is_new] = taken.emplace(plain_name(name), service.key);
      if (is_new || at->second == service.key) continue;
      reader.problem(
          fmt::format("`{}` is already a name of the service `{}`", cut_with_mark(name, kMaxName), at->second),
          "give each name to one service only");
    }
  }
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain = to_lower(trim(name));
  std::ranges::replace_if(plain, [](char c) { return c == '_' || c == ' '; }, '-');
  return plain;
}

Result<std::vector<Service>> services_from(const json::object& document) {
  if (document.size() > kMaxRegistered) {
    return fail(ErrorKind::invalid_input, fmt::format("there are more than {} services", kMaxRegistered));
  }
  FieldReader reader(FieldReader::Scalars::text, "key");
  std::vector<Service> services;
  for (const auto& entry : document) {
    Service service;
    const FieldReader::Deeper inside(reader, as_view(entry.key()));
    if (const json::object* described = entry.value().if_object()) {
      FieldCodec<Service>::read_object(*described, service, reader);
    } else if (!entry.value().is_null()) {
      reader.problem("it must be an object of keys and values",
                     "write `" + std::string(as_view(entry.key())) + ": {}`");
    }
    service.key = as_view(entry.key());
    if (trim(service.key).empty()) reader.problem("the key of a service is empty");
    services.push_back(std::move(service));
  }
  if (reader.clean()) check_names(services, reader);
  if (!reader.clean()) return std::unexpected(as_error(reader.take_problems()));
  return services;
}

ServiceList::ServiceList(std::vector<Service> services) : services_(std::move(services)) {
  std::ranges::sort(services_, {}, &Service::key);
  for (std::size_t at = 0; at < services_.size(); ++at) by_name_.emplace(plain_name(services_[at].key), at);
  for (std::size_t at = 0; at < services_.size(); ++at) {
    for (const std::string& name : names_of(services_[at])) by_name_.emplace(plain_name(name), at);
  }
}

const Service* ServiceList::find(std::string_view name) const {
  const auto found = by_name_.find(plain_name(name));
  return found == by_name_.end() ? nullptr : &services_[found->second];
}

Result<const Service*> ServiceList::find_or_suggest(std::string_view name) const {
  if (const Service* found = find(name)) return found;
  std::vector<std::string> keys;
  keys.reserve(services_.size());
  for (const Service& service : services_) keys.push_back(service.key);
  Error error = no_such_service(name, keys);
  std::vector<std::string> names;
  names.reserve(by_name_.size());
  for (const auto& [known, at] : by_name_) names.push_back(known);
  // The nearest name may be an alias; always suggest the key.
  if (const std::string_view near = nearest(plain_name(name), names); !near.empty()) {
    error.message = fmt::format("there is no service `{}`; did you mean `{}`?", cut_with_mark(name, kMaxName),
                                services_[by_name_.find(near)->second].key);
  }
  return std::unexpected(std::move(error));
}

Error no_such_service(std::string_view name, const std::vector<std::string>& known) {
  std::string message = fmt::format("there is no service `{}`", cut_with_mark(name, kMaxName));
  if (const std::string_view near = nearest(plain_name(name), known); !near.empty()) {
    message += fmt::format("; did you mean `{}`?", near);
  }
  std::string hint;
  if (!known.empty()) {
    const std::size_t shown = std::min(known.size(), kMaxNamed);
    hint = "known services: " + list_names(std::span(known).first(shown));
    if (shown < known.size()) hint += fmt::format(" and {} more", known.size() - shown);
  }
  return {ErrorKind::not_found, std::move(message), std::move(hint)};
}

struct ServicesRegistry::Source {
  Load load;
  AsyncLoad async;                  // in place of `load`
  Workers workers{"services", {}};  // its own, so that a file that hangs does not block the threads of others
  std::shared_ptr<const ServiceList> last_good;
  Error why_none{ErrorKind::internal, "the services registry could not be loaded"};
  std::optional<Timestamp> tried;
  std::chrono::milliseconds pause{};          // from `tried` until the next try
  std::weak_ptr<asio::steady_timer> loading;  // set while a load runs, which cancels the timer when it ends

  bool is_due(Timestamp now) const { return !tried || now < *tried || now - *tried >= pause; }

  static void begin(const std::shared_ptr<Source>& source, const asio::any_io_executor& executor, Timestamp now) {
    source->tried = now;
    source->pause = kServicesRetry;
    auto waiting = std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
    source->loading = waiting;
    spawn(executor, "services registry", refresh(source, std::move(waiting)));
  }

  void keep(Result<std::vector<Service>> loaded) {
    if (loaded) {
      last_good = std::make_shared<const ServiceList>(*std::move(loaded));
      pause = kServicesTtl;
      return;
    }
    if (last_good) {
      log::warning("the services registry could not be loaded; using the last good one",
                   {{"error", describe(loaded.error())}});
    }
    why_none = std::move(loaded).error();
  }

  /// Runs as a task of its own, so that a caller that is cancelled does not stop the load for the others.
  static Task<> refresh(std::shared_ptr<Source> source, std::shared_ptr<asio::steady_timer> waiting) {
    struct Ended {
      Source& source;
      asio::steady_timer& waiting;
      ~Ended() {
        source.loading.reset();
        waiting.cancel();
      }
    };
    const Ended ended{*source, *waiting};
    if (source->async.read) {
      source->keep(co_await with_timeout(kServicesLoadLimit, source->async.read()));
      co_return;
    }
    std::move_only_function<Result<std::vector<Service>>(std::stop_token)> job =
        [load = source->load](const std::stop_token&) { return load(); };
    Result<std::vector<Service>> loaded =
        co_await on_worker<std::vector<Service>>(source->workers, kServicesLoadLimit, std::move(job));
    source->keep(std::move(loaded));
  }
};

ServicesRegistry::ServicesRegistry(Load load, const Clock& clock) : clock_(clock), source_(std::make_shared<Source>()) {
  source_->load = std::move(load);
}

ServicesRegistry::ServicesRegistry(AsyncLoad load, const Clock& clock)
    : clock_(clock), source_(std::make_shared<Source>()) {
  source_->async = std::move(load);
}

bool ServicesRegistry::configured() const { return source_->load || source_->async.read; }

Task<Result<std::shared_ptr<const ServiceList>>> ServicesRegistry::current() {
  if (!configured()) {
    co_return fail(ErrorKind::not_configured, "no services registry is configured",
                   "set services.file to a YAML or JSON file of services, or services.s3 to an S3 object");
  }
  const std::shared_ptr<Source> source = source_;
  const auto executor = co_await asio::this_coro::executor;
  const Timestamp now = clock_.now();
  if (source->loading.expired() && source->is_due(now)) Source::begin(source, executor, now);
  if (const std::shared_ptr<asio::steady_timer> loading = source->loading.lock()) {
    co_await loading->async_wait(asio::as_tuple(asio::use_awaitable));
    const asio::cancellation_state cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) co_return std::unexpected(cancelled_error());
  }
  if (!source->last_good) co_return std::unexpected(source->why_none);
  co_return source->last_good;
}

}  // namespace deputy::tools

// The services that people talk about, each with its other names and what is known about it. All families of tools
// share one registry. It knows nothing of files or buckets: a loader function gives it plain structs.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "base/task.h"

namespace deputy::tools {

struct Service {
  std::string key;  // the key of its entry in the document, not a field
  std::string full_name;
  std::string type;
  std::vector<std::string> aliases;
  std::vector<std::string> tech_stack;
  std::string description;
  std::string repo;
  std::map<std::string, std::string> backends;  // by family, such as logs: loki

  bool operator==(const Service&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using S = Service;
    f.optional(&S::full_name, "full_name", "What it is called in full").characters(0, 200);
    f.optional(&S::type, "type", "What kind of service it is, such as api or worker").characters(0, 100);
    f.optional(&S::aliases, "aliases", "Other names people use for it").items(0, 50).characters(1, 100);
    f.optional(&S::tech_stack, "tech_stack", "What it is built with").items(0, 50).characters(1, 100);
    f.optional(&S::description, "description", "What it does, in a sentence or two").characters(0, 2000);
    f.optional(&S::repo, "repo", "Its repository").characters(0, 200);
    f.optional(&S::backends, "backends",
               "Where its data is, by family, if not in the family's own backend, such as {logs: loki}");
  }
};

/// Reads a document `{key: {full_name, type, aliases, tech_stack, description, repo, backends}}` whose scalars are
/// text, as the settings engine gives them. The error lists every problem; a name that two services share is a problem.
Result<std::vector<Service>> services_from(const json::object& document);

/// A list of services that never changes. Names are compared ignoring case; `_`, space and `-` count as the same.
class ServiceList {
 public:
  explicit ServiceList(std::vector<Service> services = {});

  const std::vector<Service>& services() const { return services_; }  // sorted by key
  /// Finds a service by key, alias or full name; null if there is none.
  const Service* find(std::string_view name) const;
  /// The same, but with an error of kind not_found that suggests the nearest name and lists the known ones.
  Result<const Service*> find_or_suggest(std::string_view name) const;

 private:
  std::vector<Service> services_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

/// The form in which names are compared: lower case, with `-` for `_` and space.
std::string plain_name(std::string_view name);

/// "there is no service `chekout`; did you mean `checkout`?", with the known services as the hint.
Error no_such_service(std::string_view name, const std::vector<std::string>& known);

/// Keeps the list fresh: loads it again when it is older than kServicesTtl and keeps the last good list if that fails.
/// A failed load is retried after kServicesRetry. Use it on the loop only. The loader may block: it runs on the
/// registry's own thread, one load at a time, and callers wait for a load that is running.
class ServicesRegistry {
 public:
  using Load = std::function<Result<std::vector<Service>>()>;
  /// The same as a task, which ends when it is cancelled.
  struct AsyncLoad {
    std::function<Task<Result<std::vector<Service>>>()> read;
  };

  /// `clock` outlives it. An empty `load` means that no registry is configured.
  ServicesRegistry(Load load, const Clock& clock);
  ServicesRegistry(AsyncLoad load, const Clock& clock);

  bool configured() const;

  /// The current list. An error only if no load has ever succeeded, or if the caller is cancelled.
  Task<Result<std::shared_ptr<const ServiceList>>> current();

 private:
  struct Source;  // shared with a running load, which may end after this object is gone

  const Clock& clock_;
  std::shared_ptr<Source> source_;
};

inline constexpr std::chrono::minutes kServicesTtl{5};
inline constexpr std::chrono::seconds kServicesLoadLimit{10};
inline constexpr std::chrono::seconds kServicesRetry{30};

}  // namespace deputy::tools

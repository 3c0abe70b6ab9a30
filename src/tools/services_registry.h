// The services people speak of: each with its other names and what is known of it. Families of tools share one
// registry. It takes plain structs: where they come from, a file or a bucket, is the business of the loader it is
// given.
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
  std::string key;  // the key of its entry, not a field of it
  std::string full_name;
  std::string type;
  std::vector<std::string> aliases;
  std::vector<std::string> tech_stack;
  std::string description;
  std::string repo;

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
  }
};

/// A document `{key: {full_name, type, aliases, tech_stack, description, repo}}` whose scalars are text, as the
/// settings engine reads them. The error names every problem; a name that means two services is one.
Result<std::vector<Service>> services_from(const json::object& document);

/// An unchanging list of services with its names. Names are compared without regard to case, and `_`, space and `-`
/// alike.
class ServiceList {
 public:
  explicit ServiceList(std::vector<Service> services = {});

  const std::vector<Service>& services() const { return services_; }  // sorted by key
  /// By key, alias or full name; null when there is none.
  const Service* find(std::string_view name) const;
  /// The same, or an error of kind not_found that says what was probably meant and what there is.
  Result<const Service*> find_or_suggest(std::string_view name) const;

 private:
  std::vector<Service> services_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
};

/// One spelling for all that mean the same name.
std::string plain_name(std::string_view name);

/// "there is no service `chekout`; did you mean `checkout`?", and what there is as the hint.
Error no_such_service(std::string_view name, const std::vector<std::string>& known);

/// Keeps the list fresh: loads it anew once it is older than kServicesTtl, and keeps the last good one when that fails.
/// All of it belongs to the loop but the loader, which blocks and runs on a thread of the registry's own, one at a
/// time: whoever asks meanwhile waits for that load. A load that failed is tried again after kServicesRetry.
class ServicesRegistry {
 public:
  using Load = std::function<Result<std::vector<Service>>()>;

  /// `clock` outlives it. An empty `load` means that no registry is set.
  ServicesRegistry(Load load, const Clock& clock);

  bool configured() const;

  /// The list as it is now. An error only when there never was a good one, and when the caller is cancelled.
  Task<Result<std::shared_ptr<const ServiceList>>> current();

 private:
  struct Source;  // with a load that is under way, which may end after this is gone

  const Clock& clock_;
  std::shared_ptr<Source> source_;
};

inline constexpr std::chrono::minutes kServicesTtl{5};
inline constexpr std::chrono::seconds kServicesLoadLimit{10};
inline constexpr std::chrono::seconds kServicesRetry{30};

}  // namespace deputy::tools

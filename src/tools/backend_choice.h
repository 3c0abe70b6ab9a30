// Which of a family's backends a call uses, by one rule for all families: the one that the service's entry in the
// registry names, else the one that settings name for the family, else the only one that is set up. If several are set
// up and nothing says which, the call is refused with the choices.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "tools/services_registry.h"

namespace deputy::tools {

struct BackendChoice {
  std::string family;    // the key in a service's `backends`: "logs"
  std::string category;  // of its settings: "log_tools"
  std::string usual;     // tools.<category>.backend; empty: none is named
  std::string missing;   // what to set, if nothing is set up: "tools.alarm_tools.prometheus.url (PROMETHEUS_URL)"
};

/// A rule for a family's settings: `backend` is empty or names one of the family's backends.
void check_backend(const std::string& backend, const std::vector<std::string>& known, FieldReader& reader);

/// The name of the backend. `service` is null for a call that is about no service. Pure.
Result<std::string> choose_backend(const BackendChoice& choice, const std::vector<std::string>& set_up,
                                   const Service* service);

/// The backends of a family that are set up. `Backend` has a `name()`.
template <class Backend>
class Backends {
 public:
  explicit Backends(BackendChoice choice, std::vector<std::shared_ptr<Backend>> set_up = {})
      : choice_(std::move(choice)), set_up_(std::move(set_up)) {
    for (const auto& backend : set_up_) names_.emplace_back(backend->name());
  }

  /// Errors: not_configured, or invalid_input that lists the choices.
  Result<std::shared_ptr<Backend>> choose(const Service* service = nullptr) const {
    TRY(const std::string name, choose_backend(choice_, names_, service));
    return set_up_[static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin())];
  }

  const std::vector<std::shared_ptr<Backend>>& all() const { return set_up_; }
  /// For ToolSpec::missing: empty when one is set up.
  std::string missing() const { return set_up_.empty() ? choice_.missing : std::string(); }
  /// For ToolSpec::target: all of them, by name, as each describes where it reads from.
  json::object target() const {
    json::object targets;
    for (const auto& backend : set_up_) targets[std::string(backend->name())] = backend->target();
    if (!choice_.usual.empty()) targets["backend"] = choice_.usual;
    return targets;
  }

 private:
  BackendChoice choice_;
  std::vector<std::shared_ptr<Backend>> set_up_;
  std::vector<std::string> names_;
};

}  // namespace deputy::tools

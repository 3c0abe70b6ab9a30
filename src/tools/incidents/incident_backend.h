// The interface to where incidents and on-call duties are kept. A backend knows nothing of people's names in settings,
// of settings files and of models.
//
// To add one: a folder under tools/incidents/ that implements IncidentBackend, its settings in
// tools/incidents/settings.h, and its case in make_incident_backends.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"

namespace deputy::tools {

/// Texts are from outside and of any length.
struct Incident {
  std::string id;
  std::string number = {};  // as people say it; may be empty
  std::string title = {};
  std::string status = {};  // triggered, acknowledged or resolved
  std::string urgency = {};
  std::string service = {};
  std::string assigned_to = {};
  std::string acknowledged_by = {};
  std::optional<Timestamp> created = std::nullopt;
  std::optional<Timestamp> resolved = std::nullopt;
  std::string link = {};
};

struct FoundIncidents {
  std::vector<Incident> incidents;
  bool has_more = false;
};

/// Something that happened to an incident: an alert, a note, an entry of its log.
struct IncidentEvent {
  std::optional<Timestamp> at;
  std::string text;
};

struct IncidentEvents {
  std::vector<IncidentEvent> events;
  bool has_more = false;
};

struct IncidentDetails {
  Incident incident;
  IncidentEvents alerts, notes, log;
};

struct OnCall {
  std::string person;
  std::string schedule;  // empty: by the policy itself
  std::string policy;
  std::string policy_id;
  std::int64_t level = 0;
  std::optional<Timestamp> until = std::nullopt;  // none: always
};

struct FoundOnCalls {
  std::vector<OnCall> on_call;
  bool has_more = false;
};

/// A name of something that a policy stands behind, such as a service.
struct NamedPolicy {
  std::string name;
  std::string policy_id;
};

struct FoundPolicies {
  std::vector<NamedPolicy> policies;
  bool has_more = false;
};

class IncidentBackend {
 public:
  virtual ~IncidentBackend() = default;

  virtual std::string_view name() const = 0;
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;

  /// Those that are not resolved, newest first.
  virtual Task<Result<FoundIncidents>> active(std::chrono::milliseconds limit) = 0;
  /// Those that began since then, newest first.
  virtual Task<Result<FoundIncidents>> since(Timestamp from, Timestamp now, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<Incident>> find(std::string id, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<IncidentDetails>> details(std::string id, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<FoundOnCalls>> on_call(std::chrono::milliseconds limit) = 0;
  virtual Task<Result<FoundPolicies>> services(std::chrono::milliseconds limit) = 0;
  /// False: nothing can be acknowledged there.
  virtual bool writes() const { return true; }
  /// Sent once. `email` is that of the person who acknowledges.
  virtual Task<Result<Incident>> acknowledge(std::string id, std::string email, std::chrono::milliseconds limit) = 0;
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools

// The tools for incidents: what is open, what was, who is on call, and acknowledging.
//
// To add one: its parameters and a function that makes it in incident_tools.cpp, and its line in incident_tools().
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/workers.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/incidents/incident_backend.h"
#include "tools/incidents/settings.h"
#include "tools/services_registry.h"

namespace deputy::tools {

using IncidentBackends = Backends<IncidentBackend>;

/// Those that settings set up. Client, clock and workers outlive them.
IncidentBackends make_incident_backends(const IncidentToolsSettings& settings, net::HttpClient& http,
                                        const Clock& clock, Workers& workers);

struct IncidentToolParts {
  IncidentBackends backends;
  std::shared_ptr<ServicesRegistry> registry;                    // null: names are used as they are
  const Clock* clock = nullptr;                                  // outlives every call
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names, as in settings
};

std::vector<std::shared_ptr<const toolkit::Tool>> incident_tools(IncidentToolParts parts);

/// In acknowledge.cpp.
std::shared_ptr<const toolkit::Tool> pagerduty_acknowledge(const std::shared_ptr<const IncidentToolParts>& parts);

/// In investigate.cpp.
std::shared_ptr<const toolkit::Tool> pagerduty_investigate(const std::shared_ptr<const IncidentToolParts>& parts);

/// What the tools share: their spec, and the id as PagerDuty writes it, without a `#`.
toolkit::ToolSpec incident_tool_spec(const IncidentToolParts& parts, std::string name, std::string description);
Result<std::string> incident_id(std::string_view given);

struct IncidentParams {
  std::string incident_id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&IncidentParams::incident_id, "incident_id", "Id of the incident, such as PT4KHLK, or its number")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
  }
};

}  // namespace deputy::tools

// Incidents and on-call duties of PagerDuty, by its REST API v2.
#pragma once

#include <memory>

#include "clients/rest/pages.h"
#include "net/http.h"
#include "tools/incidents/incident_backend.h"
#include "tools/incidents/settings.h"

namespace deputy::tools::pagerduty {

/// Null if no token is set. Client and clock outlive it.
std::shared_ptr<IncidentBackend> make(const PagerDutySettings& settings, net::HttpClient& http, const Clock& clock);

// The mappings, pure.

/// Of an item of GET /incidents.
Incident incident_from(const json::value& one);
/// Of an item of GET /oncalls.
OnCall on_call_from(const json::value& one);
/// Of the items of an incident's alerts, notes and log entries.
IncidentDetails details_from(Incident incident, const clients::rest::Pages& alerts, const clients::rest::Pages& notes,
                             const clients::rest::Pages& log);

}  // namespace deputy::tools::pagerduty

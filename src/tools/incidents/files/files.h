// Incidents and on-call duties in JSON files of this machine, to read only: what PagerDuty's GET /incidents and GET
// /oncalls answer. An incident may hold its `alerts`, `notes` and `log_entries`, as PagerDuty answers them. The files
// are read at each call.
#pragma once

#include <memory>

#include "base/workers.h"
#include "tools/incidents/incident_backend.h"
#include "tools/incidents/settings.h"

namespace deputy::tools {

/// Null if no file is named. Workers outlive it.
std::shared_ptr<IncidentBackend> make_file_incidents(const FileIncidentsSettings& settings, Workers& workers);

}  // namespace deputy::tools

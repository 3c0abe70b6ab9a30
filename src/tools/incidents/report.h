// Writes incidents and on-call duties as text: the verdict first, then one line each, with links to the vendor's pages.
// Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/incidents/incident_backend.h"

namespace deputy::tools {

inline constexpr std::size_t kMaxIncidentsTold = 30;
inline constexpr std::size_t kMaxDutiesTold = 40;

/// Texts that are cut are redacted first: of half a secret nobody can tell that it is one. `which` follows the count:
/// "active", "in the last 7 days".
toolkit::Output report(const FoundIncidents& found, std::string_view which, Timestamp now,
                       const toolkit::Redact& redact);
toolkit::Output report(const IncidentDetails& details, const toolkit::Redact& redact);

/// "PT4KHLK (#1234) Payments fail [triggered, high], service cart, since …": an incident in a line.
std::string incident_line(const Incident& incident, const toolkit::Redact& redact);

struct Duties {
  std::vector<OnCall> on_call;
  std::string asked;      // the words that were looked for; empty: none
  bool is_named = false;  // they name something of PagerDuty; if not, all duties are told
  bool has_more = false;  // of duties or services than were looked at
};

/// The duties that the words name, by the names of schedules, policies and services. Those that share most words win;
/// words that no name has are ignored.
Duties duties_for(std::string_view words, FoundOnCalls all, const FoundPolicies& services);

toolkit::Output report(const Duties& duties, Timestamp now, const toolkit::Redact& redact);

}  // namespace deputy::tools

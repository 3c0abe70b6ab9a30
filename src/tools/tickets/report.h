// Writes found tickets as text: the verdict first, then one line each, with links to the tracker's pages. Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/tickets/ticket_backend.h"

namespace deputy::tools {

/// Texts that are cut are redacted first: of half a secret nobody can tell that it is one.
toolkit::Output report(const TicketQuery& query, const FoundTickets& found, const toolkit::Redact& redact);
toolkit::Output report(const TicketDetails& details, const toolkit::Redact& redact);

/// The ids of vulnerabilities that a text names, "CVE-2026-20113", each once, at most a few.
std::vector<std::string> cves_in(std::string_view text);

/// A text of the tracker on one line, cut.
std::string shown_line(std::string_view text, std::size_t most, const toolkit::Redact& redact);

}  // namespace deputy::tools

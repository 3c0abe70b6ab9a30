// The tools that read and write tickets, over the configured backends.
//
// To add one: its parameters and a function that makes it in ticket_tools.cpp or write_tools.cpp, and its line in
// ticket_tools().
#pragma once

#include <memory>
#include <vector>

#include "base/workers.h"
#include "net/http.h"
#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/tickets/settings.h"
#include "tools/tickets/ticket_backend.h"

namespace deputy::tools {

struct TicketBackends {
  Backends<TicketBackend> tickets;
  Backends<TicketWriter> writers;
};

/// Those that settings set up. Client, clock and workers outlive them.
TicketBackends make_ticket_backends(const TicketToolsSettings& settings, net::HttpClient& http, const Clock& clock,
                                    Workers& workers);

std::vector<std::shared_ptr<const toolkit::Tool>> ticket_tools(const TicketBackends& backends);

std::shared_ptr<const toolkit::Tool> jira_search(const Backends<TicketBackend>& backends);
std::shared_ptr<const toolkit::Tool> jira_get_ticket(const Backends<TicketBackend>& backends);
std::shared_ptr<const toolkit::Tool> jira_cve_tickets(const Backends<TicketBackend>& backends);
std::shared_ptr<const toolkit::Tool> jira_create_ticket(const Backends<TicketWriter>& writers);
std::shared_ptr<const toolkit::Tool> jira_add_comment(const Backends<TicketWriter>& writers);

toolkit::ToolSpec ticket_spec(std::string name, std::string description, toolkit::Effect effect, json::object target,
                              std::string missing);

}  // namespace deputy::tools

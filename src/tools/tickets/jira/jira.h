// Tickets of Jira Cloud, over its REST API v3.
#pragma once

#include <memory>

#include "clients/rest/api.h"
#include "tools/tickets/settings.h"
#include "tools/tickets/ticket_backend.h"

namespace deputy::tools::jira {

struct Made {
  std::shared_ptr<TicketBackend> tickets;  // null: not set up
  std::shared_ptr<TicketWriter> writer;
};

/// Client and clock outlive them.
Made make(const TicketToolsSettings& settings, net::HttpClient& http, const Clock& clock);

/// The JQL of a query: always with a condition, since Jira refuses a search without one, and with an order. Pure.
Result<std::string> jql_of(const TicketQuery& query);

/// One issue as a search or a read gives it. `site` is the address of people's pages; empty: there is none. Pure.
Ticket ticket_from(const json::value& issue, std::string_view site);

}  // namespace deputy::tools::jira

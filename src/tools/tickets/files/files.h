// Tickets in a JSON file of this machine, to read only: a list of objects with key, type, status, priority, summary,
// description, assignee, labels, updated and comments ({author, at, text}). The file is read at each call.
#pragma once

#include <filesystem>
#include <memory>

#include "base/workers.h"
#include "tools/tickets/ticket_backend.h"

namespace deputy::tools {

/// Workers outlive it.
std::shared_ptr<TicketBackend> make_file_tickets(std::filesystem::path file, Workers& workers);

}  // namespace deputy::tools

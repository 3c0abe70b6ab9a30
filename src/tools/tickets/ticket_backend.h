// The interfaces to where tickets are kept. A backend knows nothing of people, settings files and models.
//
// To add one: a folder under tools/tickets/ that implements TicketBackend, and TicketWriter if it can write; its
// settings in tools/tickets/settings.h, and its case in make_ticket_backends.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"

namespace deputy::tools {

/// Texts are from outside and of any length.
struct Ticket {
  std::string key;
  std::string type = {};
  std::string status = {};
  std::string priority = {};
  std::string summary = {};
  std::string assignee = {};
  std::vector<std::string> labels = {};
  std::optional<Timestamp> updated = std::nullopt;
  std::string link = {};         // the page for people; may be empty
  std::string description = {};  // Markdown; only where it was asked for
};

struct TicketComment {
  std::string author;
  std::optional<Timestamp> at = std::nullopt;
  std::string text = {};  // Markdown
};

struct TicketDetails {
  Ticket ticket;
  std::string reporter = {};
  std::string resolution = {};
  std::string parent = {};  // "KEY summary"
  std::optional<Timestamp> created = std::nullopt;
  std::vector<TicketComment> comments = {};  // the newest, oldest of them first
  std::int64_t all_comments = 0;
  std::vector<std::string> notes = {};  // each says in a sentence what could not be read
};

enum class TicketState { all, open, done };

constexpr auto choices_of(TicketState) {
  using S = TicketState;
  return std::to_array<std::pair<S, std::string_view>>({{S::all, "all"}, {S::open, "open"}, {S::done, "done"}});
}

struct TicketQuery {
  enum class Kind {
    words,
    keys,   // ticket keys alone
    query,  // in the backend's own language
    cves,   // open tickets about vulnerabilities; `text` is empty
  };
  Kind kind = Kind::words;
  std::string text;
  std::vector<std::string> keys = {};
  TicketState state = TicketState::all;  // of those found by words or keys

  bool operator==(const TicketQuery&) const = default;
};

/// Tells plain words, ticket keys and JQL apart. Pure.
TicketQuery read_ticket_query(std::string_view text);

/// "ABC-123" in capitals, from text that is a key and nothing else; empty if it is not one.
std::string ticket_key_in(std::string_view text);

struct FoundTickets {
  std::vector<Ticket> tickets;
  bool has_more = false;
  std::string searched;  // the query as the backend ran it
  std::string link;      // the page that shows all of them; may be empty
};

class TicketBackend {
 public:
  virtual ~TicketBackend() = default;

  virtual std::string_view name() const = 0;
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;
  virtual Task<Result<FoundTickets>> find(TicketQuery query, std::size_t most, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<TicketDetails>> get(std::string key, std::chrono::milliseconds limit) = 0;
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

/// Where a ticket would be created.
struct TicketPlace {
  std::string project;  // its key, as the backend spells it
  std::string project_name;
  std::string type_id;
  std::string type;
};

struct WrittenTicket {
  std::string key;
  std::string link;
};

class TicketWriter {
 public:
  virtual ~TicketWriter() = default;

  virtual std::string_view name() const = 0;
  virtual json::object target() const = 0;
  /// Errors: not_found for a project, invalid_input for a type, which names those that there are.
  virtual Task<Result<TicketPlace>> place(std::string project, std::string type, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<Ticket>> ticket(std::string key, std::chrono::milliseconds limit) = 0;

  virtual Task<Result<WrittenTicket>> create(TicketPlace place, std::string summary, std::string description,
                                             std::chrono::milliseconds limit) = 0;
  virtual Task<Result<>> comment(std::string key, std::string text, std::chrono::milliseconds limit) = 0;

  /// The ticket in the project whose description contains `mark`, written since then; none if there is none.
  virtual Task<Result<std::optional<WrittenTicket>>> find_created(std::string project, std::string mark,
                                                                  Timestamp since, std::chrono::milliseconds limit) = 0;
  /// True if a comment with `mark` was written since then; nothing if there are too many to tell.
  virtual Task<Result<std::optional<bool>>> has_comment(std::string key, std::string mark, Timestamp since,
                                                        std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools

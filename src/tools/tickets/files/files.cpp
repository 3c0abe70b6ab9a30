#include "tools/tickets/files/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/atlassian/account.h"
#include "intent/tokens.h"
#include "tools/json_file.h"
#include "tools/tickets/report.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kSetting = "tools.ticket_tools.files.file";

Result<json::array> read_tickets(const std::filesystem::path& file) {
  TRY(json::value list, read_json_file(file, kSetting));
  if (!list.is_array()) return holds_no("list of tickets", file, kSetting);
  return std::move(list.get_array());
}

std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer) {
  const Result<Timestamp> at = parse_timestamp(text_in(document, pointer));
  return at ? std::optional(*at) : std::nullopt;
}

Ticket ticket_from(const json::value& entry) {
  Ticket ticket{.key = text_in(entry, "/key"),
                .type = text_in(entry, "/type"),
                .status = text_in(entry, "/status"),
                .priority = text_in(entry, "/priority"),
                .summary = text_in(entry, "/summary"),
                .assignee = text_in(entry, "/assignee"),
                .updated = time_in(entry, "/updated"),
                .link = text_in(entry, "/link"),
                .description = text_in(entry, "/description")};
  for (const json::value& label : items_in(entry, "/labels")) ticket.labels.push_back(as_text(label));
  return ticket;
}

bool is_open(const Ticket& ticket) {
  const std::string status = to_lower(ticket.status);
  return status != "done" && status != "closed" && status != "resolved";
}

/// All words occur in it, ignoring case and the endings of plurals and tenses.
bool has_words(const json::value& entry, const std::string& words) {
  const std::string text = to_lower(json::serialize(entry));
  return std::ranges::all_of(split(to_lower(words), " "),
                             [&](std::string_view word) { return text.contains(intent::stem(word)); });
}

bool is_in_state(TicketState state, const Ticket& ticket) {
  return state == TicketState::all || is_open(ticket) == (state == TicketState::open);
}

bool matches(const TicketQuery& query, const json::value& entry, const Ticket& ticket) {
  switch (query.kind) {
    case TicketQuery::Kind::keys:
      return contains(query.keys, ticket.key) && is_in_state(query.state, ticket);
    case TicketQuery::Kind::cves:
      return is_open(ticket) && !cves_in(json::serialize(entry)).empty();
    default:
      return has_words(entry, clients::atlassian::search_words(query.text)) && is_in_state(query.state, ticket);
  }
}

Result<FoundTickets> search(const std::filesystem::path& file, const TicketQuery& query, std::size_t most) {
  TRY(const json::array entries, read_tickets(file));
  FoundTickets found;
  for (const json::value& entry : entries) {
    Ticket ticket = ticket_from(entry);
    if (matches(query, entry, ticket)) found.tickets.push_back(std::move(ticket));
  }
  std::ranges::sort(found.tickets, [](const Ticket& a, const Ticket& b) {
    return a.updated != b.updated ? a.updated > b.updated : a.key > b.key;
  });
  found.has_more = found.tickets.size() > most;
  if (found.has_more) found.tickets.resize(most);
  return found;
}

Result<TicketDetails> read(const std::filesystem::path& file, const std::string& key) {
  TRY(const json::array entries, read_tickets(file));
  const auto entry = std::ranges::find_if(entries, [&](const json::value& one) { return text_in(one, "/key") == key; });
  if (entry == entries.end())
    return fail(ErrorKind::not_found, fmt::format("there is no ticket {}", key), "find it with jira_search");
  TicketDetails details{
      .ticket = ticket_from(*entry), .reporter = text_in(*entry, "/reporter"), .created = time_in(*entry, "/created")};
  for (const json::value& comment : items_in(*entry, "/comments"))
    details.comments.push_back({text_in(comment, "/author"), time_in(comment, "/at"), text_in(comment, "/text")});
  details.all_comments = static_cast<std::int64_t>(details.comments.size());
  constexpr std::ptrdiff_t kShown = 5;
  if (std::ssize(details.comments) > kShown)
    details.comments.erase(details.comments.begin(), details.comments.end() - kShown);
  return details;
}

class FileTickets final : public TicketBackend {
 public:
  FileTickets(std::filesystem::path file, Workers& workers) : file_(std::move(file)), workers_(workers) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override { return {{"file", file_.string()}}; }

  Task<Result<FoundTickets>> find(TicketQuery query, std::size_t most, milliseconds limit) override {
    if (query.kind == TicketQuery::Kind::query)
      co_return fail(ErrorKind::invalid_input, "the tickets are in a file, which knows no JQL",
                     "search by plain words or by keys");
    auto job = [file = file_, query, most](const std::stop_token&) { return search(file, query, most); };
    co_return co_await on_worker<FoundTickets>(workers_, limit, std::move(job));
  }
  Task<Result<TicketDetails>> get(std::string key, milliseconds limit) override {
    auto job = [file = file_, key](const std::stop_token&) { return read(file, key); };
    co_return co_await on_worker<TicketDetails>(workers_, limit, std::move(job));
  }
  Task<Result<std::string>> diagnose(milliseconds limit) override {
    auto job = [file = file_](const std::stop_token&) -> Result<std::string> {
      TRY(const json::array entries, read_tickets(file));
      return count_of(static_cast<std::int64_t>(entries.size()), "ticket") + " in " + file.string();
    };
    co_return co_await on_worker<std::string>(workers_, limit, std::move(job));
  }

 private:
  std::filesystem::path file_;
  Workers& workers_;
};

}  // namespace

std::shared_ptr<TicketBackend> make_file_tickets(std::filesystem::path file, Workers& workers) {
  return std::make_shared<FileTickets>(std::move(file), workers);
}

}  // namespace deputy::tools

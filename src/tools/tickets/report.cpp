#include "tools/tickets/report.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "tools/time_range.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxName = 80;
constexpr std::size_t kMaxSummary = 200;
constexpr std::size_t kMaxDescription = 12'000;
constexpr std::size_t kMaxComment = 2'000;
constexpr std::size_t kMaxCves = 8;
constexpr std::size_t kMaxLabels = 10;

std::string line_of(const Ticket& ticket, bool with_cves, const toolkit::Redact& redact) {
  const auto shown = [&](std::string_view text, std::size_t most) { return shown_line(text, most, redact); };
  std::vector<std::string> facts;
  for (const std::string* fact : {&ticket.status, &ticket.type, &ticket.priority}) {
    if (!fact->empty()) facts.push_back(shown(*fact, kMaxName));
  }
  std::string line = fmt::format("- {}", shown(ticket.key, kMaxName));
  if (!facts.empty()) line += fmt::format(" [{}]", join(facts, ", "));
  line += ": " + shown(ticket.summary, kMaxSummary);
  if (with_cves) {
    const std::vector<std::string> cves =
        cves_in(ticket.summary + "\n" + ticket.description + "\n" + join(ticket.labels, " "));
    if (!cves.empty()) line += fmt::format(" ({})", join(cves, ", "));
  }
  line += ticket.assignee.empty() ? "; unassigned" : "; " + shown(ticket.assignee, kMaxName);
  if (ticket.updated) line += fmt::format("; updated {} UTC", moment(*ticket.updated));
  if (!ticket.link.empty()) line += " " + ticket.link;
  return line + "\n";
}

std::string verdict(const TicketQuery& query, const FoundTickets& found, const toolkit::Redact& redact) {
  const bool cves = query.kind == TicketQuery::Kind::cves;
  const std::string about =
      cves ? " about CVEs" : fmt::format(" for `{}`", shown_line(query.text, kMaxSummary, redact));
  const std::string noun = cves || query.state == TicketState::open ? "open ticket"
                           : query.state == TicketState::done       ? "done ticket"
                                                                    : "ticket";
  if (found.tickets.empty()) return fmt::format("No {}{}", noun, about);
  const std::string count = count_of(static_cast<std::int64_t>(found.tickets.size()), noun);
  return fmt::format("{}{}{}", count, about, found.has_more ? ", and there are more" : "");
}

/// Lines stay lines; redacted before a cut.
std::string shown_text(std::string_view text, std::size_t most, const toolkit::Redact& redact) {
  std::string whole = to_valid_utf8(std::string(trim(text)));
  if (count_characters(whole) > most) whole = toolkit::redact_or_withhold(whole, redact);
  return cut_with_mark(whole, most);
}

}  // namespace

std::string shown_line(std::string_view text, std::size_t most, const toolkit::Redact& redact) {
  std::string line = to_valid_utf8(std::string(trim(text)));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  if (count_characters(line) > most) line = toolkit::redact_or_withhold(line, redact);
  return cut_with_mark(line, most);
}

std::vector<std::string> cves_in(std::string_view text) {
  static const RE2 pattern(R"((?i)\b(cve-\d{4}-\d{4,7})\b)");
  std::vector<std::string> found;
  std::string id;
  for (re2::StringPiece rest(text.data(), text.size());
       found.size() < kMaxCves && RE2::FindAndConsume(&rest, pattern, &id);) {
    id.replace(0, 3, "CVE");
    if (!contains(found, id)) found.push_back(id);
  }
  return found;
}

toolkit::Output report(const TicketQuery& query, const FoundTickets& found, const toolkit::Redact& redact) {
  std::string text = verdict(query, found, redact) + "\n";
  json::array tickets;
  for (const Ticket& ticket : found.tickets) {
    text += line_of(ticket, query.kind == TicketQuery::Kind::cves, redact);
    tickets.push_back(json::object{{"key", shown_line(ticket.key, kMaxName, redact)},
                                   {"status", shown_line(ticket.status, kMaxName, redact)},
                                   {"summary", shown_line(ticket.summary, kMaxSummary, redact)}});
  }
  if (!found.searched.empty()) text += fmt::format("Searched: {}\n", shown_line(found.searched, 500, redact));
  if (found.has_more) text += "There are more: raise `max_results`, or search more narrowly\n";
  if (!found.link.empty() && !found.tickets.empty()) text += fmt::format("All of them: {}\n", found.link);
  const std::size_t count = tickets.size();
  return {std::move(text), {{"count", count}, {"tickets", std::move(tickets)}}};
}

toolkit::Output report(const TicketDetails& details, const toolkit::Redact& redact) {
  const Ticket& ticket = details.ticket;
  const auto shown = [&](std::string_view text) { return shown_line(text, kMaxName, redact); };
  std::string text = fmt::format("{} [{}]: {}\n", shown(ticket.key), shown(ticket.status),
                                 shown_line(ticket.summary, kMaxSummary, redact));
  const auto fact = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
  };
  fact("Type", shown(ticket.type));
  fact("Priority", shown(ticket.priority));
  fact("Assignee", ticket.assignee.empty() ? "nobody" : shown(ticket.assignee));
  fact("Reporter", shown(details.reporter));
  fact("Resolution", shown(details.resolution));
  fact("Parent", shown_line(details.parent, kMaxSummary, redact));
  std::vector<std::string> labels;
  for (const std::string& label : ticket.labels) {
    if (labels.size() < kMaxLabels) labels.push_back(shown(label));
  }
  fact("Labels", join(labels, ", "));
  if (details.created) text += fmt::format("Created: {} UTC\n", moment(*details.created));
  if (ticket.updated) text += fmt::format("Updated: {} UTC\n", moment(*ticket.updated));
  if (!ticket.link.empty()) text += ticket.link + "\n";
  const std::string description = shown_text(ticket.description, kMaxDescription, redact);
  text += description.empty() ? "\nNo description\n" : fmt::format("\n{}\n", description);
  if (!details.comments.empty()) {
    const auto count = static_cast<std::int64_t>(details.comments.size());
    text += details.all_comments > count ? fmt::format("\nThe last {} of {} comments:\n", count, details.all_comments)
                                         : fmt::format("\n{}:\n", count_of(count, "comment"));
  }
  for (const TicketComment& comment : details.comments) {
    const std::string at = comment.at ? fmt::format(", {} UTC", moment(*comment.at)) : "";
    text += fmt::format("\n**{}**{}:\n{}\n", comment.author.empty() ? "Somebody" : shown(comment.author), at,
                        shown_text(comment.text, kMaxComment, redact));
  }
  for (const std::string& note : details.notes) text += fmt::format("Note: {}.\n", note);
  return {std::move(text),
          {{"key", shown(ticket.key)},
           {"status", shown(ticket.status)},
           {"summary", shown_line(ticket.summary, kMaxSummary, redact)}}};
}

}  // namespace deputy::tools

#include "tools/incidents/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "base/text.h"
#include "tools/shown.h"
#include "tools/time_range.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxTitle = 200;
constexpr std::size_t kMaxName = 80;
constexpr std::size_t kMaxEvent = 300;
constexpr std::size_t kMaxEventsTold = 12;

json::object data_of(const Incident& incident, const toolkit::Redact& redact) {
  return {{"id", shown(incident.id, kMaxName, redact)},
          {"status", shown(incident.status, kMaxName, redact)},
          {"service", shown(incident.service, kMaxName, redact)},
          {"title", shown(incident.title, kMaxTitle, redact)}};
}

void tell_events(std::string_view heading, const IncidentEvents& found, const toolkit::Redact& redact,
                 std::string& text) {
  const std::vector<IncidentEvent>& events = found.events;
  if (events.empty()) return;
  text += fmt::format("{} ({}{}):\n", heading, found.has_more ? "more than " : "", events.size());
  for (const IncidentEvent& event : events | std::views::take(kMaxEventsTold)) {
    text += fmt::format("- {}{}\n", event.at ? moment(*event.at) + " " : "", shown(event.text, kMaxEvent, redact));
  }
  if (events.size() > kMaxEventsTold)
    text += fmt::format("and {}{} more\n", found.has_more ? "more than " : "", events.size() - kMaxEventsTold);
}

std::size_t shared_words(const std::set<std::string>& words, std::string_view name) {
  const std::set<std::string> others = words_in(name);
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [&](const auto& word) { return others.contains(word); }));
}

}  // namespace

std::string incident_line(const Incident& incident, const toolkit::Redact& redact) {
  std::string line = shown(incident.id, kMaxName, redact);
  if (!incident.number.empty()) line += fmt::format(" (#{})", shown(incident.number, kMaxName, redact));
  line += fmt::format(" {} [{}", shown(incident.title, kMaxTitle, redact), shown(incident.status, kMaxName, redact));
  line += fmt::format("{}]", incident.urgency.empty() ? "" : ", " + shown(incident.urgency, kMaxName, redact));
  if (!incident.service.empty()) line += fmt::format(", service {}", shown(incident.service, kMaxName, redact));
  if (incident.created) line += fmt::format(", since {} UTC", moment(*incident.created));
  if (incident.resolved) line += fmt::format(", resolved {} UTC", moment(*incident.resolved));
  if (!incident.acknowledged_by.empty())
    line += fmt::format(", acknowledged by {}", shown(incident.acknowledged_by, kMaxName, redact));
  else if (!incident.assigned_to.empty())
    line += fmt::format(", assigned to {}", shown(incident.assigned_to, kMaxName, redact));
  if (!incident.link.empty()) line += " " + incident.link;
  return line;
}

toolkit::Output report(const FoundIncidents& found, std::string_view which, Timestamp now,
                       const toolkit::Redact& redact) {
  const auto count = static_cast<std::int64_t>(found.incidents.size());
  const auto of_status = [&](std::string_view status) {
    return std::ranges::count(found.incidents, status, &Incident::status);
  };
  std::string text = count == 0 ? fmt::format("No incident {}", which)
                                : fmt::format("{}{} {}: {} triggered, {} acknowledged, {} resolved",
                                              found.has_more ? "At least " : "", count_of(count, "incident"), which,
                                              of_status("triggered"), of_status("acknowledged"), of_status("resolved"));
  text += fmt::format("\nAs of {} UTC\n", moment(now));
  json::array list;
  for (const Incident& incident : found.incidents | std::views::take(kMaxIncidentsTold)) {
    text += fmt::format("- {}\n", incident_line(incident, redact));
    list.push_back(data_of(incident, redact));
  }
  if (found.incidents.size() > kMaxIncidentsTold)
    text += fmt::format("and {} more\n", found.incidents.size() - kMaxIncidentsTold);
  return {std::move(text), {{"count", count}, {"incidents", std::move(list)}}};
}

toolkit::Output report(const IncidentDetails& details, const toolkit::Redact& redact) {
  std::string text = incident_line(details.incident, redact) + "\n";
  tell_events("Alerts", details.alerts, redact, text);
  tell_events("Notes", details.notes, redact, text);
  tell_events("Log, newest first", details.log, redact, text);
  if (details.alerts.events.empty() && details.notes.events.empty() && details.log.events.empty())
    text += "It has no alerts, notes and log entries.\n";
  return {std::move(text), data_of(details.incident, redact)};
}

Duties duties_for(std::string_view asked, FoundOnCalls found, const FoundPolicies& services) {
  std::vector<OnCall>& all = found.on_call;
  const std::set<std::string> words = words_in(asked);
  std::map<std::string, std::size_t> by_policy;  // words that services share, by the policy behind them
  for (const NamedPolicy& service : services.policies) {
    std::size_t& most = by_policy[service.policy_id];
    most = std::max(most, shared_words(words, service.name));
  }
  const auto score = [&](const OnCall& duty) {
    const auto service = by_policy.find(duty.policy_id);
    return std::max({shared_words(words, duty.schedule), shared_words(words, duty.policy),
                     service == by_policy.end() ? 0 : service->second});
  };
  std::vector<std::size_t> scores;
  scores.reserve(all.size());
  for (const OnCall& duty : all) scores.push_back(score(duty));
  const std::size_t best = scores.empty() ? 0 : std::ranges::max(scores);
  Duties duties{
      .asked = std::string(trim(asked)), .is_named = best > 0, .has_more = found.has_more || services.has_more};
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (scores[at] == best) duties.on_call.push_back(std::move(all[at]));
  }
  return duties;
}

toolkit::Output report(const Duties& duties, Timestamp now, const toolkit::Redact& redact) {
  std::vector<OnCall> sorted = duties.on_call;
  std::ranges::sort(sorted, {}, [](const OnCall& duty) { return std::tie(duty.policy, duty.level, duty.person); });
  std::vector<std::string> first;
  for (const OnCall& duty : sorted) {
    std::string person = shown(duty.person, kMaxName, redact);
    if (duty.level <= 1 && first.size() < 5 && !contains(first, person)) first.push_back(std::move(person));
  }
  std::string text = sorted.empty() ? "Nobody is on call" : fmt::format("On call: {}", join(first, ", "));
  text += fmt::format("\nAs of {} UTC\n", moment(now));
  if (!duties.asked.empty() && !duties.is_named)
    text += fmt::format("No schedule, escalation policy or service has such a name{}\n",
                        duties.has_more ? " among those that were looked at." : "; these are all.");
  if (duties.has_more) text += "There are more on-call duties or services than could be looked at.\n";
  for (const OnCall& duty : sorted | std::views::take(kMaxDutiesTold)) {
    text += fmt::format("- {}: level {} of {}", shown(duty.person, kMaxName, redact), duty.level,
                        shown(duty.policy, kMaxName, redact));
    if (!duty.schedule.empty()) text += fmt::format(", schedule {}", shown(duty.schedule, kMaxName, redact));
    text += duty.until ? fmt::format(", until {} UTC\n", moment(*duty.until)) : ", always\n";
  }
  if (sorted.size() > kMaxDutiesTold)
    text += fmt::format("and {} more; give `schedule` to see fewer\n", sorted.size() - kMaxDutiesTold);
  json::array people;
  for (const std::string& person : first) people.push_back(json::value(person));
  return {std::move(text), {{"on_call", std::move(people)}}};
}

}  // namespace deputy::tools

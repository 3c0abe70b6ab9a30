#include "tools/clusters/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "tools/shown.h"
#include "tools/time_range.h"

namespace deputy::tools::clusters {

namespace {

constexpr std::size_t kMaxName = 120;
constexpr std::size_t kMaxMessage = 240;
constexpr std::size_t kMaxEventsOfWorkload = 10;
constexpr std::size_t kMaxLogLine = 600;

std::string where(const Place& place) {
  return place.name_space.empty() ? fmt::format("{}, all namespaces", place.environment)
                                  : fmt::format("{}, namespace {}", place.environment, place.name_space);
}

std::string images_of(const std::vector<std::string>& images, const toolkit::Redact& redact) {
  std::string text = join(images, ", ");
  return shown(text, kMaxMessage, redact);
}

std::string line_of(const Workload& one, const toolkit::Redact& redact) {
  std::string line =
      fmt::format("- {} {}/{}: {}/{} ready, {} updated", word_of(one.kind), shown(one.name_space, kMaxName, redact),
                  shown(one.name, kMaxName, redact), one.ready, one.desired, one.updated);
  if (one.rollout.state != RolloutState::done) line += fmt::format(" [{}]", one.rollout.why);
  if (!one.images.empty()) line += fmt::format(" ({})", images_of(one.images, redact));
  return line + "\n";
}

std::string line_of(const Pod& pod, const toolkit::Redact& redact) {
  std::string line = fmt::format("- pod {}/{} [{}]: {}/{} ready, {}", shown(pod.name_space, kMaxName, redact),
                                 shown(pod.name, kMaxName, redact), shown(pod.status, kMaxName, redact), pod.ready(),
                                 pod.containers.size(), count_of(pod.restarts(), "restart"));
  if (const ContainerState* ended = pod.last_ended()) {
    line += fmt::format(", last end {}", shown(ended->last_end, kMaxName, redact));
    if (ended->last_ended) line += fmt::format(" at {} UTC", moment(*ended->last_ended));
  }
  if (!pod.node.empty()) line += fmt::format(", node {}", shown(pod.node, kMaxName, redact));
  if (!pod.healthy && !pod.message.empty()) line += ": " + shown(pod.message, kMaxMessage, redact);
  return line + "\n";
}

std::string line_of(const ClusterEvent& event, const toolkit::Redact& redact) {
  std::string line =
      fmt::format("- {}{} {}: {}", event.warning ? "Warning " : "", shown(event.reason, kMaxName, redact),
                  shown(event.about, kMaxName, redact), shown(event.message, kMaxMessage, redact));
  if (event.count > 1) line += fmt::format(" (×{})", event.count);
  if (event.last) line += fmt::format(", {} UTC", moment(*event.last));
  return line + "\n";
}

template <class Items>
void tell(const Items& items, std::size_t most, const toolkit::Redact& redact, std::string& text) {
  for (const auto& item : items | std::views::take(most)) text += line_of(item, redact);
  if (items.size() > most) text += fmt::format("and {} more\n", items.size() - most);
}

void tell_notes(const std::vector<std::string>& notes, std::string& text) {
  for (const std::string& note : notes) text += fmt::format("Note: {}.\n", note);
}

std::vector<ClusterEvent> sorted(std::vector<ClusterEvent> events) {
  std::ranges::sort(events, [](const ClusterEvent& a, const ClusterEvent& b) {
    if (a.warning != b.warning) return a.warning;
    return a.last > b.last;
  });
  return events;
}

std::vector<Pod> sorted(std::vector<Pod> pods) {
  std::ranges::sort(pods, [](const Pod& a, const Pod& b) {
    if (a.healthy != b.healthy) return b.healthy;
    if (a.restarts() != b.restarts()) return a.restarts() > b.restarts();
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  return pods;
}

/// ", 2 have restarted, most often shop/checkout-5d4f (7 restarts)"; empty if none has.
std::string restarts_in_words(const std::vector<Pod>& pods, const toolkit::Redact& redact) {
  const auto restarted = std::ranges::count_if(pods, [](const Pod& pod) { return pod.restarts() > 0; });
  if (restarted == 0) return {};
  const Pod& most = *std::ranges::max_element(pods, {}, &Pod::restarts);
  return fmt::format(", {} {} restarted, most often {}/{} ({})", restarted, restarted == 1 ? "has" : "have",
                     shown(most.name_space, kMaxName, redact), shown(most.name, kMaxName, redact),
                     count_of(most.restarts(), "restart"));
}

std::string_view word_of(RolloutState state) {
  switch (state) {
    case RolloutState::done:
      return "done";
    case RolloutState::failed:
      return "failed";
    case RolloutState::paused:
      return "paused";
    case RolloutState::progressing:
      break;
  }
  return "progressing";
}

}  // namespace

toolkit::Output report(const FoundWorkloads& found, Timestamp now, const toolkit::Redact& redact) {
  std::vector<Workload> workloads = found.workloads;
  std::ranges::sort(workloads, [](const Workload& a, const Workload& b) {
    if (a.healthy() != b.healthy()) return b.healthy();
    return std::tie(a.name_space, a.name) < std::tie(b.name_space, b.name);
  });
  const std::vector<Pod> pods = sorted(found.pods);
  const auto unwell = std::ranges::count_if(workloads, [](const Workload& one) { return !one.healthy(); });
  const auto unwell_pods = std::ranges::count_if(pods, [](const Pod& pod) { return !pod.healthy; });
  const std::string whose = found.name.empty() ? "" : fmt::format(" of {}", shown(found.name, kMaxName, redact));
  std::string text;
  if (found.kind == "pod") {
    text = fmt::format("{}{} in {}, {} not well{}\n", count_of(static_cast<std::int64_t>(pods.size()), "pod"), whose,
                       where(found.place), unwell_pods, restarts_in_words(pods, redact));
  } else {
    text =
        fmt::format("{}{} in {}, {} not well",
                    count_of(static_cast<std::int64_t>(workloads.size()), found.kind.empty() ? "workload" : found.kind),
                    whose, where(found.place), unwell);
    if (found.kind.empty()) text += fmt::format("; {} not well", count_of(unwell_pods, "pod"));
    text += "\n";
  }
  text += fmt::format("As of {} UTC\n", moment(now));
  tell(workloads, kMaxTold, redact, text);
  tell(pods, kMaxTold, redact, text);
  if (workloads.size() > kMaxTold || pods.size() > kMaxTold)
    text += "Give `namespace`, `kind` or `selector` to see fewer\n";
  tell_notes(found.notes, text);
  return {std::move(text), {{"workloads", workloads.size()}, {"not_well", unwell}, {"pods_not_well", unwell_pods}}};
}

toolkit::Output report(const WorkloadDetails& details, const toolkit::Redact& redact) {
  std::string text;
  json::object data;
  const std::vector<Pod> pods = sorted(details.pods);
  if (details.workload) {
    const Workload& one = *details.workload;
    text = fmt::format("{} {}/{} in {} is {}: {}/{} ready, {}\n", word_of(one.kind), one.name_space, one.name,
                       details.place.environment, one.healthy() ? "well" : "not well", one.ready, one.desired,
                       one.rollout.why);
    if (!one.images.empty()) text += fmt::format("Images: {}\n", images_of(one.images, redact));
    if (!one.strategy.empty()) text += fmt::format("Strategy: {}\n", shown(one.strategy, kMaxName, redact));
    if (!one.revision.empty()) text += fmt::format("Revision: {}\n", shown(one.revision, kMaxName, redact));
    if (one.created) text += fmt::format("Created: {} UTC\n", moment(*one.created));
    for (const std::string& condition : one.conditions)
      text += fmt::format("Condition: {}\n", shown(condition, kMaxMessage, redact));
    text += fmt::format("{}:\n", count_of(static_cast<std::int64_t>(pods.size()), "pod"));
    data = {{"healthy", one.healthy()}, {"ready", one.ready}, {"desired", one.desired}};
  } else if (!pods.empty()) {
    const Pod& pod = pods.front();
    text = fmt::format("pod {}/{} in {} is {}: {}\n", pod.name_space, pod.name, details.place.environment,
                       pod.healthy ? "well" : "not well", shown(pod.status, kMaxName, redact));
    if (pod.started) text += fmt::format("Started: {} UTC\n", moment(*pod.started));
    for (const ContainerState& one : pod.containers) {
      text += fmt::format("Container {}: {}, {}, {}, image {}{}\n", shown(one.name, kMaxName, redact),
                          shown(one.state, kMaxName, redact), one.ready ? "ready" : "not ready",
                          count_of(one.restarts, "restart"), shown(one.image, kMaxName, redact),
                          one.last_end.empty() ? "" : ", last end " + shown(one.last_end, kMaxName, redact));
    }
    data = {{"healthy", pod.healthy}, {"status", shown(pod.status, kMaxName, redact)}};
  }
  tell(pods, kMaxTold, redact, text);
  if (details.events.empty())
    text += "No events\n";
  else
    text += "Events:\n";
  tell(sorted(details.events), kMaxEventsOfWorkload, redact, text);
  tell_notes(details.notes, text);
  return {std::move(text), std::move(data)};
}

toolkit::Output report(const FoundEvents& found, const toolkit::Redact& redact) {
  const auto warnings = std::ranges::count_if(found.events, &ClusterEvent::warning);
  std::string text =
      fmt::format("{}, {} of them {}, in {}{}\n", count_of(static_cast<std::int64_t>(found.events.size()), "event"),
                  warnings, warnings == 1 ? "a warning" : "warnings", where(found.place),
                  found.name.empty() ? "" : fmt::format(", of {}", shown(found.name, kMaxName, redact)));
  tell(sorted(found.events), kMaxTold, redact, text);
  if (found.events.empty()) text += "A cluster keeps its events for about an hour.\n";
  tell_notes(found.notes, text);
  return {std::move(text), {{"events", found.events.size()}, {"warnings", warnings}}};
}

toolkit::Output report(const RolloutReport& told, const toolkit::Redact& redact) {
  const Workload& one = told.deployment;
  std::string text = fmt::format("Rollout of {}/{} in {} is {}: {}\n", one.name_space, one.name, told.place.environment,
                                 word_of(one.rollout.state), one.rollout.why);
  text += fmt::format("Replicas: {} wanted, {} updated, {} ready, {} available\n", one.desired, one.updated, one.ready,
                      one.available);
  text += fmt::format("Revision {}: {}\n", one.revision.empty() ? "unknown" : shown(one.revision, kMaxName, redact),
                      images_of(one.images, redact));
  if (!told.previous_revision.empty())
    text += fmt::format("Before it, revision {}: {}\n", shown(told.previous_revision, kMaxName, redact),
                        images_of(told.before, redact));
  for (const std::string& condition : one.conditions)
    text += fmt::format("Condition: {}\n", shown(condition, kMaxMessage, redact));
  tell(sorted(told.pods), kMaxEventsOfWorkload, redact, text);
  return {std::move(text),
          {{"state", std::string(word_of(one.rollout.state))}, {"desired", one.desired}, {"available", one.available}}};
}

/// A line begins with its time.
bool is_after(std::string_view line, Timestamp end) {
  const Result<Timestamp> at = parse_timestamp(line.substr(0, line.find(' ')));
  return at && *at > end;
}

toolkit::Output report_logs(const Place& place, const PodLogQuery& query, std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, "\n")) {
    if (trim(line).empty() || (query.to && is_after(line, *query.to))) continue;
    lines.push_back(cut_with_mark(to_valid_utf8(std::string(line)), kMaxLogLine));
  }
  const auto most = static_cast<std::size_t>(query.lines);
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - query.lines);
  std::size_t from = lines.size();
  for (std::size_t used = 0; from > 0; --from) {
    used += lines[from - 1].size() + 1;
    if (used > kMaxLogText) break;
  }
  std::string said = fmt::format("{} of pod {}/{} in {}{}{}\n",
                                 count_of(static_cast<std::int64_t>(lines.size()), "line"), place.name_space, query.pod,
                                 place.environment, query.container.empty() ? "" : ", container " + query.container,
                                 query.previous ? ", from before its last restart" : "");
  if (query.from)
    said += fmt::format("{}{} UTC\n", query.to ? moment(*query.from) + " to " : "since ",
                        moment(query.to.value_or(*query.from)));
  if (text.size() >= kMaxLogBytes)
    said += query.to
                ? "Note: the cluster's answer was cut: newer lines of this range are missing; give a shorter range.\n"
                : "Note: the lines are long, and the cluster's answer was cut: newer ones are missing; give a smaller "
                  "limit.\n";
  if (from > 0)
    said += fmt::format("Note: the oldest {} are not shown.\n", count_of(static_cast<std::int64_t>(from), "line"));
  for (const std::string& line : lines | std::views::drop(from)) said += line + "\n";
  if (lines.empty()) said += "Nothing was logged. Without `previous` this is the run since the last restart.\n";
  return {std::move(said), {{"lines", lines.size()}}};
}

}  // namespace deputy::tools::clusters

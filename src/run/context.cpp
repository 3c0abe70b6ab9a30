#include "run/context.h"

#include <fmt/format.h>

#include "base/text.h"
#include "intent/context_section.h"
#include "run/place.h"

namespace deputy::run {

namespace {

constexpr std::size_t kMostOfAMessage = 5000;  // characters
constexpr std::size_t kCharactersAToken = 4;

// A model has no clock. It is told here and not in the system prompt, which stays the same from run to run.
std::string about_time(Timestamp now, const interaction::Zone& zone) {
  const std::string local = zone.name == "UTC" ? "" : fmt::format("; for people here {}", time_in(zone, now));
  return fmt::format("[It is {}{}]\n", interaction::time_in({}, now), local);
}

std::string about_channel(const Received& received, std::string_view channel_name, const Rules& rules) {
  const policy::Place place = read_place(received.place).value_or(policy::Place{});
  const policy::PlaceRules here = policy::rules_at(place, rules.policy.settings);
  std::string words;
  if (!channel_name.empty()) words += fmt::format("[Channel: {}", cut_with_mark(channel_name, 100));
  if (!words.empty() && is_ops_channel(channel_name)) words += "; people are in the right place with operations work";
  if (!words.empty()) words += "]\n";
  if (!here.instead.empty()) words += fmt::format("[Requests belong in {}: say so]\n", here.instead);
  if (!here.default_environment.empty())
    words += fmt::format("[Environment when none is named: {}]\n", here.default_environment);
  return words;
}

// Where the place has one, nobody needs to be asked.
void take_default_environment(intent::Intent& intent, const Received& received, const Rules& rules) {
  const policy::Place place = read_place(received.place).value_or(policy::Place{});
  const std::string environment = policy::rules_at(place, rules.policy.settings).default_environment;
  if (environment.empty() || intent.parameters.environment) return;
  intent.parameters.environment = environment;
  std::erase_if(intent.clarifications_needed, [](const std::string& question) {
    return to_lower(question).find("environment") != std::string::npos;
  });
}

std::vector<ThreadLine> clean_lines(const ThreadContext& thread, const Received& received,
                                    const redact::Redactor& redactor) {
  std::vector<ThreadLine> lines;
  for (ThreadLine line : thread.lines) {
    // Nothing after the request counts.
    if (received.request && !line.ref.empty() && line.ref == *received.request) break;
    line.text = cut_with_mark(redactor.redact(to_valid_utf8(std::move(line.text))), kMostOfAMessage);
    line.writer = cut_with_mark(to_valid_utf8(std::move(line.writer)), 100);
    lines.push_back(std::move(line));
  }
  return lines;
}

// The root and the newest that fit; gives how many do not.
std::size_t cut_thread(std::vector<ThreadLine>& lines, std::size_t most) {
  if (lines.empty()) return 0;
  std::size_t used = lines.front().text.size();
  std::size_t first = lines.size();
  while (first > 1 && used + lines[first - 1].text.size() <= most) used += lines[--first].text.size();
  const std::size_t left_out = first - 1;
  lines.erase(lines.begin() + 1, lines.begin() + static_cast<std::ptrdiff_t>(first));
  return left_out;
}

}  // namespace

bool is_ops_channel(std::string_view channel_name) {
  const std::string name = to_lower(channel_name);
  for (const std::string_view word : {"devops", "infra", "platform", "sre", "ops", "deploy", "ci-cd"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

Enriched enrich(const Received& received, const ThreadContext& thread, const std::vector<EarlierRun>& earlier,
                FoundIntent found, const Rules& rules, Timestamp now, const redact::Redactor& redactor) {
  Enriched enriched;
  enriched.thread = not_in_memory(clean_lines(thread, received, redactor), earlier);
  const std::size_t left_out =
      thread.left_out + cut_thread(enriched.thread, rules.limits.thread_tokens * kCharactersAToken);
  take_default_environment(found.intent, received, rules);
  enriched.intent = to_json(found.intent);
  enriched.extracted_by = std::move(found.by);
  if (!found.dropped.empty()) enriched.dropped = std::move(found.dropped);
  enriched.cost = found.cost;
  enriched.tokens = found.tokens;
  enriched.unpriced_tokens = found.unpriced_tokens;
  enriched.context = about_time(now, rules.zone);
  enriched.context += about_channel(received, redactor.redact(to_valid_utf8(thread.channel_name)), rules);
  if (left_out > 0) enriched.context += fmt::format("[{} earlier messages of this thread are not shown]\n", left_out);
  enriched.context += intent::context_section(found.intent);
  return enriched;
}

}  // namespace deputy::run

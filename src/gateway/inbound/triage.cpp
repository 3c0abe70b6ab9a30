#include "gateway/inbound/triage.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields_codec.h"
#include "base/text.h"
#include "intent/intent.h"
#include "interaction/escape.h"

namespace deputy::gateway {

namespace {

constexpr std::size_t kMaxFingerprint = 200;
constexpr std::size_t kMaxSeen = 100;
constexpr std::chrono::hours kHour{1};

// States that alerting systems write beside the name of an alert.
constexpr std::string_view kStates[] = {"resolved", "recovered", "firing", "triggered"};

bool is_over(std::string_view word) { return word == "resolved" || word == "recovered"; }

// Lower-case words of letters, in order: numbers change from one notification to the next.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : to_lower(line) + " ") {
    if (is_letter(c) || static_cast<unsigned char>(c) >= 0x80) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

// 1, 10, 100, …: a flood of alerts is a handful of lines.
bool is_worth_a_line(std::int64_t count) {
  while (count >= 10 && count % 10 == 0) count /= 10;
  return count == 1;
}

CountAlert count(const Alert& alert, std::string conversation, TriageState& state) {
  ++state.not_investigated;
  CountAlert counted{std::move(conversation), {}};
  if (!is_worth_a_line(state.not_investigated)) return counted;
  counted.line = fmt::format("{}{}, not investigated.", count_of(state.not_investigated, "more alert"),
                             alert.service.empty() ? "" : " of " + interaction::plain(alert.service));
  return counted;
}

}  // namespace

Alert read_alert(std::string_view text, const intent::Vocabulary& vocabulary) {
  Alert alert;
  const std::vector<std::string> services = intent::extract(text, vocabulary).parameters.services;
  if (!services.empty()) alert.service = services.front();
  text = trim(text);
  std::vector<std::string> words = words_of(text.substr(0, text.find('\n')));
  alert.is_resolved = std::ranges::any_of(words, is_over);
  std::erase_if(words, [](const std::string& word) { return std::ranges::find(kStates, word) != std::end(kStates); });
  alert.fingerprint = cut_characters(join(words, " "), kMaxFingerprint);
  return alert;
}

std::string triage_key(const policy::Place& place, const Alert& alert) {
  return fmt::format("{}:{} {}", place.channel, place.id, alert.service);
}

store::MarkRow write_triage(std::string key, const TriageState& state, Timestamp now) {
  // It does not end: `changes` never goes back. There is one for each service and place.
  return {.kind = std::string(kTriageMark), .key = std::move(key), .body = json::serialize(to_json(state)), .at = now};
}

Result<TriageState> read_triage(const store::MarkRow& mark) {
  TRY(const json::value body, parse_json(mark.body));
  if (!body.is_object()) return fail(ErrorKind::internal, "the state of a service's alerts is damaged");
  return parse_arguments<TriageState>(body.get_object());
}

std::string thread_of(const Alert& alert, const TriageState& state, bool is_active) {
  const auto known = std::ranges::find(state.seen, alert.fingerprint, &SeenAlert::fingerprint);
  if (known != state.seen.end()) return known->conversation;
  return is_active ? state.conversation : std::string();
}

TriageDecision triage(const Alert& alert, const std::string& conversation, TriageState& state, bool is_active,
                      Timestamp now) {
  const std::int64_t at = to_millis(now);
  ++state.changes;
  std::erase_if(state.begun, [&](std::int64_t begun) { return begun <= to_millis(now - kHour); });
  std::erase_if(state.seen, [&](const SeenAlert& seen) { return seen.at <= to_millis(now - kOneThread); });
  const auto known = std::ranges::find(state.seen, alert.fingerprint, &SeenAlert::fingerprint);
  if (alert.is_resolved) {
    if (is_active) return TellRun{};
    if (known == state.seen.end()) return CountAlert{};
    CountAlert over{known->conversation, "The alert was resolved."};
    state.seen.erase(known);
    return over;
  }
  if (known != state.seen.end()) return count(alert, known->conversation, state);
  const bool is_one_burst =
      !state.begun.empty() && at - state.begun_at <= std::chrono::milliseconds(kOneRequest).count();
  if (state.seen.size() < kMaxSeen) {
    state.seen.push_back({alert.fingerprint, is_active || is_one_burst ? state.conversation : conversation, at});
  }
  if (is_active && is_one_burst) return TellRun{};
  // An investigation that was quicker than the burst has its thread all the same.
  if (is_active || is_one_burst) return count(alert, state.conversation, state);
  if (state.begun.size() >= kInvestigationsAnHour) return count(alert, conversation, state);
  state.begun.push_back(at);
  state.begun_at = at;
  state.conversation = conversation;
  state.not_investigated = 0;
  return Investigate{};
}

}  // namespace deputy::gateway

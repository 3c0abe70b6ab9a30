// Finds what a request is about by rules alone: deterministic, no model, no I/O, no clock. A fast model may fill the
// same struct (its JSON form is the list of fields below). The rules read ids, configured names, plain times, counts
// and the topics of tools; everything else in human language is left to a model.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

enum class IntentType { summarize, analyze, fetch, explain, act, chat };

constexpr auto choices_of(IntentType) {
  return std::array<std::pair<IntentType, std::string_view>, 6>{{{IntentType::summarize, "summarize"},
                                                                 {IntentType::analyze, "analyze"},
                                                                 {IntentType::fetch, "fetch"},
                                                                 {IntentType::explain, "explain"},
                                                                 {IntentType::act, "act"},
                                                                 {IntentType::chat, "chat"}}};
}

/// What must be read besides the request to understand it; enrichment fetches it.
enum class ContextRequirement { thread, channel_history, files };

constexpr auto choices_of(ContextRequirement) {
  return std::array<std::pair<ContextRequirement, std::string_view>, 3>{
      {{ContextRequirement::thread, "thread"},
       {ContextRequirement::channel_history, "channel_history"},
       {ContextRequirement::files, "files"}}};
}

constexpr int kMaxMessages = 100;
constexpr std::size_t kMaxKind = 20;  // entries in each list: services, ids, URLs

/// A span of the past: `from` is before `to`, and neither is in the future. Empty when the request names no time. Only
/// `problem` is set when it names a time that cannot be used.
struct TimeRange {
  std::optional<Timestamp> from;
  std::optional<Timestamp> to;
  std::optional<int> hours_back;  // how far back `from` lies, rounded up: for tools without a `from` parameter
  std::string description;        // as the request says it
  std::string problem;            // why the time cannot be used: "`2026-02-30` is not a date or time I can read"

  bool operator==(const TimeRange&) const = default;
  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using T = TimeRange;
    f.optional(&T::from, "from", "The beginning");
    f.optional(&T::to, "to", "The end");
    f.optional(&T::hours_back, "hours_back", "How many hours back the beginning lies, rounded up").at_least(1);
    f.optional(&T::description, "description", "The time in the words of the request").characters(0, 200);
    f.optional(&T::problem, "problem", "Why the time that the request names cannot be used").characters(0, 200);
  }
};

struct Parameters {
  std::vector<std::string> services;  // keys; a model may also report an unknown service, as the request spells it
  std::optional<std::string> environment;
  TimeRange time_range;
  std::vector<std::string> ticket_ids;
  std::vector<std::string> pr_ids;
  std::vector<std::string> incident_ids;
  std::vector<std::string> urls;
  std::optional<int> message_count;
  std::string text;  // words to look for: in quotes, or after "for", "about", "mentioning"

  bool operator==(const Parameters&) const = default;
  /// Whether anything is set besides the problem of a time.
  bool any() const { return *this != Parameters{.time_range = {.problem = time_range.problem}}; }

  template <class Fields>
  static void fields(Fields& f) {
    using P = Parameters;
    f.optional(&P::services, "services",
               "Keys of the services it is about; an unknown service as the request spells it")
        .items(0, kMaxKind);
    f.optional(&P::environment, "environment", "The environment it is about");
    f.optional(&P::time_range, "time_range", "The time it is about");
    f.optional(&P::ticket_ids, "ticket_ids", "Tickets it names, such as ABC-123").items(0, kMaxKind);
    f.optional(&P::pr_ids, "pr_ids", "Numbers of the pull requests it names").items(0, kMaxKind);
    f.optional(&P::incident_ids, "incident_ids", "Incidents it names").items(0, kMaxKind);
    f.optional(&P::urls, "urls", "URLs it contains").items(0, kMaxKind);
    f.optional(&P::message_count, "message_count", "How many messages, lines or results it asks for")
        .in_range(1, kMaxMessages);
    f.optional(&P::text, "text", "Words to look for, such as what log entries must hold").characters(0, 200);
  }
};

struct Intent {
  IntentType type = IntentType::chat;
  double confidence = 0;
  Parameters parameters;
  std::vector<ContextRequirement> context_requirements;
  std::vector<std::string> suggested_tools;        // best first
  std::vector<std::string> fallback_options;       // tools to try when those fail
  std::vector<std::string> clarifications_needed;  // questions to the requester

  bool operator==(const Intent&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using I = Intent;
    f.required(&I::type, "intent_type", "What the request wants");
    f.required(&I::confidence, "confidence", "How sure that is").in_range(0, 1);
    f.optional(&I::parameters, "parameters", "What the request names");
    f.optional(&I::context_requirements, "context_requirements", "What must be read to understand it");
    f.optional(&I::suggested_tools, "suggested_tools", "Tools that would answer it, best first").items(0, kMaxKind);
    f.optional(&I::fallback_options, "fallback_options", "Tools to try when those fail").items(0, kMaxKind);
    f.optional(&I::clarifications_needed, "clarifications_needed", "Questions that must be answered first")
        .items(0, kMaxKind);
  }
};

/// Takes any bytes; linear time. Nothing past the first 40,000 characters is read.
Intent extract(std::string_view request, const Vocabulary& vocabulary);

/// The short line a person sees first, "Searching logs of checkout…": what the first suggested tool shows while it
/// works. Configured names are the only words it repeats from the request.
std::string acknowledgement(const Intent& intent, const Vocabulary& vocabulary);

}  // namespace deputy::intent

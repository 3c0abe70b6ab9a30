#include "intent/plans.h"

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostBefore = 10;  // tokens
constexpr std::size_t kMostBetween = 5;

constexpr std::string_view kPlanners[] = {"we", "they", "i"};
constexpr std::string_view kPlanVerbs[] = {"deploy",  "release", "ship", "launch", "migrate",
                                           "upgrade", "meet",    "roll", "demo",   "redeploy"};
constexpr std::string_view kBeforeVerb[] = {"will", "also", "then", "usually", "plan", "want", "to"};
constexpr std::string_view kEvents[] = {"release",   "deploy",  "deployment",  "launch",      "rollout",
                                        "migration", "meeting", "maintenance", "freeze",      "cutover",
                                        "upgrade",   "demo",    "review",      "presentation"};
constexpr std::string_view kTakesPlace[] = {"is", "are", "starts", "begins", "happens"};
constexpr std::string_view kBehindIs[] = {"scheduled", "planned", "set", "due", "again", "only", "out", "live"};

bool ends_clause(const Token& token) {
  return token.kind == TokenKind::symbol && std::string_view(".,:;!?()").contains(token.text[0]);
}

/// Where the clause begins that the token stands in, or as far back as is looked.
std::size_t clause_begin(const Tokens& tokens, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && at - first < kMostBefore && !tokens.sentence_starts(first) && !ends_clause(tokens[first - 1])) {
    --first;
  }
  return first;
}

/// "we deploy", "we will go live"; behind it anything but a question.
bool plans_to(const Tokens& tokens, std::size_t at) {
  if (!contains(kPlanners, tokens[at].lower)) return false;
  std::size_t verb = at + 1;
  while (verb < at + kMostBetween && contains(kBeforeVerb, tokens[verb].lower)) ++verb;
  const std::size_t behind = tokens[verb + 1].is_symbol('-') ? verb + 2 : verb + 1;
  return contains(kPlanVerbs, tokens[verb].lower) || (tokens[verb].is("go") && tokens[behind].is("live"));
}

/// "the release is", right before the time.
bool event_takes_place(const Tokens& tokens, std::size_t at, std::size_t time) {
  if (!contains(kEvents, tokens[at].lower) || !contains(kTakesPlace, tokens[at + 1].lower)) return false;
  const std::size_t behind = contains(kBehindIs, tokens[at + 2].lower) ? at + 3 : at + 2;
  return behind == time;
}

/// "we have a release", "there is a release", right before the time.
bool has_event(const Tokens& tokens, std::size_t at, std::size_t time) {
  const bool has = contains(kPlanners, tokens[at].lower) && tokens[at + 1].is("have");
  const bool there_is = tokens[at].is("there") && tokens[at + 1].is("is");
  return (has || there_is) && contains(kEvents, tokens[time - 1].lower);
}

}  // namespace

bool is_of_a_plan(const Tokens& tokens, std::size_t first, std::size_t next) {
  if (tokens.sentence_starts(first)) return plans_to(tokens, next);
  const std::size_t begin = clause_begin(tokens, first);
  for (std::size_t at = first; at-- > begin;) {
    if (contains(kData, tokens[at].lower)) return false;
    if (plans_to(tokens, at) || event_takes_place(tokens, at, first) || has_event(tokens, at, first)) return true;
  }
  return false;
}

bool says_past(const Tokens& tokens, std::size_t first, std::size_t next) {
  static constexpr std::string_view kPast[] = {"yesterday", "yesterdays", "gestern", "last", "past",
                                               "previous",  "ago",        "today",   "this"};
  for (std::size_t at = first; at < next; ++at) {
    const bool year = all_digits(tokens[at].lower) && tokens[at].lower.size() == 4;
    if (year || contains(kPast, tokens[at].lower)) return true;
  }
  return false;
}

}  // namespace deputy::intent

#include "intent/intent.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "intent/ids.h"
#include "intent/match.h"
#include "intent/names.h"
#include "intent/time_range.h"

namespace deputy::intent {

void TimeRange::check(FieldReader& reader) const {
  if (from && to && *from > *to) reader.problem("`from` is after `to`", "give the earlier moment as `from`");
}

namespace {

constexpr std::size_t kMaxTextWords = 5;
constexpr std::size_t kMaxText = 200;

/// The first words in quotes that no other rule has claimed.
std::string quoted_text(const Tokens& tokens, const Claims& claims) {
  const std::vector<bool> quoted = find_quoted(tokens);
  for (std::size_t first = 0; first < tokens.size(); ++first) {
    if (!quoted[first]) continue;
    std::size_t next = first;
    bool claimed = false;
    for (; next < tokens.size() && quoted[next]; ++next) claimed = claimed || claims[next];
    if (!claimed) return std::string(tokens.text(first, next));
    first = next;
  }
  return {};
}

constexpr std::string_view kCues[] = {"for",        "about",   "with",     "mention",    "mentions",
                                      "mentioning", "contain", "contains", "containing", "saying",
                                      "find",       "grep",    "seen"};
constexpr std::string_view kArticles[] = {"the", "a", "an", "any", "word", "text", "out"};
constexpr std::string_view kEnds[] = {"in", "on", "of", "from", "at", "before", "earlier", "since", "and", "it"};

/// The words to look for when they are not in quotes: "search the code for retry logic", "which files mention
/// deadlock?".
std::string text_behind_cue(const Tokens& tokens, const Claims& claims, const std::vector<KnownTool>& tools) {
  std::set<std::string> titles;  // "check the logs for errors" looks for what a tool is about, not for a word
  for (const KnownTool& tool : tools) {
    if (!tool.topics.words.empty()) titles.insert(stem(tool.topics.words.front()));
  }
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!contains(kCues, tokens[at].lower) || claims[at]) continue;
    std::size_t first = at + 1;
    while (contains(kArticles, tokens[first].lower)) ++first;
    std::size_t next = first;
    bool says_something = false;
    for (std::size_t words = 0; words < kMaxTextWords && tokens[next].is_word() && !claims[next]; ++words) {
      if (contains(kEnds, tokens[next].lower) || tokens.sentence_starts(next)) break;
      says_something = says_something || !tokens[at].is("for") || !titles.contains(stem(tokens[next].lower));
      ++next;
      while (tokens.tied_behind(next - 1)) next += 2;
    }
    if (says_something) return std::string(tokens.text(first, next));
  }
  return {};
}

/// The words from a token on that no rule has claimed, without the small words between them.
std::string words_from(const Tokens& tokens, const Claims& claims, std::size_t first) {
  std::string words;
  for (std::size_t at = first; at < tokens.size(); ++at) {
    const std::string_view word = tokens[at].lower;
    const bool is_small = contains(kArticles, word) || contains(kEnds, word) || contains(kCues, word);
    if (!tokens[at].is_word() || claims[at] || is_small) continue;
    const std::size_t begin = at;
    while (tokens.tied_behind(at)) at += 2;
    words += fmt::format("{}{}", words.empty() ? "" : " ", tokens.text(begin, at + 1));
  }
  return words;
}

/// What a tool looks for that takes the request's own words: what follows its last topic in the request, "where do we
/// retry payments". A topic of one word that is not the tool's title is looked for itself, with the names that are
/// configured: "cpu of checkout in prod". Text that was found elsewhere in the request stays.
std::string text_for(const KnownTool& tool, const Tokens& tokens, const Claims& claims, const Parameters& named) {
  std::optional<Phrase> last;
  bool is_looked_for = false;
  for (const std::string& topic : tool.topics.words) {
    const std::optional<Phrase> said = find_phrase(tokens, claims, topic);
    if (!said || (last && said->first < last->first)) continue;
    last = said;
    is_looked_for = topic != tool.topics.words.front() && said->next == said->first + 1;
  }
  if (!last) return named.text;
  std::string words = words_from(tokens, claims, is_looked_for ? last->first : last->next);
  if (!words.contains(named.text)) return named.text;
  for (const std::string& service : is_looked_for ? named.services : std::vector<std::string>()) words += " " + service;
  return words + (is_looked_for && named.environment ? " " + *named.environment : "");
}

/// Rules tell only a change, a lookup and a chat apart; the other types need a model.
IntentType type_of(const Tokens& tokens, const Intent& intent) {
  if (orders_change(tokens)) return IntentType::act;
  return intent.parameters.any() || !intent.suggested_tools.empty() ? IntentType::fetch : IntentType::chat;
}

void ask_for_what_is_missing(const std::vector<std::string>& environments, const Vocabulary& vocabulary,
                             Intent& intent) {
  // A change is made now; a time in such a request belongs to its reason.
  const std::string& problem = intent.parameters.time_range.problem;
  if (!problem.empty() && intent.type != IntentType::act)
    intent.clarifications_needed.push_back(fmt::format("Which time do you mean? {}.", problem));
  if (intent.suggested_tools.empty()) return;
  const auto best = std::ranges::find(vocabulary.tools, intent.suggested_tools.front(), &KnownTool::name);
  for (const KnownParameter& parameter : best->parameters) {
    if (parameter.kind == ParameterKind::service && parameter.required && intent.parameters.services.empty())
      intent.clarifications_needed.emplace_back("Which service?");
  }
  std::vector<std::string> names = environments;
  if (names.empty()) {
    for (const auto& [name, others] : vocabulary.environments) names.push_back(name);
  }
  if (best->takes(ParameterKind::environment) && !intent.parameters.environment && !names.empty()) {
    const std::string last = std::move(names.back());
    names.pop_back();
    intent.clarifications_needed.push_back(
        fmt::format("Which environment: {}{}{}?", join(names, ", "), names.empty() ? "" : " or ", last));
  }
}

}  // namespace

Intent extract(std::string_view request, const Vocabulary& vocabulary) {
  const Tokens tokens(request);
  Claims claims(tokens.size(), false);
  for (std::size_t at = 0; at < opener_length(tokens); ++at) claims[at] = true;  // "what about" names nothing
  Intent intent;
  Parameters& parameters = intent.parameters;
  // Names before times: a service may be called `yesterday`, so its name must be claimed first.
  find_ids(tokens, parameters, claims);
  parameters.services = find_services(tokens, vocabulary, claims);
  const std::vector<std::string> environments = find_environments(tokens, vocabulary, claims);
  if (environments.size() == 1) parameters.environment = environments.front();
  parameters.time_range = find_time_range(tokens, vocabulary, claims);
  const std::string quoted = quoted_text(tokens, claims);
  parameters.text = quoted.empty() ? text_behind_cue(tokens, claims, vocabulary.tools) : quoted;
  parameters.text = cut_characters(parameters.text, kMaxText);

  intent.suggested_tools = match(tokens, claims, parameters, vocabulary.tools);
  if (quoted.empty() && !intent.suggested_tools.empty()) {
    const auto best = std::ranges::find(vocabulary.tools, intent.suggested_tools.front(), &KnownTool::name);
    const bool takes_words = best->reads && std::ranges::any_of(best->parameters, [](const KnownParameter& one) {
                               return one.required && one.kind == ParameterKind::text;
                             });
    if (takes_words) parameters.text = cut_characters(text_for(*best, tokens, claims, parameters), kMaxText);
  }
  intent.type = type_of(tokens, intent);
  intent.confidence = !intent.suggested_tools.empty() ? 0.8 : intent.type == IntentType::chat ? 0.3 : 0.5;
  ask_for_what_is_missing(environments, vocabulary, intent);
  return intent;
}

std::string acknowledgement(const Intent& intent, const Vocabulary& vocabulary) {
  if (intent.type == IntentType::act) return "Preparing that…";
  const auto best = intent.suggested_tools.empty()
                        ? vocabulary.tools.end()
                        : std::ranges::find(vocabulary.tools, intent.suggested_tools.front(), &KnownTool::name);
  if (best == vocabulary.tools.end() || best->topics.working.empty())
    return intent.type == IntentType::chat ? "One moment…" : "Looking into it…";
  const std::string line = fill_in(best->topics.working, [&](ParameterKind kind) {
    if (kind == ParameterKind::service) return join(intent.parameters.services, ", ");
    if (kind == ParameterKind::environment) return intent.parameters.environment.value_or("");
    return std::string();
  });
  return line.ends_with("…") ? line : line + "…";
}

}  // namespace deputy::intent

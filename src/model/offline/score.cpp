#include "model/offline/score.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/offline/choose.h"
#include "model/offline/find_text.h"
#include "model/offline/roles.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

// What a shared word is worth, by where the tool has it. A concept is a word of the same meaning.
constexpr double kInName = 3;
constexpr double kConceptInName = 2.2;
constexpr double kInDescription = 1.5;
constexpr double kConceptInDescription = 1.1;
constexpr double kInParameters = 0.4;
constexpr double kVerb = 0.4;        // of such a word's worth: "search" says less than "logs"
constexpr double kLookedFor = 0.25;  // the same of what stands behind "about": it is looked for, not where to look
constexpr double kWholeName = 1.5;   // the request has every word of the name
constexpr double kNamedThing = 4;    // the request names a ticket, and the tool takes one
constexpr double kNamedPath = 4;
constexpr double kServiceNamed = 0.8;
constexpr double kUnnamed = 1;       // the same for a service, an environment, a repository or a channel
constexpr double kUnknownThing = 3;  // taken off: the tool needs an id, and the request has none
constexpr double kCommonness = 0.3;  // how much less a word says for each doubling of the tools that have it

constexpr std::size_t kMostWords = 80;

Stems set_of(const std::vector<std::string>& stems) { return {stems.begin(), stems.end()}; }

Stems concepts_of(const Stems& stems) {
  Stems concepts;
  for (const std::string& word : stems) concepts.insert(concept_of(word));
  return concepts;
}

/// How many things of the role the request names; nothing when it is no such role.
std::optional<std::size_t> named(const intent::Parameters& parameters, ParameterRole role) {
  switch (role) {
    case ParameterRole::ticket:
      return parameters.ticket_ids.size();
    case ParameterRole::pull_request:
      return parameters.pr_ids.size();
    case ParameterRole::incident:
      return parameters.incident_ids.size();
    case ParameterRole::url:
      return parameters.urls.size();
    default:
      return std::nullopt;
  }
}

bool is_id(const Parameter& parameter) {
  const std::vector<std::string> parts = parts_of(parameter.name);
  return !parts.empty() && (parts.back() == "id" || parts.back() == "key" || parts.back() == "number");
}

double worth(const ToolWords& tool, const std::string& word, const std::string& thing) {
  if (tool.name.contains(word)) return kInName;
  if (tool.name_concepts.contains(thing)) return kConceptInName;
  if (tool.description.contains(word)) return kInDescription;
  if (tool.description_concepts.contains(thing)) return kConceptInDescription;
  return tool.parameters.contains(word) ? kInParameters : 0;
}

/// What the request names, told once for all tools. A service by the intent or by its form: who made no intent knows
/// none.
struct Names {
  explicit Names(const Conversation& conversation) {
    const TextFinder text(conversation, {});
    service = !conversation.intent.parameters.services.empty() || !text.services().empty();
    environment = conversation.intent.parameters.environment.has_value();
    channel = text.channel().has_value();
    path = text.path().has_value();
  }
  bool service, environment, channel, path;
};

/// Whether the request says what a parameter of the role is filled with, as far as that is known beforehand.
bool is_named(ParameterRole role, const Names& names, const TextFinder& text) {
  if (role == ParameterRole::query) return text.has_query();
  if (role == ParameterRole::service || role == ParameterRole::repository) return names.service;
  if (role == ParameterRole::environment) return names.environment;
  if (role == ParameterRole::path) return names.path;
  return role != ParameterRole::channel || names.channel;
}

/// An issue that is looked into is trouble, one that is read is a ticket.
void tell_issues_apart(ToolWords& words) {
  static const std::string kInvestigate = concept_of(stem("investigate"));
  static const std::string kTicket = concept_of(stem("issue"));
  if (!words.name_concepts.contains(kInvestigate)) return;
  words.name_concepts.erase(kTicket);
  words.description_concepts.erase(kTicket);
}

ToolWords words_of(const ToolDescription& tool, const Conversation& conversation, const Names& names) {
  ToolWords words;
  words.tool = &tool;
  words.writes = looks_like_writing(tool);
  words.name = set_of(stems_of(tool.name));
  words.name_concepts = concepts_of(words.name);
  words.description = set_of(stems_of(tool.description));
  words.description_concepts = concepts_of(words.description);
  tell_issues_apart(words);
  std::vector<ParameterRole> required;
  TextFinder text(conversation, tool);
  for (const std::string& service : conversation.intent.parameters.services) text.claim(service);
  for (const std::string& service : text.services()) text.claim(service);
  for (const Parameter& parameter : parameters_of(tool.params)) {
    words.parameters.merge(set_of(stems_of(parameter.name)));
    words.parameters.merge(set_of(stems_of(parameter.doc)));
    const ParameterRole role = role_of(tool, parameter);
    if (role == ParameterRole::service) words.takes_service = true;
    if (role == ParameterRole::environment) words.takes_environment = true;
    if (role == ParameterRole::query || role == ParameterRole::description) words.takes_text = true;
    const std::optional<std::size_t> count = named(conversation.intent.parameters, role);
    if (count && *count > 0) words.named_things += kNamedThing;
    if (!parameter.required) continue;
    required.push_back(role);
    if (role == ParameterRole::path && names.path) words.named_things += kNamedPath;
    if (count ? *count == 0 : is_id(parameter)) {
      words.unknown_things = std::max(words.unknown_things, kUnknownThing);
    } else if (!is_named(role, names, text)) {
      words.unknown_things = std::max(words.unknown_things, kUnnamed);
    }
  }
  words.needs_service_only = required == std::vector{ParameterRole::service};
  words.needs_query_only = required == std::vector{ParameterRole::query};
  words.needs_command_only = required == std::vector{ParameterRole::command};
  words.hands_on = required == std::vector{ParameterRole::description};
  return words;
}

}  // namespace

Scorer::Scorer(const std::vector<ToolDescription>& tools, const Conversation& conversation) {
  const Names names(conversation);
  service_is_named_ = names.service;
  for (const ToolDescription& tool : tools) {
    if (is_talk_tool(tool)) continue;
    tools_.push_back(words_of(tool, conversation, names));
    Stems seen = tools_.back().name_concepts;
    seen.insert(tools_.back().description_concepts.begin(), tools_.back().description_concepts.end());
    for (const std::string& word : seen) ++tools_with_[word];
  }
}

Score Scorer::score(const ToolWords& tool, const TellingWords& request) const {
  Score score;
  Stems counted;
  std::unordered_map<std::string, double> covered;  // of the name, and how surely
  for (const auto& [word, weight] : request) {
    if (!counted.insert(word).second) continue;
    const std::string thing = concept_of(word);
    const double value = worth(tool, word, thing);
    const bool verb = is_reading_verb(word);
    if (value >= kConceptInDescription && !verb) ++score.things;
    if (value >= kConceptInName) {
      covered.emplace(thing, weight);
      ++score.words_in_name;
      if (!verb) ++score.things_in_name;
    }
    score.total += value * rarity(thing) * weight * (verb && !tool.writes ? kVerb : 1.0);
  }
  double things = 0;
  double found = 0;
  for (const std::string& word : tool.name) {
    if (is_reading_verb(word)) continue;
    ++things;
    if (const auto at = covered.find(concept_of(word)); at != covered.end()) found += at->second;
  }
  if (things > 0) score.total += kWholeName * found / things;
  score.total += tool.named_things;
  if (score.things > 0 && tool.takes_service && service_is_named_) score.total += kServiceNamed;
  score.total -= tool.unknown_things;
  return score;
}

/// What every tool has says nothing.
double Scorer::rarity(const std::string& thing) const {
  const auto found = tools_with_.find(thing);
  return found == tools_with_.end() ? 1 : 1 / (1 + kCommonness * std::log2(found->second));
}

TellingWords telling_words(const std::vector<Piece>& pieces, std::size_t first, std::size_t last) {
  static constexpr std::string_view kCues[] = {"about", "mentioning", "containing", "regarding", "matching", "saying"};
  TellingWords words;
  double weight = 1;
  for (std::size_t at = first; at < last && words.size() < kMostWords; ++at) {
    const Piece& piece = pieces[at];
    const bool cue = contains(kCues, piece.lower) || piece.lower == "for";
    if (cue && !words.empty()) weight = kLookedFor;
    if (piece.kind == PieceKind::quoted || piece.kind == PieceKind::url) continue;
    for (std::string& word : stems_of(piece.kind == PieceKind::word ? piece.lower : piece.text)) {
      if (!is_filler(word)) words.push_back({std::move(word), weight});
    }
    if (piece.lower == "on-call" || (at > first && piece.lower == "call" && pieces[at - 1].lower == "on")) {
      words.push_back({stem("oncall"), weight});
    }
  }
  return words;
}

}  // namespace deputy::model::offline

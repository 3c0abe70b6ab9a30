#include "model/offline/choose.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "model/offline/find_text.h"
#include "model/offline/pieces.h"
#include "model/offline/roles.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

using Stems = std::unordered_set<std::string>;

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
constexpr double kServiceNamed = 0.8;
constexpr double kUnknownThing = 3;  // taken off: the tool needs an id, and the request has none
constexpr double kSuggested = 2;
constexpr double kLeastScore = 1;
constexpr double kCommonness = 0.3;  // how much less a word says for each doubling of the tools that have it

constexpr std::size_t kMostWords = 80;
constexpr std::size_t kMostClauses = 8;

struct ToolWords {
  const ToolDescription* tool = nullptr;
  bool writes = false;
  Stems name, name_concepts, description, description_concepts, parameters;
  bool takes_service = false;
  double named_things = 0;
  bool needs_unknown = false;
  bool needs_service_only = false;
};

struct Score {
  double total = 0;
  int things = 0;  // words of the request that the tool has, but for verbs such as "show"
  int things_in_name = 0;
  int words_in_name = 0;
};

/// A word of the request that says what it is about.
struct Telling {
  std::string word;
  double weight = 1;
};
using TellingWords = std::vector<Telling>;

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

ToolWords words_of(const ToolDescription& tool, const intent::Parameters& named_in_request) {
  ToolWords words;
  words.tool = &tool;
  words.writes = looks_like_writing(tool);
  words.name = set_of(stems_of(tool.name));
  words.name_concepts = concepts_of(words.name);
  words.description = set_of(stems_of(tool.description));
  words.description_concepts = concepts_of(words.description);
  std::size_t required = 0;
  bool needs_service = false;
  for (const Parameter& parameter : parameters_of(tool.params)) {
    words.parameters.merge(set_of(stems_of(parameter.name)));
    words.parameters.merge(set_of(stems_of(parameter.doc)));
    const ParameterRole role = role_of(tool, parameter);
    if (role == ParameterRole::service) words.takes_service = true;
    if (parameter.required) ++required;
    if (parameter.required && role == ParameterRole::service) needs_service = true;
    const std::optional<std::size_t> count = named(named_in_request, role);
    if (count && *count > 0) words.named_things += kNamedThing;
    if (parameter.required && count && *count == 0) words.needs_unknown = true;
    if (parameter.required && !count && is_id(parameter)) words.needs_unknown = true;
  }
  words.needs_service_only = needs_service && required == 1;
  return words;
}

/// By the intent, or by its form: who made no intent knows no service.
bool names_a_service(const Conversation& conversation) {
  if (!conversation.intent.parameters.services.empty()) return true;
  return !TextFinder(conversation, {}).services().empty();
}

class Scorer {
 public:
  Scorer(const std::vector<ToolDescription>& tools, const Conversation& conversation)
      : service_is_named_(names_a_service(conversation)) {
    for (const ToolDescription& tool : tools) {
      if (is_talk_tool(tool)) continue;
      tools_.push_back(words_of(tool, conversation.intent.parameters));
      Stems seen = tools_.back().name_concepts;
      seen.insert(tools_.back().description_concepts.begin(), tools_.back().description_concepts.end());
      for (const std::string& word : seen) ++tools_with_[word];
    }
  }

  const std::vector<ToolWords>& tools() const { return tools_; }
  bool service_is_named() const { return service_is_named_; }

  Score score(const ToolWords& tool, const TellingWords& request) const {
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
    if (tool.needs_unknown) score.total -= kUnknownThing;
    return score;
  }

 private:
  static double worth(const ToolWords& tool, const std::string& word, const std::string& thing) {
    if (tool.name.contains(word)) return kInName;
    if (tool.name_concepts.contains(thing)) return kConceptInName;
    if (tool.description.contains(word)) return kInDescription;
    if (tool.description_concepts.contains(thing)) return kConceptInDescription;
    return tool.parameters.contains(word) ? kInParameters : 0;
  }
  /// What every tool has says nothing.
  double rarity(const std::string& thing) const {
    const auto found = tools_with_.find(thing);
    return found == tools_with_.end() ? 1 : 1 / (1 + kCommonness * std::log2(found->second));
  }

  bool service_is_named_;
  std::vector<ToolWords> tools_;
  std::unordered_map<std::string, int> tools_with_;
};

TellingWords telling_words(const std::vector<Piece>& pieces, std::size_t first, std::size_t last) {
  static constexpr std::string_view kCues[] = {"about", "mentioning", "containing", "regarding", "matching", "saying"};
  TellingWords words;
  double weight = 1;
  for (std::size_t at = first; at < last && words.size() < kMostWords; ++at) {
    const Piece& piece = pieces[at];
    const bool cue = std::ranges::find(kCues, piece.lower) != std::end(kCues) || piece.lower == "for";
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

/// "errors and open incidents, also the alarms": what may be asked for apart.
std::vector<TellingWords> clauses_of(const std::vector<Piece>& pieces) {
  static constexpr std::string_view kJoints[] = {"and", "plus", "also", "und"};
  std::vector<TellingWords> clauses;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= pieces.size() && clauses.size() < kMostClauses; ++at) {
    const bool joint = at < pieces.size() && std::ranges::find(kJoints, pieces[at].lower) != std::end(kJoints);
    if (at < pieces.size() && !joint && !pieces[at].breaks) continue;
    if (TellingWords words = telling_words(pieces, first, at); !words.empty()) clauses.push_back(std::move(words));
    first = joint ? at + 1 : at;
  }
  return clauses;
}

struct Ranked {
  const ToolWords* tool = nullptr;
  Score score;
};

class Chooser {
 public:
  Chooser(const Conversation& conversation, const std::vector<ToolDescription>& tools)
      : conversation_(conversation),
        pieces_(pieces_of(conversation.request)),
        words_(telling_words(pieces_, 0, pieces_.size())),
        scorer_(tools, conversation),
        acts_(wants_a_change()) {}

  Choice choose() {
    const std::vector<Ranked> ranked = rank(words_);
    add_first(ranked);
    if (choice_.tools.empty() && !acts_) add_about_service(ranked);
    if (choice_.tools.empty() && conversation_.intent.type == intent::IntentType::explain) add_documentation();
    if (!acts_ && !choice_.tools.empty()) add_others();
    add_next(ranked);
    return std::move(choice_);
  }

 private:
  bool chosen(const ToolWords& tool) const {
    return std::ranges::find(choice_.tools, tool.tool) != choice_.tools.end();
  }

  bool suggested(const ToolWords& tool) const {
    const auto& names = conversation_.intent.suggested_tools;
    return std::ranges::find(names, tool.tool->name) != names.end();
  }

  /// The intent says so; or it has no opinion, and the request begins with the verb of a tool that writes.
  bool wants_a_change() const {
    if (conversation_.intent.type != intent::IntentType::chat) {
      return conversation_.intent.type == intent::IntentType::act;
    }
    if (words_.empty() || is_reading_verb(words_.front().word)) return false;
    const std::string verb = concept_of(words_.front().word);
    return is_writing_verb(verb) && std::ranges::any_of(scorer_.tools(), [&](const ToolWords& tool) {
             return tool.writes && tool.name_concepts.contains(verb);
           });
  }

  std::vector<Ranked> rank(const TellingWords& words) const {
    std::vector<Ranked> ranked;
    for (const ToolWords& tool : scorer_.tools()) {
      Score score = scorer_.score(tool, words);
      if (suggested(tool)) score.total += kSuggested;
      ranked.push_back({&tool, score});
    }
    // Tools come sorted by name, and so do those of one score.
    std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) {
      return a.score.total != b.score.total ? a.score.total > b.score.total : a.tool < b.tool;
    });
    return ranked;
  }

  bool fits(const Ranked& one) const {
    if (one.score.total < kLeastScore) return false;
    if (one.tool->writes != acts_) return false;
    if (acts_) return one.score.words_in_name > 0;
    return one.score.things > 0 || one.tool->named_things > 0 || suggested(*one.tool);
  }

  void add_first(const std::vector<Ranked>& ranked) {
    for (const std::string& name : conversation_.intent.suggested_tools) {
      const auto found = std::ranges::find(scorer_.tools(), name, [](const ToolWords& one) { return one.tool->name; });
      if (found == scorer_.tools().end() || found->writes != acts_) continue;
      choice_.tools.push_back(found->tool);
      return;
    }
    const auto best = std::ranges::find_if(ranked, [&](const Ranked& one) { return fits(one); });
    if (best != ranked.end()) {
      choice_.tools.push_back(best->tool->tool);
      return;
    }
    // "Run a search for …" asks for a change by its verb alone: a tool that reads will do if its whole name is meant.
    if (!acts_) return;
    const auto reading = std::ranges::find_if(ranked, [&](const Ranked& one) {
      return !one.tool->writes && one.score.words_in_name >= 2 && one.score.total >= kLeastScore;
    });
    if (reading != ranked.end()) choice_.tools.push_back(reading->tool->tool);
  }

  /// "What is X?", where X is a service: a tool that needs nothing but one.
  void add_about_service(const std::vector<Ranked>& ranked) {
    if (!scorer_.service_is_named()) return;
    const auto found = std::ranges::find_if(
        ranked, [](const Ranked& one) { return one.tool->needs_service_only && !one.tool->writes; });
    if (found != ranked.end()) choice_.tools.push_back(found->tool->tool);
  }

  /// What nothing else explains may be written down somewhere.
  void add_documentation() {
    const std::vector<Ranked> ranked = rank({{stem("documentation"), 1}});
    const auto found =
        std::ranges::find_if(ranked, [&](const Ranked& one) { return fits(one) && one.score.things > 0; });
    if (found != ranked.end()) choice_.tools.push_back(found->tool->tool);
  }

  /// One tool for each clause that speaks of something no chosen tool is about.
  void add_others() {
    const std::vector<TellingWords> clauses = clauses_of(pieces_);
    if (clauses.size() < 2) return;
    for (const TellingWords& clause : clauses) {
      if (choice_.tools.size() >= kMostCallsATurn) return;
      const std::vector<Ranked> ranked = rank(clause);
      const auto best =
          std::ranges::find_if(ranked, [&](const Ranked& one) { return fits(one) && one.score.things_in_name > 0; });
      if (best == ranked.end() || chosen(*best->tool) || covered(clause, *best->tool)) continue;
      choice_.tools.push_back(best->tool->tool);
    }
  }

  /// Whether what the tool would be called for is what a chosen tool is called for already.
  bool covered(const TellingWords& clause, const ToolWords& tool) const {
    return std::ranges::all_of(clause, [&](const Telling& telling) {
      const std::string thing = concept_of(telling.word);
      if (is_reading_verb(telling.word) || !tool.name_concepts.contains(thing)) return true;
      return std::ranges::any_of(scorer_.tools(), [&](const ToolWords& other) {
        return chosen(other) && other.name_concepts.contains(thing);
      });
    });
  }

  void add_next(const std::vector<Ranked>& ranked) {
    for (const Ranked& one : ranked) {
      if (one.score.total < kLeastScore) break;
      if (one.score.things == 0 && !suggested(*one.tool)) continue;
      if (!one.tool->writes && !chosen(*one.tool)) choice_.next.push_back(one.tool->tool);
    }
  }

  const Conversation& conversation_;
  std::vector<Piece> pieces_;
  TellingWords words_;
  Scorer scorer_;
  bool acts_;
  Choice choice_;
};

}  // namespace

bool looks_like_writing(const ToolDescription& tool) {
  static constexpr std::string_view kOrders[] = {"update", "set",  "create", "delete", "remove", "add",  "edit",
                                                 "write",  "post", "send",   "upload", "reset",  "clear"};
  static constexpr std::string_view kReports[] = {"history", "status", "details", "info", "list", "report", "summary"};
  const std::vector<std::string> name = parts_of(tool.name);
  const bool reports = !name.empty() && std::ranges::find(kReports, name.back()) != std::end(kReports);
  // The verb nearest to the beginning decides: `list_open_prs` reads, `add_comment` writes. What is a plural
  // (`pipeline_runs`) or what a report is of (`deploy_history`) is no verb.
  for (const std::string& word : name) {
    if (is_reading_verb(stem(word))) return false;
    if (!is_writing_verb(stem(word)) || word.ends_with('s')) continue;
    if (!reports || std::ranges::find(kOrders, word) != std::end(kOrders)) return true;
  }
  const std::vector<std::string> description = stems_of(tool.description, 1);
  return !reports && !description.empty() && is_writing_verb(description.front());
}

bool is_talk_tool(const ToolDescription& tool) {
  return tool.name == kAskUser || tool.name == "respond_directly" || tool.name == "read_result";
}

Choice choose(const Conversation& conversation, const std::vector<ToolDescription>& tools) {
  return Chooser(conversation, tools).choose();
}

}  // namespace deputy::model::offline

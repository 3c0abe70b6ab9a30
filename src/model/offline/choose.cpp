#include "model/offline/choose.h"

#include <algorithm>

#include "base/text.h"
#include "model/offline/score.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

constexpr double kSuggested = 2;         // points for a tool that the intent suggests
constexpr double kSuggestedFirst = 1.5;  // and more for its first, half of it for its second …
constexpr std::size_t kMostClauses = 8;

/// "errors and open incidents, also the alarms": what may be asked for apart.
std::vector<TellingWords> clauses_of(const std::vector<Piece>& pieces) {
  static constexpr std::string_view kJoints[] = {"and", "plus", "also", "und"};
  std::vector<TellingWords> clauses;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= pieces.size() && clauses.size() < kMostClauses; ++at) {
    const bool joint = at < pieces.size() && contains(kJoints, pieces[at].lower);
    if (at < pieces.size() && !joint && !pieces[at].breaks) continue;
    if (TellingWords words = telling_words(pieces, first, at); !words.empty()) clauses.push_back(std::move(words));
    first = joint ? at + 1 : at;
  }
  return clauses;
}

Stems stem_set(std::string_view text) {
  const std::vector<std::string> stems = stems_of(text);
  return {stems.begin(), stems.end()};
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
        acts_(conversation.intent.type == intent::IntentType::act),
        not_offered_(find_not_offered(tools)) {}

  Choice choose() {
    const std::vector<Ranked> ranked = rank(words_);
    if (acts_ && holds_command()) {
      add_for_command(ranked);
      if (choice_.tools.empty()) add_suggested(ranked);
    } else {
      add_first(ranked);
    }
    if (choice_.tools.empty()) choice_.not_offered = not_offered_;
    if (none() && !acts_) add_for_quote(ranked);
    if (none() && !acts_) add_about_service(ranked);
    if (none() && conversation_.intent.type == intent::IntentType::explain) add_documentation();
    if (!acts_ && !choice_.tools.empty()) add_others();
    add_next(ranked);
    return std::move(choice_);
  }

 private:
  bool none() const { return choice_.tools.empty() && choice_.not_offered.empty(); }

  /// The intent suggests what exists. Where none of that is offered, its first is what the request wants and nobody has
  /// set up: who calls it is told which setting is missing.
  std::string find_not_offered(const std::vector<ToolDescription>& tools) const {
    const auto& names = conversation_.intent.suggested_tools;
    const auto is_offered = [&](const std::string& name) { return contains(tools, name, &ToolDescription::name); };
    if (!conversation_.intent_was_given || names.empty() || std::ranges::any_of(names, is_offered)) return {};
    // In an investigation the tool that starts one is not offered, set up or not.
    const auto looks_itself = std::ranges::find_if_not(
        names, [](const std::string& name) { return stem_set(name).contains(stem("investigate")); });
    return looks_itself == names.end() ? names.front() : *looks_itself;
  }

  bool chosen(const ToolWords& tool) const { return contains(choice_.tools, tool.tool); }

  bool suggested(const ToolWords& tool) const {
    const auto& names = conversation_.intent.suggested_tools;
    return contains(names, tool.tool->name);
  }

  double points_for_suggestion(const ToolWords& tool) const {
    const auto& names = conversation_.intent.suggested_tools;
    const auto found = std::ranges::find(names, tool.tool->name);
    if (found == names.end()) return 0;
    return kSuggested + kSuggestedFirst / static_cast<double>(1 + (found - names.begin()));
  }

  std::vector<Ranked> rank(const TellingWords& words) const {
    std::vector<Ranked> ranked;
    for (const ToolWords& tool : scorer_.tools()) {
      Score score = scorer_.score(tool, words);
      score.total += points_for_suggestion(tool);
      ranked.push_back({&tool, score});
    }
    // Tools come sorted by name, and so do those of one score.
    std::ranges::sort(ranked, [](const Ranked& a, const Ranked& b) {
      return a.score.total != b.score.total ? a.score.total > b.score.total : a.tool < b.tool;
    });
    return ranked;
  }

  /// The request says what entries must hold: a suggested tool that cannot be told so would answer more than was asked,
  /// where another can.
  bool drops_text(const ToolWords& tool) const {
    if (conversation_.intent.parameters.text.empty() || tool.takes_text || !suggested(tool)) return false;
    return std::ranges::any_of(
        scorer_.tools(), [&](const ToolWords& other) { return other.takes_text && !other.writes && suggested(other); });
  }

  bool fits(const Ranked& one) const {
    if (one.score.total < kLeastScore) return false;
    if (one.tool->writes != acts_ || drops_text(*one.tool)) return false;
    if (one.tool->hands_on && !says_what_it_is(*one.tool)) return false;
    if (acts_) return (one.score.words_in_name > 0 && may_delete(*one.tool)) || suggested(*one.tool);
    // Where the tool that is meant is not set up, a word in another's description does not make that one meant.
    if (!not_offered_.empty()) return names_its_matter(*one.tool) || one.tool->named_things > 0;
    return one.score.things > 0 || one.tool->named_things > 0 || suggested(*one.tool);
  }

  /// The request has what the tool is about in its name; that it is about a service says too little.
  bool names_its_matter(const ToolWords& tool) const {
    static const std::string kService = concept_of(stem("service"));
    return std::ranges::any_of(words_, [&](const Telling& telling) {
      const std::string thing = concept_of(telling.word);
      return !is_reading_verb(telling.word) && thing != kService && tool.name_concepts.contains(thing);
    });
  }

  /// A tool that only hands the request on does more than that for who asks for it by what it is, not by "run" alone.
  bool says_what_it_is(const ToolWords& tool) const {
    return std::ranges::any_of(words_, [&](const Telling& telling) {
      return tool.name.contains(telling.word) && !is_writing_verb(telling.word) && !is_reading_verb(telling.word);
    });
  }

  /// What is to be deleted is not edited or written instead.
  bool may_delete(const ToolWords& tool) const {
    static const std::string kDelete = concept_of(stem("delete"));
    const auto deletes = [](const Telling& telling) { return concept_of(telling.word) == kDelete; };
    return std::ranges::none_of(words_, deletes) || tool.name_concepts.contains(kDelete);
  }

  void add_first(const std::vector<Ranked>& ranked) {
    const auto best = std::ranges::find_if(ranked, [&](const Ranked& one) { return fits(one); });
    if (best != ranked.end()) {
      choice_.tools.push_back(best->tool->tool);
      return;
    }
    // "Run a search for …" asks for a change by its verb alone: a tool that reads will do if its whole name is meant.
    if (!acts_) return;
    const auto reading = std::ranges::find_if(ranked, [&](const Ranked& one) {
      return !one.tool->writes && one.score.words_in_name >= 2 && one.score.total >= kLeastScore &&
             may_delete(*one.tool);
    });
    if (reading != ranked.end()) choice_.tools.push_back(reading->tool->tool);
  }

  /// "Run `ls -l`": a command line in quotes behind such a verb.
  bool holds_command() const {
    static constexpr std::string_view kVerbs[] = {"run", "execute", "command"};
    const auto quoted = std::ranges::find(pieces_, PieceKind::quoted, &Piece::kind);
    if (quoted == pieces_.begin() || quoted == pieces_.end()) return false;
    return contains(kVerbs, std::prev(quoted)->lower);
  }

  /// It is for a tool that needs nothing else.
  void add_for_command(const std::vector<Ranked>& ranked) {
    const auto found = std::ranges::find_if(
        ranked, [](const Ranked& one) { return one.tool->needs_command_only && one.tool->writes; });
    if (found != ranked.end()) choice_.tools.push_back(found->tool->tool);
  }

  /// "Run "nightly" pipeline": what is quoted is a name, where no tool takes commands.
  void add_suggested(const std::vector<Ranked>& ranked) {
    const auto best =
        std::ranges::find_if(ranked, [&](const Ranked& one) { return fits(one) && suggested(*one.tool); });
    if (best != ranked.end()) choice_.tools.push_back(best->tool->tool);
  }

  /// Words in quotes are looked for somewhere: where the tool takes what else the request names.
  void add_for_quote(const std::vector<Ranked>& ranked) {
    if (!contains(pieces_, PieceKind::quoted, &Piece::kind)) return;
    const bool environment = conversation_.intent.parameters.environment.has_value();
    const Ranked* best = nullptr;
    int best_fit = -1;
    for (const Ranked& one : ranked) {
      if (!one.tool->needs_query_only || one.tool->writes) continue;
      const int fit = (environment && one.tool->takes_environment ? 1 : 0) +
                      (scorer_.service_is_named() && one.tool->takes_service ? 1 : 0);
      if (fit <= best_fit) continue;
      best_fit = fit;
      best = &one;
    }
    if (best != nullptr) choice_.tools.push_back(best->tool->tool);
  }

  /// "What is X?", where X is a service: a tool that needs nothing but one.
  void add_about_service(const std::vector<Ranked>& ranked) {
    if (!scorer_.service_is_named() || asks_what_changed()) return;
    const auto found = std::ranges::find_if(
        ranked, [](const Ranked& one) { return one.tool->needs_service_only && !one.tool->writes; });
    if (found != ranked.end()) choice_.tools.push_back(found->tool->tool);
  }

  /// "What changed in X?" asks for something that who describes X does not know.
  bool asks_what_changed() const {
    return std::ranges::any_of(words_, [](const Telling& telling) { return telling.word == stem("changed"); });
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
  std::string not_offered_;
  Choice choice_;
};

}  // namespace

bool looks_like_writing(const ToolDescription& tool) {
  static constexpr std::string_view kOrders[] = {"update", "set",  "create", "delete", "remove", "add",  "edit",
                                                 "write",  "post", "send",   "upload", "reset",  "clear"};
  static constexpr std::string_view kReports[] = {"history", "status", "details", "info", "list", "report", "summary"};
  const std::vector<std::string> name = parts_of(tool.name);
  const bool reports = !name.empty() && contains(kReports, name.back());
  // The verb nearest to the beginning decides: `list_open_prs` reads, `add_comment` writes. What is a plural
  // (`pipeline_runs`) or what a report is of (`deploy_history`) is no verb.
  for (const std::string& word : name) {
    if (is_reading_verb(stem(word))) return false;
    if (!is_writing_verb(stem(word)) || word.ends_with('s')) continue;
    if (!reports || contains(kOrders, word)) return true;
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

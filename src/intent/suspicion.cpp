#include "intent/suspicion.h"

#include <array>
#include <limits>

#include "base/text.h"
#include "intent/suspicion_words.h"

namespace deputy::intent {

namespace {

using enum SuspicionKind;

constexpr Concepts kVerbs = kObtain | kPrint | kExport | kBypass | kSwitchOff | kErase | kQuery | kExecute | kCarryOut |
                            kGrant | kApprove | kSelfApprove | kSearch | kOtherVerb;
constexpr Concepts kFacts =
    kEvidence | kAbout | kStale | kOtherVerb;  // the request wants a fact about the object, not the object

/// A verb and an object near each other in one sentence.
struct Rule {
  SuspicionKind kind;
  std::string_view reason;
  Concepts verbs;
  Concepts objects;
  Concepts follows;       // may come after the object; the end of a clause always may
  Concepts ended_by;      // between verb and object, these cancel the verb
  Concepts needs = 0;     // one of these must come between verb and object, or be the object itself
  std::size_t near = 12;  // how many words apart verb and object may be
};

constexpr std::string_view kCredentials = "it asks for credentials";
constexpr std::string_view kPersonalData = "it asks for personal data";
constexpr std::string_view kBulkExport = "it asks for data in bulk";
constexpr std::string_view kDirectDatabase = "it asks to reach a database directly";
constexpr std::string_view kBypassControl = "it asks to get around a control";
constexpr std::string_view kLegalRequest = "it is a legal request";

// kNeed, kSeek, kWish and kPretend depend on the words around them: see Scan::verbs_at.
constexpr Rule kRules[] = {
    {credentials, kCredentials, kObtain | kExport | kNeed, kSecret, kFunction | kUsed, kFacts},
    {credentials, kCredentials, kObtain | kExport | kNeed, kToken, kFunction, kFacts},
    {credentials, kCredentials, kObtain | kExport | kNeed | kExecute, kVariables, kFunction, kFacts},
    {credentials, kCredentials, kPrint, kEnvironment, kFunction, kFacts, 0, 6},
    {credentials, kCredentials, kSearch, kSecret, kFunction | kUsed, kAbout | kStale | kOtherVerb},
    {credentials, kCredentials, kPretend, kSecret | kToken | kVariables, kFunction | kUsed, kEvidence, 0, 40},
    {personal_data, kPersonalData, kObtain | kExport | kNeed, kPersonal, kFunction, kFacts},
    {bulk_export, kBulkExport, kExport, kMass, kFunction, kEvidence | kAbout, kAll},
    {bulk_export, kBulkExport, kExport, kMass, kFunction, kEvidence | kAbout, kOutside, 16},
    {bulk_export, kBulkExport, kExport, kPersonal, kFunction, kEvidence | kAbout},
    {direct_database, kDirectDatabase, kQuery, kDatabase, kFunction, kFacts, 0, 8},
    {direct_database, kDirectDatabase, kObtain | kExport, kDatabase, kFunction, kFacts, kFrom},
    {direct_database, kDirectDatabase, kExecute, kStatement, kFunction, kFacts, 0, 6},
    {direct_database, kDirectDatabase, kExecute | kObtain, kDumpTool, kFunction, kAbout, 0, 6},
    {bypass_control, kBypassControl, kBypass | kSwitchOff, kControl, kFunction | kPart, kEvidence | kAbout, 0, 8},
    {bypass_control, kBypassControl, kBypass, kPermission, kFunction | kPart, kEvidence | kAbout | kMachinery, 0, 4},
    {bypass_control, kBypassControl, kErase, kAuditTrail, kFunction | kPart, kAbout, 0, 8},
    {bypass_control, kBypassControl, kSeek, kControl | kPermission, kFunction | kPart, kEvidence | kAbout, 0, 6},
    {bypass_control, kBypassControl, kGrant, kPrivilege, kFunction | kPart, kEvidence | kAbout, kMe, 8},
    {bypass_control, kBypassControl, kApprove, kYourself, kFunction, kAbout, 0, 10},
    {bypass_control, kBypassControl, kSelfApprove, kThis, ~Concepts{0}, 0, 0, 3},
    {bypass_control, kBypassControl, kPretend, kNoLimits, kFunction, kEvidence, 0, 30},
    {bypass_control, kBypassControl, kPretend, kApprove, ~Concepts{0}, kEvidence | kAbout, 0, 10},
    {legal_request, kLegalRequest, kWish, kLegalData | kPersonal, kFunction, 0, 0, 20},
};
constexpr std::size_t kRuleCount = std::size(kRules);
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

constexpr std::string_view kArticles[] = {"the", "my", "his", "her", "their", "our", "your", "its", "all"};

/// One pass over the words. For each rule it remembers the position of a verb whose object has not come yet.
class Scan {
 public:
  explicit Scan(const Tokens& tokens) : tokens_(tokens) { waiting_.fill(kNever); }

  std::optional<Suspicion> run() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_.sentence_starts(at)) begin_sentence(at);
      if (!tokens_[at].is_word()) continue;
      if (auto found = word(at)) return found;
    }
    return std::nullopt;
  }

 private:
  void begin_sentence(std::size_t at) {
    static constexpr std::string_view kQuestion[] = {"who", "why", "did",  "does", "was",   "were", "when", "is",
                                                     "are", "has", "have", "how",  "which", "what", "do"};
    question_ = contains(kQuestion, tokens_[at].lower);
    carried_out_ = false;
    for (std::size_t rule = 0; rule < kRuleCount; ++rule) {
      if ((kRules[rule].verbs & kPretend) == 0) waiting_[rule] = kNever;
    }
    seen_.fill(0);
  }

  std::optional<Suspicion> word(std::size_t at) {
    const Concepts single = concepts_of(tokens_[at].lower);
    const Concepts objects = single | pair_ending_at(at) | people_thing_ending_at(at);
    for (std::size_t rule = 0; rule < kRuleCount; ++rule) seen_[rule] |= objects;
    if (auto found = finish(at, objects)) return found;
    if (auto found = stands_alone(at, objects)) return found;
    end_wishes(at, single);
    const Concepts verbs = verbs_at(at, single);
    for (std::size_t rule = 0; rule < kRuleCount; ++rule) {
      if ((kRules[rule].verbs & verbs) == 0) continue;
      waiting_[rule] = at;
      seen_[rule] = single & kRules[rule].needs & kFrom;
    }
    carried_out_ = carried_out_ || (verbs & kCarryOut) != 0;
    return std::nullopt;
  }

  std::size_t next_word(std::size_t at) const {
    const Token& tie = tokens_[at + 1];
    const bool tied = tie.glued && (tie.is_symbol('-') || tie.is_symbol('_'));
    return tied ? at + 2 : at + 1;
  }
  std::size_t word_before(std::size_t at) const { return tokens_.tied_before(at) ? at - 2 : at - 1; }

  Concepts pair_ending_at(std::size_t at) const {
    const std::size_t before = word_before(at);
    Concepts found = concepts_of(tokens_[before].lower, tokens_[at].lower);
    // A path and a dot file: /etc/shadow, .env
    if (tokens_[at - 1].is_symbol('/') && tokens_[at].glued)
      found |= concepts_of(tokens_[at - 2].lower, tokens_[at].lower);
    if (tokens_[at].is("env") && tokens_[at].glued && tokens_[at - 1].is_symbol('.')) found |= kVariables;
    return found & ~kVerbs & ~kPretend;
  }

  /// "customer emails", "users' addresses", "the emails of all customers".
  Concepts people_thing_ending_at(std::size_t at) const {
    const Concepts here = concepts_of(tokens_[at].lower);
    const auto concepts = [&](std::size_t index) { return concepts_of(tokens_[index].lower); };
    if ((here & kPeopleThing) != 0) {
      std::size_t before = word_before(at);
      if (tokens_[before].is("s") && tokens_[before - 1].is_symbol('\'')) before -= 2;
      if (tokens_[before].is_symbol('\'')) --before;
      if (tokens_[before].is_word() && (concepts(before) & kPeople) != 0) return kPersonal;
    }
    if ((here & kPeople) != 0) {
      std::size_t before = at - 1;
      for (int skipped = 0;
           skipped < 3 && ((concepts(before) & kAll) != 0 || contains(kArticles, tokens_[before].lower)); ++skipped) {
        --before;
      }
      const bool of = tokens_[before].is("of") || tokens_[before].is("for") || tokens_[before].is("from");
      static constexpr std::string_view kVague[] = {"data",   "info",  "information", "list", "details",
                                                    "detail", "table", "database",    "db",   "numbers"};
      if (of && (concepts(before - 1) & kPeopleThing) != 0 &&
          (tokens_[before].is("of") || !contains(kVague, tokens_[before - 1].lower))) {
        return kPersonal;
      }
    }
    return 0;
  }

  /// Whether the object is still what is asked for, given the words after it: "the password for" is, "the password
  /// reset" is not.
  bool may_follow(std::size_t at, Concepts follows) const {
    std::size_t next = at + 1;
    if (tokens_.tied_behind(at)) {
      next = at + 2;
    } else if (!tokens_[next].is_word() || tokens_.sentence_starts(next)) {
      // "passwords/tokens", "password)": the clause ends. "password's age": it does not.
      return !(tokens_[next].is_symbol('\'') && tokens_[next].glued && tokens_[next + 1].is("s") &&
               tokens_[next + 1].glued);
    }
    const std::string_view behind = tokens_[next].lower;
    const bool clause_ends = !tokens_[next + 1].is_word() || tokens_.sentence_starts(next + 1);
    if (behind == "is" || behind == "are") return clause_ends;  // "tell me what the password is"
    if (behind == "for" && clause_ends) return false;           // "what is this token for"
    // Between two objects the second decides: "customer emails and phone numbers", "database password".
    return (concepts_of(behind) & follows) != 0 && !tokens_.tied_behind(at);
  }

  std::optional<Suspicion> finish(std::size_t at, Concepts objects) {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      const Rule& rule = kRules[i];
      if (waiting_[i] == kNever || (objects & rule.objects) == 0 || at - waiting_[i] > rule.near * 2) continue;
      if (!needs_met(i, at) || !may_follow(at, rule.follows)) continue;
      if ((rule.verbs & kSeek) != 0 && question_) continue;
      return Suspicion{rule.kind, rule.reason};
    }
    return std::nullopt;
  }

  bool needs_met(std::size_t rule, std::size_t at) const {
    const Concepts needs = kRules[rule].needs;
    if (needs == 0 || (seen_[rule] & needs) != 0) return true;
    if (needs != kOutside) return false;
    for (std::size_t next = at + 1; next < at + 10 && next < tokens_.size(); ++next) {  // "… to my laptop"
      if (tokens_.sentence_starts(next)) return false;
      if ((concepts_of(tokens_[next].lower) & kOutside) != 0) return true;
    }
    return false;
  }

  void end_wishes(std::size_t at, Concepts single) {
    for (std::size_t i = 0; i < kRuleCount; ++i) {
      if ((single & kRules[i].ended_by) == 0) continue;
      const bool verb_only = (single & kRules[i].ended_by) == kOtherVerb;
      if (!verb_only || asking_at(tokens_, at) != Asking::no) waiting_[i] = kNever;
    }
  }

  /// Finds what is suspicious without a verb: an SQL statement, a court order, acting "without approval".
  std::optional<Suspicion> stands_alone(std::size_t at, Concepts objects) const {
    if (is_statement(at)) return Suspicion{direct_database, kDirectDatabase};
    if ((objects & kLegal) != 0 && (concepts_of(tokens_[next_word(at)].lower) & kMachinery) == 0 &&
        !tokens_.tied_behind(at)) {
      return Suspicion{legal_request, kLegalRequest};
    }
    if ((objects & kDumpTool) != 0 && asking_at(tokens_, tokens_.tied_before(at) ? at - 2 : at) != Asking::no &&
        (concepts_of(tokens_[at + 1].lower) & kMachinery) == 0) {
      return Suspicion{direct_database, kDirectDatabase};
    }
    if ((objects & kControl) != 0 && !question_ && tokens_[at - 1].is("no") && is_needed(at + 1)) {
      return Suspicion{bypass_control, kBypassControl};
    }
    if ((objects & (kControl | kPermission)) != 0 && !question_ && may_follow(at, kFunction | kPart)) {
      for (std::size_t back = 1; back <= 4 && back <= at; ++back) {
        const Token& before = tokens_[at - back];
        if (before.is("without") && carried_out_) return Suspicion{bypass_control, kBypassControl};
      }
    }
    return std::nullopt;
  }

  bool is_needed(std::size_t at) const {
    static constexpr std::string_view kNeeded[] = {"needed", "required", "necessary", "please", "this"};
    return contains(kNeeded, tokens_[at].lower);
  }

  /// An SQL statement that is to be run, not one that is only mentioned ("the query select * from … is slow").
  bool is_statement(std::size_t at) const {
    const Token& token = tokens_[at];
    const auto next = [&](std::string_view word) { return tokens_[at + 1].is(word); };
    bool statement = (token.is("drop") || token.is("truncate")) && next("table");
    statement = statement || (token.is("insert") && next("into")) ||
                (token.is("delete") && next("from") && names_a_table(at + 2));
    statement = statement || (token.is("update") && tokens_[at + 1].is_word() && tokens_[at + 2].is("set") &&
                              tokens_[at + 4].is_symbol('='));
    if (token.is("select")) {
      bool columns = false;
      for (std::size_t i = at + 1; i < at + 24 && i < tokens_.size() && !statement; ++i) {
        columns = columns || tokens_[i].is_symbol('*') || tokens_[i].is_symbol(',') || tokens_[i].is_symbol('(');
        if (tokens_[i].is("from")) {
          statement = names_a_table(i + 1) && (columns || ends_a_statement(i + 2));
          break;
        }
      }
    }
    if (!statement) return false;
    static constexpr std::string_view kRunning[] = {"run",   "execute", "do", "this", "following", "please",
                                                    "query", "sql",     "a",  "me",   "e",         "c"};
    std::size_t before = at - 1;
    while (tokens_[before].is_symbol('`') || tokens_[before].is_symbol('"') || tokens_[before].is_symbol(':') ||
           tokens_[before].is_symbol('\'')) {
      if (before == 0) return true;
      --before;
    }
    if (tokens_[before].is("query") && (tokens_[before - 1].is("the") || tokens_[before - 1].is("slow"))) return false;
    return asking_at(tokens_, at) != Asking::no || contains(kRunning, tokens_[before].lower);
  }
  bool names_a_table(std::size_t at) const {
    return tokens_[at].is_word() && !contains(kArticles, tokens_[at].lower) && !tokens_[at].is("this") &&
           !tokens_[at].is("a");
  }
  bool ends_a_statement(std::size_t at) const {
    static constexpr std::string_view kClauses[] = {"where", "limit", "order", "group", "join",
                                                    "inner", "left",  "on",    "in"};
    return !tokens_[at].is_word() || contains(kClauses, tokens_[at].lower);
  }

  /// The verb concepts of a word in its context: an order, a need ("I need"), a negated "ask", a demand by the law.
  Concepts verbs_at(std::size_t at, Concepts single) const {
    Concepts found = 0;
    const Concepts verbs =
        (single | concepts_of(tokens_[at].lower, tokens_[next_word(at)].lower)) & (kVerbs | kPretend);
    if ((verbs & kPretend) != 0) found |= kPretend;
    if ((verbs & kVerbs) != 0 && !is_negated(tokens_, at) && asking_at(tokens_, at) != Asking::no) found |= verbs;
    if (is_gerund_of_wish(at)) found |= verbs;
    if ((single & kNeed) != 0 && is_own_need(at)) found |= kNeed;
    if ((single & kSeek) != 0 && is_spared(at)) found |= kSeek;
    if ((single & kWish) != 0 && law_before(at)) found |= kWish;
    if (asks_what(at)) found |= kObtain;
    return found;
  }

  // A request in the -ing form: "would you mind sending me", "by giving me", "reading me".
  bool is_gerund_of_wish(std::size_t at) const {
    return tokens_[at].lower.ends_with("ing") && (tokens_[at + 1].is("me") || tokens_[at - 1].is("mind"));
  }

  bool is_own_need(std::size_t at) const {
    std::size_t before = at - 1;
    static constexpr std::string_view kAdverbs[] = {"just", "really", "also", "still", "urgently",
                                                    "only", "would",  "now",  "do"};
    for (int skipped = 0; skipped < 2 && contains(kAdverbs, tokens_[before].lower); ++skipped) --before;
    if (tokens_.sentence_starts(before + 1)) return true;  // "need the …"
    if (!tokens_[before].is("i") && !tokens_[before].is("we")) return false;
    static constexpr std::string_view kAsking[] = {"do", "did", "why", "should", "if", "when", "t"};
    return !contains(kAsking, tokens_[before - 1].lower);
  }

  bool is_spared(std::size_t at) const {
    if (is_negated(tokens_, at))
      return !tokens_[at - 1].is("cannot") && !tokens_[at - 1].is("cant") && !tokens_[at - 1].is("didnt");
    static constexpr std::string_view kSparing[] = {"without", "need", "dont"};
    // "no need to ask", "without asking", "don't even ask"
    const bool to =
        tokens_[at - 1].is("to") && contains(kSparing, tokens_[at - 2].lower) && is_negated(tokens_, at - 2);
    const bool even = (tokens_[at - 1].is("even") || tokens_[at - 1].is("bother")) && is_negated(tokens_, at - 1);
    return to || even;
  }

  bool law_before(std::size_t at) const {
    for (std::size_t back = 1; back <= 5 && back <= at; ++back) {
      const std::size_t index = at - back;
      if ((concepts_of(tokens_[index].lower) & kLawPerson) != 0 && !tokens_.tied_before(index) &&
          !tokens_.tied_behind(index) && (concepts_of(tokens_[index + 1].lower) & kMachinery) == 0) {
        return true;
      }
      if (tokens_.sentence_starts(index)) return false;
    }
    return false;
  }

  // "what is the …", "what's Anna's …", "tell me what the … is"
  bool asks_what(std::size_t at) const {
    if (!tokens_[at].is("what") && !tokens_[at].is("whats")) return false;
    std::size_t next = at + 1;
    if (tokens_[next].is_symbol('\'') && tokens_[next + 1].is("s")) {
      next += 2;
    } else if (tokens_[next].is("is") || tokens_[next].is("are") || tokens_[next].is("was")) {
      ++next;
    }
    return contains(kArticles, tokens_[next].lower) || (tokens_[next].is_word() && tokens_[next + 1].is_symbol('\''));
  }

  const Tokens& tokens_;
  std::array<std::size_t, kRuleCount> waiting_{};  // position of the verb; kNever when there is none
  std::array<Concepts, kRuleCount> seen_{};        // concepts since that verb
  bool question_ = false;
  bool carried_out_ = false;
};

}  // namespace

std::optional<Suspicion> suspicious(std::string_view request) {
  const Tokens tokens(request);
  return Scan(tokens).run();
}

}  // namespace deputy::intent

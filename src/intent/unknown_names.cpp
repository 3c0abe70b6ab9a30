#include "intent/unknown_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "intent/intent.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostRead = 400;    // words
constexpr std::size_t kLongestName = 60;  // bytes
constexpr std::size_t kMostNameWords = 3;
constexpr std::size_t kMostTextWords = 5;
constexpr std::size_t kLongestText = 200;  // bytes
constexpr std::size_t kMostLookedUp = 8;

// What goes wrong, and where it is written down.
constexpr std::string_view kThings[] = {
    "error",    "errors",   "exception",  "exceptions", "failure", "failures",  "crash",  "crashes",    "warning",
    "warnings", "timeouts", "problem",    "problems",   "issue",   "issues",    "log",    "logs",       "failing",
    "failed",   "fails",    "broken",     "wrong",      "happens", "happening", "status", "happened",   "health",
    "state",    "trouble",  "stacktrace", "crashing",   "outage",  "outages",   "5xx",    "stacktraces"};
// Behind these a name stands with nothing between: "errors checkout", "checkout errors".
constexpr std::string_view kCountedThings[] = {"error",    "errors",  "exception", "exceptions", "failure",
                                               "failures", "crashes", "log",       "logs",       "warnings"};
constexpr std::string_view kPlaces[] = {"of", "for", "in", "from", "on"};
constexpr std::string_view kTroubled[] = {"wrong", "happening", "happened", "on",      "up",
                                          "issue", "issues",    "problem",  "trouble", "problems"};
constexpr std::string_view kArticles[] = {"the", "our", "my", "your", "their"};
constexpr std::string_view kNaming[] = {"named", "called"};
constexpr std::string_view kBeforeText[] = {"the", "a", "an", "word", "words", "text", "string"};
constexpr std::string_view kServiceWords[] = {"service", "svc", "microservice"};
constexpr std::string_view kLookedAt[] = {"investigate", "debug", "tail", "diagnose", "troubleshoot"};
constexpr std::string_view kConditions[] = {"down",    "up",       "healthy", "unhealthy", "ok",   "okay",  "slow",
                                            "failing", "crashing", "broken",  "degraded",  "dead", "alive", "working"};
constexpr std::string_view kHelping[] = {"did", "does", "do", "has", "have"};
constexpr std::string_view kDone[] = {"have",   "had",  "get",    "got",      "throw",   "thrown",  "see",     "seen",
                                      "log",    "fail", "logged", "reported", "report",  "crash",   "crashed", "failed",
                                      "return", "show", "write",  "written",  "produce", "produced"};
constexpr std::string_view kBeing[] = {"is", "are", "was", "were"};
constexpr std::string_view kTextCues[] = {"containing", "contain",  "contains", "mentioning",
                                          "mention",    "mentions", "matching", "saying"};
constexpr std::string_view kSearching[] = {"search", "searching", "grep", "look", "looking", "find"};
// "for user 42": what has a number or a name of its own in the logs.
constexpr std::string_view kKeyed[] = {"user",    "customer", "order", "request", "account", "session", "transaction",
                                       "trace",   "host",     "pod",   "node",    "ip",      "tenant",  "job",
                                       "invoice", "id",       "code",  "thread",  "client",  "order_id"};
// Behind a name these begin something else.
constexpr std::string_view kGoesOn[] = {"in",    "on",        "since",  "over",  "for",   "last",   "and",   "or",
                                        "today", "yesterday", "please", "from",  "after", "before", "at",    "during",
                                        "to",    "with",      "within", "right", "now",   "vs",     "until", "between",
                                        "this",  "that",      "than",   "pls",   "is",    "are",    "was",   "has",
                                        "again", "around",    "of",     "as",    "past",  "versus", "when",  "while"};
// What hangs on a name and says nothing more.
constexpr std::string_view kHangers[] = {"service", "svc", "microservice", "api", "app", "pod", "pods", "worker"};
// What a message is about rather than who writes it.
constexpr std::string_view kKindsOfError[] = {
    "timeout", "timeouts", "connection", "connections",   "database",    "db",    "sql",        "memory",
    "oom",     "network",  "dns",        "tls",           "ssl",         "auth",  "permission", "disk",
    "null",    "pointer",  "gateway",    "proxy",         "http",        "4xx",   "404",        "401",
    "403",     "500",      "502",        "503",           "504",         "429",   "deadlock",   "validation",
    "parse",   "quota",    "throttling", "socket",        "certificate", "redis", "kafka",      "postgres",
    "mysql",   "queue",    "cache",      "authentication"};

// Words that are no service's name where one could stand.
constexpr std::string_view kOrdinary =
    "a an the this that these those it its all any some every each no none one both other others another which what "
    "who "
    "whom whose when where why how many much more most less least few several such same own i me my we us our you your "
    "he she they them their there here everything something anything nothing everyone someone anyone anybody somebody "
    "everybody new old recent latest newest last first next previous past current top main biggest largest common "
    "frequent usual critical fatal severe serious major minor high low big small real actual possible known unknown "
    "different similar unusual weird strange odd bad good unexpected unhandled uncaught overall total full whole "
    "entire "
    "general related application applications app apps server servers system systems service services svc microservice "
    "microservices component components api apis site website backend frontend platform cluster clusters environment "
    "environments env envs host hosts machine machines node nodes pod pods container containers worker workers "
    "instance "
    "instances region regions log logs logging file files folder folders code codebase repo repos repository "
    "repositories release releases deploy deploys deployment deployments build builds pipeline pipelines version "
    "versions change changes commit config configuration configurations channel thread conversation message messages "
    "ticket tickets incident incidents alarm alarms alert alerts metric metrics dashboard error errors exception "
    "exceptions failure failures crash crashes warning warnings problem problems issue issues bug bugs trouble outage "
    "outages stacktrace stacktraces trace traces status health state timeout timeouts second seconds minute minutes "
    "min "
    "mins hour hours hr hrs day days week weeks month months year today yesterday tonight tomorrow morning afternoon "
    "evening night noon midnight now just recently currently lately soon ago since until before after during while "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december general detail details summary overview list order group groups type types "
    "kind kinds count counts number numbers rate rates amount level levels time times date range period window part "
    "parts place places way ways case cases thing things stuff reason reasons cause causes impact user users customer "
    "customers person people team teams request requests response responses call calls job jobs task tasks is are was "
    "were be been being am do does did done has have had can could would should will shall might must need needs want "
    "wants get gets got give gives gimme tell show shows see seen view look looks looking find finds search searches "
    "grep tail fetch pull read print dump grab spot inspect review monitor watch check checks count summarize "
    "summarise "
    "explain describe analyze analyse investigate diagnose debug troubleshoot triage compare aggregate rank sort "
    "detect "
    "identify open hunt scan query display report please pls plz thanks thank thx hey hi hello ok okay yes not and or "
    "but nor so if then than as of for in on at to from with without by about into over under between within across "
    "through against per via vs versus out up off down again also too very only still even really already yet asap "
    "quickly quick fast urgent urgently detail grouped sorted together apart else instead maybe perhaps like "
    "containing "
    "regarding concerning mentioning matching called named happen happens happened happening going go went gone come "
    "comes came keep keeps throw throws throwing fail fails failed failing broken wrong slow production staging prod "
    "dev test testing live stage qa uat preprod sandbox canary development deputy bot general everywhere anywhere "
    "somewhere nowhere anyway background foreground general life trouble full history past future meantime meeting "
    "meetings standup retro startup shutdown lines line entries entry output outputs "
    "latency cpu memory disk load traffic throughput performance usage utilization slowness spike spikes drop increase "
    "records record events event data rows activity results result endpoint endpoints";

// Words that English ties with a hyphen begin or end with these: long-running, client-side.
constexpr std::string_view kTiedWords[] = {"non",  "pre",   "post",  "re",    "on",       "long",     "high", "low",
                                           "top",  "end",   "read",  "self",  "well",     "half",     "full", "real",
                                           "side", "level", "wide",  "only",  "running",  "related",  "call", "based",
                                           "off",  "multi", "cross", "short", "severity", "priority", "last", "first"};

// What environments are called in this trade.
constexpr std::string_view kEnvironments[] = {"prod", "production", "staging", "stage",   "dev",    "development",
                                              "test", "testing",    "qa",      "uat",     "canary", "preprod",
                                              "live", "sandbox",    "pre",     "preview", "local"};

bool is_ordinary(std::string_view word) {
  static const auto words = [] {
    std::unordered_set<std::string_view> made;
    for (const std::string_view one : split(kOrdinary, " ")) made.insert(one);
    return made;
  }();
  return words.contains(word);
}

bool has_digit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

bool has_letter(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return (c >= 'a' && c <= 'z') || static_cast<signed char>(c) < 0; });
}

/// A slip of the pen, for words long enough to tell.
bool is_slip_of(std::string_view word, std::string_view meant) {
  if (word.size() < 4 || meant.size() < 4 || word.size() > kLongestName || meant.size() > kLongestName) return false;
  const std::size_t most = meant.size() >= 7 ? 2 : 1;
  const std::size_t longer = std::max(word.size(), meant.size()) - std::min(word.size(), meant.size());
  return longer <= most && edit_distance(word, meant) <= most;
}

class Finder {
 public:
  Finder(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims, const Claims& services)
      : tokens_(tokens), vocabulary_(vocabulary), claims_(claims), services_(services), taken_(tokens.size(), false) {}

  UnknownNames find() {
    find_quoted();
    for (std::size_t at = tokens_.size(); at-- > 0;) {
      if (one_of(tokens_[at].lower, kSearching)) searching_from_ = at;
    }
    const std::size_t most = std::min(tokens_.size(), kMostRead);
    for (std::size_t at = 0; at < most; ++at) {
      if (!tokens_[at].is_word()) continue;
      if (one_of(tokens_[at].lower, kServiceWords)) behind_service_word(at);
      if (one_of(tokens_[at].lower, kPlaces) || tokens_[at].is("with")) behind_place(at);
      if (one_of(tokens_[at].lower, kCountedThings)) beside_thing(at);
      if (one_of(tokens_[at].lower, kBeing)) beside_being(at);
      if (one_of(tokens_[at].lower, kHelping)) behind_helping(at);
      if (one_of(tokens_[at].lower, kLookedAt)) add_service(at + 1);
      if (tokens_[at].is("timeouts") && unread(at)) add_text("timeout");
      read_text_cue(at);
    }
    for (std::size_t at = 1; at < most; ++at) behind_joint(at);
    return std::move(found_);
  }

 private:
  bool unread(std::size_t at) const { return at < tokens_.size() && !claims_[at] && !taken_[at]; }

  /// Behind the name that begins at a token, its parts tied by hyphens.
  std::size_t name_end(std::size_t at) const {
    while (tokens_.tied_behind(at) && unread(at + 2)) at += 2;
    return at + 1;
  }

  /// A part of an address, a path or a person's account is none.
  bool stands_alone(std::size_t first, std::size_t next) const {
    static constexpr std::string_view kTies = ".@/\\:#=<>$%*+";
    const Token& before = tokens_[first - 1];
    const Token& behind = tokens_[next];
    if (first > 0 && tokens_[first].glued && before.kind == TokenKind::symbol && kTies.contains(before.text[0]))
      return false;
    return !(behind.glued && behind.kind == TokenKind::symbol && kTies.contains(behind.text[0]) &&
             tokens_.joined(next));
  }

  bool is_environment_or_slip(std::string_view word) const {
    if (one_of(word, kEnvironments)) return true;
    const auto is_meant = [&](std::string_view name) { return word == name || is_slip_of(word, name); };
    for (const std::string_view name : {"prod", "production", "staging", "development"}) {
      if (is_slip_of(word, name)) return true;
    }
    for (const auto& [name, others] : vocabulary_.environments) {
      if (is_meant(to_lower(name))) return true;
      for (const std::string& other : others) {
        if (is_meant(to_lower(other))) return true;
      }
    }
    return false;
  }

  bool may_be_name(std::size_t first, std::size_t next) const {
    if (!unread(first) || !tokens_[first].is_word() || !stands_alone(first, next)) return false;
    const std::string_view word = tokens_[first].lower;
    if (tokens_.text(first, next).size() > kLongestName) return false;
    if (next > first + 1) {
      const std::string_view last = tokens_[next - 1].lower;
      return (has_letter(word) || has_letter(last)) && !one_of(word, kTiedWords) && !one_of(last, kTiedWords);
    }
    return word.size() >= 3 && has_letter(word) && !is_ordinary(word) && !is_environment_or_slip(word);
  }

  /// Looked up for a few words of a request only: it takes as long as there are services.
  bool is_near_known(std::string_view word) {
    if (++looked_up_ > kMostLookedUp) return false;
    const auto is_near = [&](std::string_view name) { return is_slip_of(word, to_lower(name)); };
    return std::ranges::any_of(vocabulary_.services, [&](const KnownService& service) {
      return is_near(service.key) || std::ranges::any_of(service.aliases, is_near);
    });
  }

  bool looks_like_name(std::size_t first, std::size_t next) {
    const std::string name = to_lower(tokens_.text(first, next));
    return name_end(first) == next && (next > first + 1 || has_digit(name) || is_near_known(name));
  }

  /// Whether what a name is part of ends at the token.
  bool ends(std::size_t at) const {
    const Token& token = tokens_[at];
    if (!token.is_word() || at >= tokens_.size()) return true;
    return claims_[at] || tokens_.sentence_starts(at) || one_of(token.lower, kGoesOn) ||
           one_of(token.lower, kHangers) || is_environment_or_slip(token.lower);
  }

  std::size_t skip_article(std::size_t at) const { return one_of(tokens_[at].lower, kArticles) ? at + 1 : at; }

  void add(std::string name) {
    const bool is_new = std::ranges::find(found_.services, name) == found_.services.end();
    if (is_new && found_.services.size() < kMostOfAKind) found_.services.push_back(std::move(name));
  }

  void add_text(std::string text) {
    if (found_.text.empty() && text.size() <= kLongestText) found_.text = std::move(text);
  }

  /// "errors on startup" speaks of a time, "errors on order-desk" of a service.
  enum class Reading { name, name_if_it_looks_so };

  /// A name of up to some words, behind an article, if one stands there and ends.
  void add_service(std::size_t at, Reading reading = Reading::name) {
    const std::size_t first = skip_article(at);
    std::size_t next = first;
    bool is_kind_of_error = true;
    for (std::size_t words = 0; words < kMostNameWords && may_be_name(next, name_end(next)); ++words) {
      is_kind_of_error = is_kind_of_error && one_of(tokens_[next].lower, kKindsOfError);
      next = name_end(next);
      if (ends(next)) break;
    }
    if (next == first || !ends(next)) return;
    const bool doubtful = reading == Reading::name_if_it_looks_so && !looks_like_name(first, next);
    take(first, next, is_kind_of_error || doubtful);
  }

  void take(std::size_t first, std::size_t next, bool as_text) {
    std::string name(tokens_.text(first, next));
    for (std::size_t at = first; at < next; ++at) taken_[at] = true;
    as_text ? add_text(to_lower(name)) : add(std::move(name));
  }

  /// "service checkout", "service: checkout"; and "the checkout service".
  void behind_service_word(std::size_t at) {
    std::size_t next = at + 1;
    if (tokens_[next].is_symbol(':') || tokens_[next].is_symbol('=')) ++next;
    if (one_of(tokens_[next].lower, kNaming)) ++next;
    const bool assigned = next > at + 1;
    const std::size_t end = name_end(next);
    const bool plain = may_be_name(next, end) ||
                       (assigned && unread(next) && tokens_[next].is_word() && !is_ordinary(tokens_[next].lower));
    if (plain && (assigned || ends(end))) return take(next, end, false);
    if (at == 0) return;
    std::size_t first = at - 1;
    while (first >= 2 && tokens_.tied_before(first)) first -= 2;
    if (name_end(first) == at && !tokens_[at].glued && may_be_name(first, at)) take(first, at, false);
  }

  /// "search the logs for X": X is looked for, not looked at.
  bool is_sought(std::size_t at) const {
    const Token& before = tokens_[at - 1];
    const bool of_errors = one_of(before.lower, kThings) && !before.is("log") && !before.is("logs");
    return tokens_[at].is("for") && searching_from_ < at && !of_errors;
  }

  /// "errors of X", "errors since noon in X", "wrong with X".
  void behind_place(std::size_t at) {
    if (at == 0) return;
    const Token& before = tokens_[at - 1];
    if (tokens_[at].is("with")) {
      if (one_of(before.lower, kTroubled)) add_service(at + 1);
      return;
    }
    if (is_sought(at)) return read_words(at + 1);
    const bool going_on = before.is("on") && tokens_[at - 2].is("going");
    const bool about_it = one_of(before.lower, kThings) || claims_[at - 1] || going_on;
    if (!about_it || read_key(at)) return;
    add_service(at + 1, tokens_[at].is("on") ? Reading::name_if_it_looks_so : Reading::name);
  }

  /// "X errors", which is a kind of error unless it looks like a service; "errors X".
  void beside_thing(std::size_t at) {
    const std::size_t behind = name_end(at + 1);
    const bool ends_there = !tokens_[behind].is_word() || behind >= tokens_.size() || claims_[behind];
    if (may_be_name(at + 1, behind) && ends_there) take(at + 1, behind, false);
    if (at == 0 || tokens_[at].glued || tokens_.sentence_starts(at)) return;
    if (at >= 3 && tokens_[at - 1].is("s") && tokens_[at - 2].is_symbol('\'')) return before_possessive(at - 3);
    std::size_t first = at - 1;
    while (first >= 2 && tokens_.tied_before(first)) first -= 2;
    const bool is_kind = one_of(tokens_[first].lower, kKindsOfError) && unread(first) && first + 1 == at;
    if (!is_kind && !may_be_name(first, at)) return;
    if (!is_kind && looks_like_name(first, at)) return take(first, at, false);
    while (first > 0 && at - first < kMostNameWords && !tokens_.sentence_starts(first) && !tokens_[first].glued &&
           (one_of(tokens_[first - 1].lower, kKindsOfError) || may_be_name(first - 1, first))) {
      --first;
    }
    take(first, at, true);
  }

  /// "X's errors".
  void before_possessive(std::size_t at) {
    std::size_t first = at;
    while (first >= 2 && tokens_.tied_before(first)) first -= 2;
    if (may_be_name(first, at + 1)) take(first, at + 1, false);
  }

  /// "is X down", "X is down".
  void beside_being(std::size_t at) {
    const std::size_t first = skip_article(at + 1);
    const std::size_t next = name_end(first);
    if (may_be_name(first, next) && one_of(tokens_[next].lower, kConditions)) return take(first, next, false);
    if (at == 0 || !one_of(tokens_[at + 1].lower, kConditions)) return;
    std::size_t begin = at - 1;
    while (begin >= 2 && tokens_.tied_before(begin)) begin -= 2;
    if (may_be_name(begin, at)) take(begin, at, false);
  }

  /// "what errors did X have".
  void behind_helping(std::size_t at) {
    const std::size_t first = skip_article(at + 1);
    const std::size_t next = name_end(first);
    if (may_be_name(first, next) && one_of(tokens_[next].lower, kDone)) take(first, next, false);
  }

  /// "checkout and X": beside a service stands another.
  void behind_joint(std::size_t at) {
    static constexpr std::string_view kJoints[] = {"and", "or", "vs", "versus", "with", "to", "against"};
    const bool joint = one_of(tokens_[at].lower, kJoints) || tokens_[at].is_symbol(',') || tokens_[at].is_symbol('&');
    const bool beside = services_[at - 1] || (taken_[at - 1] && !found_.services.empty());
    if (joint && beside) add_service(at + 1);
  }

  /// "for user 42".
  bool read_key(std::size_t at) {
    if (!one_of(tokens_[at + 1].lower, kKeyed) || !unread(at + 1) || !unread(at + 2)) return false;
    const std::size_t next = name_end(at + 2);
    const std::string_view value = tokens_.text(at + 2, next);
    if (!tokens_[at + 2].is_word() || (!has_digit(value) && next == at + 3)) return false;
    add_text(fmt::format("{} {}", tokens_[at + 1].lower, value));
    return true;
  }

  /// "containing deadlock", "logs with token".
  void read_text_cue(std::size_t at) {
    const bool with =
        (tokens_[at].is("with") || tokens_[at].is("about")) && at > 0 && one_of(tokens_[at - 1].lower, kCountedThings);
    if (!with && !one_of(tokens_[at].lower, kTextCues)) return;
    if (!read_key(at)) read_words(at + 1);
  }

  /// The words that are looked for, to where something else begins.
  void read_words(std::size_t first) {
    while (one_of(tokens_[first].lower, kBeforeText)) ++first;
    std::size_t next = first;
    bool says_something = false;
    for (std::size_t words = 0; words < kMostTextWords && unread(next) && tokens_[next].is_word(); ++words) {
      if (one_of(tokens_[next].lower, kGoesOn) || tokens_.sentence_starts(next)) break;
      const std::string_view word = tokens_[next].lower;
      says_something = says_something || !is_ordinary(word) || one_of(word, kKindsOfError);
      next = name_end(next);
    }
    if (!says_something) return;
    const std::string_view words = tokens_.text(first, next);
    for (std::size_t at = first; at < next; ++at) taken_[at] = true;
    add_text(words == "timeouts" ? "timeout" : std::string(words));
  }

  /// "token" in quotes is looked for; `checkout` in quotes behind "of" is a service.
  void find_quoted() {
    for (std::size_t at = 0; at + 2 < tokens_.size(); ++at) {
      const bool opens = tokens_[at].is_symbol('"') || tokens_[at].is_symbol('`');
      if (!opens) continue;
      const char mark = tokens_[at].text[0];
      std::size_t end = at + 1;
      while (end < tokens_.size() && !tokens_[end].is_symbol(mark)) ++end;
      if (end == tokens_.size()) return;
      read_quoted(at + 1, end);
      at = end;
    }
  }

  void read_quoted(std::size_t first, std::size_t end) {
    if (first == end) return;
    for (std::size_t at = first; at < end; ++at) {
      if (claims_[at]) return;
    }
    const bool one_name = tokens_[first].is_word() && name_end(first) == end && unread(first);
    if (one_name && first >= 2 && is_name_place(first - 2)) return take(first, end, false);
    if (!found_.text.empty()) return;
    add_text(std::string(tokens_.text(first, end)));
    for (std::size_t at = first; at < end; ++at) taken_[at] = true;
  }

  bool is_name_place(std::size_t at) const {
    if (one_of(tokens_[at].lower, kServiceWords)) return true;
    if (!one_of(tokens_[at].lower, kPlaces)) return false;
    return at == 0 || !one_of(tokens_[at - 1].lower, kSearching);
  }

  const Tokens& tokens_;
  const Vocabulary& vocabulary_;
  const Claims& claims_;
  const Claims& services_;
  Claims taken_;
  std::size_t searching_from_ = std::string_view::npos;  // the first word that says so
  std::size_t looked_up_ = 0;
  UnknownNames found_;
};

}  // namespace

UnknownNames find_unknown_names(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims,
                                const Claims& services) {
  return Finder(tokens, vocabulary, claims, services).find();
}

}  // namespace deputy::intent

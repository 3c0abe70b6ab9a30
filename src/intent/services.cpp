#include "intent/services.h"

#include "base/text.h"
#include "intent/intent.h"
#include "intent/name_words.h"

namespace deputy::intent {

namespace {

// Words people write in requests without meaning a service of that name.
constexpr std::string_view kOrdinaryWords[] = {
    "search",  "check",    "list",      "show",     "report",  "reports",  "alert",   "alerts",  "message", "messages",
    "log",     "logs",     "data",      "event",    "events",  "test",     "status",  "health",  "monitor", "build",
    "deploy",  "run",      "file",      "files",    "task",    "tasks",    "job",     "jobs",    "user",    "users",
    "order",   "orders",   "account",   "match",    "point",   "time",     "home",    "main",    "live",    "post",
    "feed",    "queue",    "worker",    "store",    "pay",     "ship",     "cast",    "stream",  "index",   "catalog",
    "cart",    "notes",    "pages",     "page",     "mail",    "email",    "push",    "sync",    "export",  "import",
    "scan",    "track",    "audit",     "support",  "help",    "info",     "access",  "control", "connect", "link",
    "links",   "media",    "image",     "images",   "video",   "web",      "mobile",  "app",     "front",   "back",
    "edge",    "server",   "client",    "api",      "service", "services", "out",     "in",      "on",      "up",
    "down",    "it",       "the",       "all",      "one",     "go",       "get",     "set",     "bill",    "ticket",
    "tickets", "incident", "incidents", "pipeline", "code",    "config",   "metrics", "history", "summary", "core"};

constexpr std::string_view kThingBefore[] = {
    "in",          "for",      "of",    "from",     "on",      "the",      "our",  "restart",
    "deploy",      "redeploy", "scale", "rollback", "about",   "with",     "is",   "why",
    "investigate", "debug",    "and",   "against",  "service", "services", "into", "stop",
    "start",       "release",  "check", "are",      "or",      "has",      "did"};
constexpr std::string_view kThingBehind[] = {
    "is",       "are",     "was",       "has",      "keeps",      "service",   "pods",       "pod",
    "api",      "errors",  "error",     "logs",     "latency",    "metrics",   "crashed",    "crashes",
    "crashing", "down",    "fails",     "failed",   "failing",    "deploy",    "deployment", "pipeline",
    "timeouts", "returns", "returning", "restarts", "restarting", "container", "containers", "alarms",
    "throws",   "seems",   "looks",     "went",     "repo",       "team",      "worker",     "responds"};
// After these an ordinary word is a verb or part of a phrase.
constexpr std::string_view kPhraseBefore[] = {"to", "please", "can", "you", "i", "we", "me"};

// Words that may hang on a service's name with a hyphen and leave it that service.
constexpr std::string_view kTiedBehind[] = {"service",  "services", "svc",    "api",        "app",      "db",
                                            "database", "pod",      "pods",   "worker",     "workers",  "related",
                                            "side",     "errors",   "logs",   "team",       "specific", "only",
                                            "repo",     "pipeline", "server", "deployment", "based"};

class Finder {
 public:
  Finder(const Tokens& tokens, const Vocabulary& vocabulary) : tokens_(tokens) {
    for (std::size_t i = 0; i < vocabulary.services.size(); ++i) {
      const KnownService& service = vocabulary.services[i];
      services_.add(service.key, i);
      services_.add(service.full_name, i);
      for (const std::string& alias : service.aliases) services_.add(alias, i);
    }
    for (const auto& [name, others] : vocabulary.environments) {
      environments_.add(name, 0);
      for (const std::string& other : others) environments_.add(other, 0);
    }
  }

  std::optional<NameIndex::Match> at(std::size_t at) const {
    const auto match = services_.longest(tokens_, at);
    if (!match || !stands_alone(at, *match) || !is_meant(at, *match)) return std::nullopt;
    return match;
  }

 private:
  bool is_environment(std::size_t index) const { return environments_.longest(tokens_, index).has_value(); }

  // `core` is not the service in `other-core`, `core-metrics` or core@example.com; it is in prod-core, core-prod,
  // core-7f9c8d and core's.
  bool stands_alone(std::size_t first, const NameIndex::Match& match) const {
    const Token& before = tokens_[first - 1];
    const Token& behind = tokens_[match.next];
    if (tokens_[first].glued && (before.is_symbol('@') || before.is_symbol('.'))) return false;
    if (behind.glued && behind.is_symbol('@')) return false;
    if (behind.glued && behind.is_symbol('.') && tokens_.joined(match.next) && tokens_[match.next + 1].is_word()) {
      return false;
    }
    if (tokens_.tied_before(first) && !is_environment(first - 2)) return false;
    if (!tokens_.tied_behind(match.next - 1) || match.words > 1) return true;
    const Token& tied = tokens_[match.next + 1];
    return contains(kTiedBehind, tied.lower) || has_digit(tied.lower) || is_environment(match.next + 1);
  }

  bool is_meant(std::size_t first, const NameIndex::Match& match) const {
    if (match.words > 1 && !match.with_spaces) return true;
    for (std::size_t i = first; i < match.next; ++i) {
      if (tokens_[i].is_word() && !contains(kOrdinaryWords, tokens_[i].lower)) return true;
    }
    const Token& before = tokens_[first - 1];
    if (before.is_symbol('`') || before.is_symbol('"') || before.is_symbol('#')) return true;
    if (tokens_.tied_before(first) || tokens_.tied_behind(match.next - 1)) return true;
    if (tokens_.size() == match.next - first) return true;  // the whole request, such as an answer
    if (contains(kPhraseBefore, before.lower)) return false;
    const Token& behind = tokens_[match.next];
    if (contains(kThingBehind, behind.lower)) return true;
    // "errors in search", and not "errors in search results".
    const bool ends = !behind.is_word() || is_environment(match.next) || tokens_.sentence_starts(match.next);
    static constexpr std::string_view kGoesOn[] = {"in",    "on",     "since", "over",      "for",    "last",
                                                   "and",   "or",     "today", "yesterday", "please", "from",
                                                   "after", "before", "at",    "during",    "to"};
    return contains(kThingBefore, before.lower) && (ends || contains(kGoesOn, behind.lower));
  }

  const Tokens& tokens_;
  NameIndex services_;
  NameIndex environments_;
};

}  // namespace

std::vector<std::string> find_services(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  const Finder finder(tokens, vocabulary);
  std::vector<std::string> found;
  for (std::size_t at = 0; at < tokens.size() && found.size() < kMostOfAKind; ++at) {
    if (claims[at]) continue;
    const auto match = finder.at(at);
    if (!match) continue;
    for (std::size_t i = at; i < match->next; ++i) claims[i] = true;
    const std::string& key = vocabulary.services[match->owner].key;
    if (!contains(found, key)) found.push_back(key);
    at = match->next - 1;
  }
  return found;
}

}  // namespace deputy::intent

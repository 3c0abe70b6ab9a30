#include "intent/unknown_names.h"

#include <algorithm>

#include "base/text.h"
#include "intent/levels.h"
#include "intent/name_reader.h"
#include "intent/name_words.h"
#include "intent/sought_text.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostRead = 400;  // words
constexpr std::size_t kMostNameWords = 3;

// What goes wrong, and where it is written down.
constexpr std::string_view kThings[] = {
    "error",   "errors",   "exception",   "exceptions", "failure",  "failures",   "crash",    "crashes",
    "warning", "warnings", "timeouts",    "problem",    "problems", "issue",      "issues",   "log",
    "logs",    "failing",  "failed",      "fails",      "broken",   "wrong",      "happens",  "happening",
    "status",  "happened", "health",      "state",      "trouble",  "stacktrace", "crashing", "outage",
    "outages", "5xx",      "stacktraces", "fatals",     "criticals"};
constexpr std::string_view kErrors[] = {"error", "errors", "exception", "exceptions", "failures", "crashes"};
constexpr std::string_view kTroubled[] = {"wrong", "happening", "happened", "on",      "up",
                                          "issue", "issues",    "problem",  "trouble", "problems"};
constexpr std::string_view kArticles[] = {"the", "our", "my", "your", "their"};
constexpr std::string_view kNaming[] = {"named", "called"};
constexpr std::string_view kLookedAt[] = {"investigate", "debug", "tail", "diagnose", "troubleshoot"};
constexpr std::string_view kConditions[] = {"down",    "up",       "healthy", "unhealthy", "ok",   "okay",  "slow",
                                            "failing", "crashing", "broken",  "degraded",  "dead", "alive", "working"};
constexpr std::string_view kHelping[] = {"did", "does", "do", "has", "have"};
constexpr std::string_view kDone[] = {"have",   "had",  "get",    "got",      "throw",   "thrown",  "see",     "seen",
                                      "log",    "fail", "logged", "reported", "report",  "crash",   "crashed", "failed",
                                      "return", "show", "write",  "written",  "produce", "produced"};
constexpr std::string_view kBeing[] = {"is", "are", "was", "were"};

class Finder {
 public:
  Finder(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims, const Claims& services)
      : tokens_(tokens), services_(services), names_(tokens, vocabulary, claims), text_(names_) {}

  UnknownNames find() {
    text_.find_quoted();
    const std::string_view level = find_level();
    for (std::size_t at = tokens_.size(); at-- > 0;) {
      if (is_searching(tokens_[at].lower)) searching_from_ = at;
    }
    const std::size_t most = std::min(tokens_.size(), kMostRead);
    for (std::size_t at = 0; at < most; ++at) {
      if (!tokens_[at].is_word()) continue;
      if (is_service_word(tokens_[at].lower)) behind_service_word(at);
      if (is_place_word(tokens_[at].lower) || tokens_[at].is("with")) behind_place(at);
      if (is_counted_thing(tokens_[at].lower)) beside_thing(at);
      if (contains(kBeing, tokens_[at].lower)) beside_being(at);
      if (contains(kHelping, tokens_[at].lower)) behind_helping(at);
      if (contains(kLookedAt, tokens_[at].lower)) add_service(at + 1);
      if (tokens_[at].is("timeouts") && names_.unread(at)) names_.add_text("timeout");
      text_.read_cue(at);
    }
    for (std::size_t at = 1; at < most; ++at) behind_joint(at);
    names_.also_text(level);
    return names_.take_found();
  }

 private:
  /// What entries of the level that is asked for hold; nothing where errors are asked for too, which hold something
  /// else. A word that only says the level is no name.
  std::string_view find_level() {
    std::string_view text;
    bool asks_for_errors = false;
    for (std::size_t at = 0; at < std::min(tokens_.size(), kMostRead); ++at) {
      asks_for_errors = asks_for_errors || contains(kErrors, tokens_[at].lower);
      const auto level = names_.unread(at) ? read_level(tokens_, at) : std::nullopt;
      if (!level) continue;
      if (!is_counted_thing(tokens_[at].lower)) names_.take(at, level->next);
      if (text.empty()) text = level->text;
    }
    return asks_for_errors ? std::string_view() : text;
  }

  std::size_t skip_article(std::size_t at) const { return contains(kArticles, tokens_[at].lower) ? at + 1 : at; }

  /// "errors on startup" speaks of a time, "errors on order-desk" of a service.
  enum class Reading { name, name_if_it_looks_so };

  /// A name of up to some words, behind an article, if one stands there and ends.
  void add_service(std::size_t at, Reading reading = Reading::name) {
    const std::size_t first = skip_article(at);
    std::size_t next = first;
    bool only_kinds_of_error = true;
    for (std::size_t words = 0; words < kMostNameWords && names_.may_be_name(next, names_.name_end(next)); ++words) {
      only_kinds_of_error = only_kinds_of_error && is_kind_of_error(tokens_[next].lower);
      next = names_.name_end(next);
      if (names_.ends(next)) break;
    }
    if (next == first || !names_.ends(next)) return;
    const bool doubtful = reading == Reading::name_if_it_looks_so && !names_.looks_like_name(first, next);
    if (only_kinds_of_error || doubtful) return names_.take_text(first, next, to_lower(tokens_.text(first, next)));
    names_.take_service(first, next);
  }

  /// "service checkout", "service: checkout"; and "the checkout service".
  void behind_service_word(std::size_t at) {
    std::size_t next = at + 1;
    if (tokens_[next].is_symbol(':') || tokens_[next].is_symbol('=')) ++next;
    if (contains(kNaming, tokens_[next].lower)) ++next;
    const bool assigned = next > at + 1;
    const std::size_t end = names_.name_end(next);
    const bool plain = names_.may_be_name(next, end) || (assigned && names_.unread(next) && tokens_[next].is_word() &&
                                                         !is_ordinary(tokens_[next].lower));
    if (plain && (assigned || names_.ends(end))) return names_.take_service(next, end);
    if (at == 0) return;
    const std::size_t first = names_.name_begin(at - 1);
    if (names_.name_end(first) == at && !tokens_[at].glued && names_.may_be_name(first, at))
      names_.take_service(first, at);
  }

  /// "search the logs for X": X is looked for, not looked at.
  bool is_sought(std::size_t at) const {
    const Token& before = tokens_[at - 1];
    const bool of_errors = contains(kThings, before.lower) && !before.is("log") && !before.is("logs");
    return tokens_[at].is("for") && searching_from_ < at && !of_errors;
  }

  /// "errors of X", "errors since noon in X", "wrong with X".
  void behind_place(std::size_t at) {
    if (at == 0) return;
    const Token& before = tokens_[at - 1];
    if (tokens_[at].is("with")) {
      if (contains(kTroubled, before.lower)) add_service(at + 1);
      return;
    }
    if (is_sought(at)) return text_.read_words(at + 1);
    const bool going_on = before.is("on") && tokens_[at - 2].is("going");
    const bool about_it = contains(kThings, before.lower) || names_.claimed(at - 1) || going_on;
    if (!about_it || text_.read_key(at)) return;
    add_service(at + 1, tokens_[at].is("on") ? Reading::name_if_it_looks_so : Reading::name);
  }

  /// "X errors", which is a kind of error unless it looks like a service; "errors X".
  void beside_thing(std::size_t at) {
    const std::size_t behind = names_.name_end(at + 1);
    const bool ends_there = !tokens_[behind].is_word() || behind >= tokens_.size() || names_.claimed(behind);
    if (names_.may_be_name(at + 1, behind) && ends_there) names_.take_service(at + 1, behind);
    if (at == 0 || tokens_[at].glued || tokens_.sentence_starts(at)) return;
    if (at >= 3 && tokens_[at - 1].is("s") && tokens_[at - 2].is_symbol('\'')) return before_possessive(at - 3);
    std::size_t first = names_.name_begin(at - 1);
    const bool is_kind = is_kind_of_error(tokens_[first].lower) && names_.unread(first) && first + 1 == at;
    if (!is_kind && !names_.may_be_name(first, at)) return;
    if (!is_kind && names_.looks_like_name(first, at)) return names_.take_service(first, at);
    while (first > 0 && at - first < kMostNameWords && !tokens_.sentence_starts(first) && !tokens_[first].glued &&
           (is_kind_of_error(tokens_[first - 1].lower) || names_.may_be_name(first - 1, first))) {
      --first;
    }
    names_.take_text(first, at, to_lower(tokens_.text(first, at)));
  }

  /// "X's errors".
  void before_possessive(std::size_t at) {
    const std::size_t first = names_.name_begin(at);
    if (names_.may_be_name(first, at + 1)) names_.take_service(first, at + 1);
  }

  /// "is X down", "X is down".
  void beside_being(std::size_t at) {
    const std::size_t first = skip_article(at + 1);
    const std::size_t next = names_.name_end(first);
    if (names_.may_be_name(first, next) && contains(kConditions, tokens_[next].lower))
      return names_.take_service(first, next);
    if (at == 0 || !contains(kConditions, tokens_[at + 1].lower)) return;
    const std::size_t begin = names_.name_begin(at - 1);
    if (names_.may_be_name(begin, at)) names_.take_service(begin, at);
  }

  /// "what errors did X have".
  void behind_helping(std::size_t at) {
    const std::size_t first = skip_article(at + 1);
    const std::size_t next = names_.name_end(first);
    if (names_.may_be_name(first, next) && contains(kDone, tokens_[next].lower)) names_.take_service(first, next);
  }

  /// "checkout and X": beside a service stands another.
  void behind_joint(std::size_t at) {
    static constexpr std::string_view kJoints[] = {"and", "or", "vs", "versus", "with", "to", "against"};
    const bool joint = contains(kJoints, tokens_[at].lower) || tokens_[at].is_symbol(',') || tokens_[at].is_symbol('&');
    const bool beside = services_[at - 1] || (names_.taken(at - 1) && !names_.found().services.empty());
    if (joint && beside) add_service(at + 1);
  }

  const Tokens& tokens_;
  const Claims& services_;
  NameReader names_;
  SoughtText text_;
  std::size_t searching_from_ = std::string_view::npos;  // the first word that says so
};

}  // namespace

UnknownNames find_unknown_names(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims,
                                const Claims& services) {
  return Finder(tokens, vocabulary, claims, services).find();
}

}  // namespace deputy::intent

#include "intent/environments.h"

#include "base/text.h"

namespace deputy::intent {

namespace {

// People and things that an environment's name only qualifies: "the dev team", "a dev asked".
constexpr std::string_view kNotAnEnvironmentBefore[] = {
    "team",   "teams",   "lead",         "leads",      "guys",      "guy",   "folks",     "people",
    "person", "manager", "engineers",    "engineer",   "ops",       "tools", "said",      "says",
    "asked",  "asks",    "told",         "thinks",     "meeting",   "docs",  "laptop",    "machine",
    "branch", "kit",     "dependencies", "dependency", "readiness", "mode",  "experience"};

// An article before a bare name makes a person of it: "a dev", "which dev".
constexpr std::string_view kOnePerson[] = {"a", "another", "which", "some", "every", "each"};

// Names that are ordinary words too; they need a sign that a place is meant.
constexpr std::string_view kOrdinaryWords[] = {
    "live",        "stage",       "stages",      "test",     "tests",      "testing", "demo",   "local",   "main",
    "beta",        "alpha",       "green",       "blue",     "base",       "shared",  "core",   "int",     "acceptance",
    "performance", "perf",        "load",        "training", "lab",        "build",   "canary", "preview", "public",
    "internal",    "development", "integration", "play",     "playground", "edge",    "global"};

constexpr std::string_view kPlaceBefore[] = {"in",   "on",  "to",          "from", "against", "into",
                                             "onto", "env", "environment", "at",   "between", "across"};
constexpr std::string_view kPlaceBehind[] = {"env",     "environment", "environments", "cluster", "clusters", "account",
                                             "stack",   "namespace",   "database",     "db",      "servers",  "system",
                                             "systems", "pods",        "errors",       "logs"};
constexpr std::string_view kOpposite[] = {"non", "pre", "post", "anti", "un"};
constexpr std::string_view kNegation[] = {"not", "except", "excluding", "without", "besides", "isnt", "never"};
constexpr std::string_view kSkippedByNegation[] = {"in", "on", "the", "for", "from", "just", "only"};

bool stands_for_a_place(const Tokens& tokens, std::size_t first, std::size_t next) {
  const Token& before = tokens[first - 1];
  if (before.is_symbol('#') || before.kind == TokenKind::mention || before.is_symbol('`')) return true;
  if (tokens.tied_before(first) || tokens.tied_behind(next - 1)) return true;
  // "in live", and not "in stage 2", "in test runs".
  const bool ends = !tokens[next].is_word() || tokens.sentence_starts(next);
  const bool numbered = all_digits(tokens[next].lower);
  if (contains(kPlaceBehind, tokens[next].lower)) return true;
  const bool the = before.is("the");
  if (the) return false;
  if (!contains(kPlaceBefore, before.lower) && !(before.is_symbol(':') || before.is_symbol('='))) return false;
  static constexpr std::string_view kGoesOn[] = {
      "and",   "or",  "since", "for",   "last", "over",    "please",  "now",    "today",  "yesterday",
      "right", "is",  "are",   "after", "with", "because", "between", "around", "during", "this",
      "vs",    "the", "but",   "from",  "in",   "before",  "within",  "when",   "until"};
  return ends || (!numbered && contains(kGoesOn, tokens[next].lower));
}

bool negated(const Tokens& tokens, std::size_t first) {
  std::size_t at = first;
  while (at > 0 && contains(kSkippedByNegation, tokens[at - 1].lower)) --at;
  if (at == 0) return false;
  if (tokens[at - 1].is("but") && tokens[at].is("not")) return true;
  return contains(kNegation, tokens[at - 1].lower);
}

bool is_environment(const Tokens& tokens, std::size_t first, std::size_t next) {
  if (tokens.tied_before(first) && contains(kOpposite, tokens[first - 2].lower)) return false;
  const Token& before = tokens[first - 1];
  // a.prod.example.com, @prod, /prod/ and "liv-e's" are parts of something else; prod/staging is a list.
  if (tokens[first].glued && (before.is_symbol('.') || before.is_symbol('@'))) return false;
  if (tokens[next].is_symbol('.') && tokens[next].glued && tokens.joined(next)) return false;
  if (tokens[next].is_symbol('@') && tokens[next].glued) return false;
  const std::size_t behind = tokens.tied_behind(next - 1) ? next + 1 : next;
  if (contains(kNotAnEnvironmentBefore, tokens[behind].lower) && !tokens.sentence_starts(behind)) return false;
  if (contains(kOnePerson, before.lower) && !contains(kPlaceBehind, tokens[next].lower)) {
    return tokens[next].is_word() && !tokens.sentence_starts(next);
  }
  if (contains(kOpposite, before.lower)) return false;
  if (contains(kOrdinaryWords, tokens[first].lower) && next == first + 1)
    return stands_for_a_place(tokens, first, next);
  return true;
}

}  // namespace

std::vector<std::string> find_environments(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  NameIndex index;
  std::vector<std::string_view> names;
  for (const auto& [name, others] : vocabulary.environments) {
    index.add(name, names.size());
    for (const std::string& other : others) index.add(other, names.size());
    names.emplace_back(name);
  }
  std::vector<std::string> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (claims[at]) continue;
    const auto match = index.longest(tokens, at);
    if (!match || !is_environment(tokens, at, match->next)) continue;
    for (std::size_t i = at; i < match->next; ++i) claims[i] = true;
    const std::string_view name = names[match->owner];
    if (!negated(tokens, at) && !contains(found, name)) found.emplace_back(name);
    at = match->next - 1;
  }
  return found;
}

}  // namespace deputy::intent

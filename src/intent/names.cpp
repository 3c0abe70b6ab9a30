#include "intent/names.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "intent/intent.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMaxParts = 8;
constexpr std::size_t kMaxName = 100;

class NameIndex {
 public:
  /// If two owners have the same name, the first one added keeps it.
  void add(std::string_view name, std::size_t owner);

  struct Match {
    std::size_t owner = 0;
    std::size_t next = 0;   // the token after the name
    std::size_t words = 0;  // how many words the request uses for it
  };
  /// The longest name that starts at the token.
  std::optional<Match> longest(const Tokens& tokens, std::size_t at) const;

 private:
  struct Name {
    std::size_t owner = 0;
    std::size_t parts = 1;
  };
  std::unordered_map<std::string, Name> names_;  // letters and digits only
  std::size_t longest_ = 0;                      // bytes
};

void NameIndex::add(std::string_view name, std::size_t owner) {
  const Tokens parts(name);
  std::string joined;
  std::size_t words = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_word()) continue;
    joined += parts[i].lower;
    ++words;
  }
  if (joined.empty() || joined.size() > kMaxName || words > kMaxParts) return;
  longest_ = std::max(longest_, joined.size());
  names_.try_emplace(std::move(joined), Name{owner, words});
}

std::optional<NameIndex::Match> NameIndex::longest(const Tokens& tokens, std::size_t at) const {
  std::optional<Match> best;
  std::string joined;
  bool with_spaces = false;
  std::size_t words = 0;
  for (std::size_t i = at; words < kMaxParts && tokens[i].is_word(); ++i) {
    joined += tokens[i].lower;
    if (joined.size() > longest_) break;
    ++words;
    if (const auto found = names_.find(joined); found != names_.end()) {
      // "check out the errors" does not name `checkout`: with spaces, the number of parts must be the same.
      if (!with_spaces || found->second.parts == words) best = Match{found->second.owner, i + 1, words};
    }
    if (tokens.tied_behind(i)) {
      ++i;
    } else if (tokens[i + 1].is_word() && !tokens[i + 1].glued && !tokens[i + 1].line_start) {
      with_spaces = true;
    } else {
      break;
    }
  }
  return best;
}

NameIndex index_environments(const Vocabulary& vocabulary) {
  NameIndex index;
  std::size_t owner = 0;
  for (const auto& [name, others] : vocabulary.environments) {
    index.add(name, owner);
    for (const std::string& other : others) index.add(other, owner);
    ++owner;
  }
  return index;
}

/// Whether it is part of a host name or an e-mail address.
bool in_address(const Tokens& tokens, std::size_t first, std::size_t next) {
  const Token& before = tokens[first - 1];
  const Token& behind = tokens[next];
  if (tokens[first].glued && (before.is_symbol('@') || before.is_symbol('.'))) return true;
  if (!behind.glued) return false;
  return behind.is_symbol('@') || (behind.is_symbol('.') && tokens.joined(next) && tokens[next + 1].is_word());
}

/// Whether a word that is also a service's name is used as a verb: "Search the logs".
bool is_verb(const Tokens& tokens, std::size_t first, std::size_t next) {
  static constexpr std::string_view kObjects[] = {"the", "for", "all", "a", "my", "our", "me"};
  return next == first + 1 && contains(kObjects, tokens[next].lower) && asking_at(tokens, first) == Asking::order;
}

bool is_negated_name(const Tokens& tokens, std::size_t first) {
  static constexpr std::string_view kBetween[] = {"in", "on", "the", "for", "from"};
  static constexpr std::string_view kNot[] = {"not", "except", "excluding", "without"};
  std::size_t at = first;
  while (at > 0 && contains(kBetween, tokens[at - 1].lower)) --at;
  return at > 0 && contains(kNot, tokens[at - 1].lower);
}

void claim_all(Claims& claims, std::size_t first, std::size_t next) {
  for (std::size_t at = first; at < next; ++at) claims[at] = true;
}

}  // namespace

std::vector<std::string> find_services(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  NameIndex services;
  for (std::size_t i = 0; i < vocabulary.services.size(); ++i) {
    const KnownService& service = vocabulary.services[i];
    services.add(service.key, i);
    services.add(service.full_name, i);
    for (const std::string& alias : service.aliases) services.add(alias, i);
  }
  const NameIndex environments = index_environments(vocabulary);
  // prod-core, core-prod and core-7f9c8d all name the service `core`.
  const auto stands_alone = [&](std::size_t first, std::size_t next) {
    if (tokens.tied_before(first) && !environments.longest(tokens, first - 2)) return false;
    if (!tokens.tied_behind(next - 1)) return true;
    return std::ranges::any_of(tokens[next + 1].lower, is_digit) || environments.longest(tokens, next + 1).has_value();
  };
  std::vector<std::string> found;
  for (std::size_t at = 0; at < tokens.size() && found.size() < kMaxKind; ++at) {
    const auto match = claims[at] ? std::nullopt : services.longest(tokens, at);
    if (!match || in_address(tokens, at, match->next) || !stands_alone(at, match->next) ||
        is_verb(tokens, at, match->next))
      continue;
    claim_all(claims, at, match->next);
    const std::string& key = vocabulary.services[match->owner].key;
    if (!contains(found, key)) found.push_back(key);
    at = match->next - 1;
  }
  return found;
}

std::vector<std::string> find_environments(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims) {
  static constexpr std::string_view kOpposite[] = {"non", "pre", "post"};
  const NameIndex environments = index_environments(vocabulary);
  std::vector<std::string> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto match = claims[at] ? std::nullopt : environments.longest(tokens, at);
    if (!match || in_address(tokens, at, match->next)) continue;
    const bool opposite = contains(kOpposite, tokens[at - 1].lower) ||
                          (tokens.tied_before(at) && contains(kOpposite, tokens[at - 2].lower));
    if (opposite) continue;
    claim_all(claims, at, match->next);
    const std::string& name =
        std::next(vocabulary.environments.begin(), static_cast<std::ptrdiff_t>(match->owner))->first;
    if (!is_negated_name(tokens, at) && !contains(found, name)) found.push_back(name);
    at = match->next - 1;
  }
  return found;
}

}  // namespace deputy::intent

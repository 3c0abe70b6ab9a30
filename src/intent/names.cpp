#include "intent/names.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostParts = 8;
constexpr std::size_t kLongestName = 100;

}  // namespace

void NameIndex::add(std::string_view name, std::size_t owner) {
  const Tokens parts(name);
  std::string joined;
  std::size_t words = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_word()) continue;
    joined += parts[i].lower;
    ++words;
  }
  if (joined.empty() || joined.size() > kLongestName || words > kMostParts) return;
  longest_ = std::max(longest_, joined.size());
  names_.try_emplace(std::move(joined), Name{owner, words});
}

std::optional<NameIndex::Match> NameIndex::longest(const Tokens& tokens, std::size_t at) const {
  std::optional<Match> best;
  std::string joined;
  bool with_spaces = false;
  std::size_t words = 0;
  for (std::size_t i = at; words < kMostParts && tokens[i].is_word(); ++i) {
    joined += tokens[i].lower;
    if (joined.size() > longest_) break;
    ++words;
    if (const auto found = names_.find(joined); found != names_.end()) {
      // A name of one part written as two words is two words: alias `checkout`, "check out the errors".
      if (!with_spaces || found->second.parts == words) best = Match{found->second.owner, i + 1, words, with_spaces};
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

}  // namespace deputy::intent

#include "intent/name_reader.h"

#include <algorithm>

#include "base/text.h"
#include "intent/intent.h"
#include "intent/name_words.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kLongestName = 60;   // bytes
constexpr std::size_t kLongestText = 200;  // bytes
constexpr std::size_t kMostLookedUp = 8;

// What hangs on a name and says nothing more.
constexpr std::string_view kHangers[] = {"service", "svc", "microservice", "api", "app", "pod", "pods", "worker"};
}  // namespace

std::size_t NameReader::name_end(std::size_t at) const {
  while (tokens_.tied_behind(at) && unread(at + 2)) at += 2;
  return at + 1;
}

// A part of an address, a path or a person's account is none.
bool NameReader::stands_alone(std::size_t first, std::size_t next) const {
  static constexpr std::string_view kTies = ".@/\\:#=<>$%*+";
  const Token& before = tokens_[first - 1];
  const Token& behind = tokens_[next];
  if (first > 0 && tokens_[first].glued && before.kind == TokenKind::symbol && kTies.contains(before.text[0]))
    return false;
  return !(behind.glued && behind.kind == TokenKind::symbol && kTies.contains(behind.text[0]) && tokens_.joined(next));
}

bool NameReader::is_environment_or_slip(std::string_view word) const {
  if (is_usual_environment(word)) return true;
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

bool NameReader::may_be_name(std::size_t first, std::size_t next) const {
  if (!unread(first) || !tokens_[first].is_word() || !stands_alone(first, next)) return false;
  const std::string_view word = tokens_[first].lower;
  if (tokens_.text(first, next).size() > kLongestName) return false;
  if (next > first + 1) {
    const std::string_view last = tokens_[next - 1].lower;
    return (has_letter(word) || has_letter(last)) && !is_tied_word(word) && !is_tied_word(last);
  }
  return word.size() >= 3 && has_letter(word) && !is_ordinary(word) && !is_environment_or_slip(word);
}

// Looked up for a few words of a request only: it takes as long as there are services.
bool NameReader::is_near_known(std::string_view word) {
  if (++looked_up_ > kMostLookedUp) return false;
  const auto is_near = [&](std::string_view name) { return is_slip_of(word, to_lower(name)); };
  return std::ranges::any_of(vocabulary_.services, [&](const KnownService& service) {
    return is_near(service.key) || std::ranges::any_of(service.aliases, is_near);
  });
}

bool NameReader::looks_like_name(std::size_t first, std::size_t next) {
  const std::string name = to_lower(tokens_.text(first, next));
  return name_end(first) == next && (next > first + 1 || has_digit(name) || is_near_known(name));
}

bool NameReader::ends(std::size_t at) const {
  const Token& token = tokens_[at];
  if (!token.is_word() || at >= tokens_.size()) return true;
  return claims_[at] || tokens_.sentence_starts(at) || begins_something_else(token.lower) ||
         contains(kHangers, token.lower) || is_environment_or_slip(token.lower);
}

std::size_t NameReader::name_begin(std::size_t at) const {
  while (at >= 2 && tokens_.tied_before(at)) at -= 2;
  return at;
}

void NameReader::take_service(std::size_t first, std::size_t next) {
  take(first, next);
  std::string name(tokens_.text(first, next));
  const bool is_new = !contains(found_.services, name);
  if (is_new && found_.services.size() < kMostOfAKind) found_.services.push_back(std::move(name));
}

void NameReader::take_text(std::size_t first, std::size_t next, std::string text) {
  take(first, next);
  add_text(std::move(text));
}

void NameReader::add_text(std::string text) {
  if (found_.text.empty() && text.size() <= kLongestText) found_.text = std::move(text);
}

void NameReader::also_text(std::string_view text) {
  std::string& found = found_.text;
  if (text.empty() || found.starts_with('/') || found.size() + text.size() >= kLongestText) return;
  if (!found.empty()) found += ' ';
  found += text;
}

void NameReader::take(std::size_t first, std::size_t next) {
  for (std::size_t at = first; at < next; ++at) taken_[at] = true;
}

}  // namespace deputy::intent

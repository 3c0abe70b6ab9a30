#include "intent/sought_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "intent/name_words.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostTextWords = 5;

constexpr std::string_view kBeforeText[] = {"the", "a", "an", "word", "words", "text", "string"};
constexpr std::string_view kTextCues[] = {"containing", "contain",  "contains", "mentioning",
                                          "mention",    "mentions", "matching", "saying"};
constexpr std::string_view kSearching[] = {"search", "searching", "grep", "look", "looking", "find"};
// "for user 42": what has a number or a name of its own in the logs.
constexpr std::string_view kKeyed[] = {"user",    "customer", "order", "request", "account", "session", "transaction",
                                       "trace",   "host",     "pod",   "node",    "ip",      "tenant",  "job",
                                       "invoice", "id",       "code",  "thread",  "client",  "order_id"};

/// "search the logs for".
bool is_behind_searching(const Tokens& tokens, std::size_t at) {
  constexpr std::size_t kFarthest = 8;  // words
  for (std::size_t back = 1; back <= kFarthest && back <= at && !tokens.sentence_starts(at - back + 1); ++back) {
    if (is_searching(tokens[at - back].lower)) return true;
  }
  return false;
}

/// Whether a name stands behind the token, and not what is looked for.
bool is_name_place(const Tokens& tokens, std::size_t at) {
  if (is_service_word(tokens[at].lower)) return true;
  if (!is_place_word(tokens[at].lower)) return false;
  return !(tokens[at].is("for") && is_behind_searching(tokens, at)) && !is_searching(tokens[at - 1].lower);
}

}  // namespace

bool is_searching(std::string_view word) { return contains(kSearching, word); }

bool SoughtText::read_key(std::size_t at) {
  if (!contains(kKeyed, tokens_[at + 1].lower) || !names_.unread(at + 1) || !names_.unread(at + 2)) return false;
  const std::size_t next = names_.name_end(at + 2);
  const std::string_view value = tokens_.text(at + 2, next);
  if (!tokens_[at + 2].is_word() || (!has_digit(value) && next == at + 3)) return false;
  names_.add_text(fmt::format("{} {}", tokens_[at + 1].lower, value));
  return true;
}

void SoughtText::read_cue(std::size_t at) {
  const bool with =
      (tokens_[at].is("with") || tokens_[at].is("about")) && at > 0 && is_counted_thing(tokens_[at - 1].lower);
  if (!with && !contains(kTextCues, tokens_[at].lower)) return;
  if (!read_key(at)) read_words(at + 1);
}

void SoughtText::read_words(std::size_t first) {
  while (contains(kBeforeText, tokens_[first].lower)) ++first;
  std::size_t next = first;
  bool says_something = false;
  for (std::size_t words = 0; words < kMostTextWords && names_.unread(next) && tokens_[next].is_word(); ++words) {
    if (begins_something_else(tokens_[next].lower) || tokens_.sentence_starts(next)) break;
    const std::string_view word = tokens_[next].lower;
    says_something = says_something || !is_ordinary(word) || is_kind_of_error(word);
    next = names_.name_end(next);
  }
  if (!says_something) return;
  const std::string_view words = tokens_.text(first, next);
  names_.take_text(first, next, words == "timeouts" ? "timeout" : std::string(words));
}

void SoughtText::find_quoted() {
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

void SoughtText::read_quoted(std::size_t first, std::size_t end) {
  if (first == end) return;
  for (std::size_t at = first; at < end; ++at) {
    if (names_.claimed(at)) return;
  }
  const bool one_name = tokens_[first].is_word() && names_.name_end(first) == end && names_.unread(first);
  if (one_name && first >= 2 && is_name_place(tokens_, first - 2)) return names_.take_service(first, end);
  if (!names_.found().text.empty()) return;
  names_.take_text(first, end, std::string(tokens_.text(first, end)));
}

}  // namespace deputy::intent

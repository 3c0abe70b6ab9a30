#include "intent/phrases.h"

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

constexpr std::string_view kAdverbs[] = {
    "just",     "simply",  "quickly",  "now",   "also",   "first",   "kindly",  "quietly", "finally",     "maybe",
    "secretly", "asap",    "directly", "only",  "really", "still",   "perhaps", "either",  "immediately", "urgently",
    "next",     "instead", "once",     "ok",    "okay",   "hey",     "hi",      "hello",   "deputy",      "bot",
    "so",       "well",    "actually", "today", "even",   "kubectl", "already"};
constexpr std::string_view kOpeners[] = {"please", "pls", "plz", "and", "then", "or", "but", "lets", "bitte", "must"};
constexpr std::string_view kAskYou[] = {"can", "could", "would", "will", "must", "should"};
constexpr std::string_view kAskWe[] = {"can", "could", "may", "do", "should", "might", "would"};
constexpr std::string_view kWish[] = {"you",  "like",  "want",  "need", "wants",    "needs",  "have",
                                      "love", "wanna", "going", "able", "try",      "trying", "us",
                                      "me",   "order", "wish",  "team", "supposed", "got"};
constexpr std::string_view kHow[] = {"how", "way", "ways", "where"};
// Behind "and", a verb that is followed by one of these was a noun: "and restart loops go on".
constexpr std::string_view kBehindNoun[] = {"failed", "fails", "failing",  "is",     "was",    "are",     "were",
                                            "loop",   "loops", "count",    "counts", "errors", "error",   "time",
                                            "times",  "keeps", "happened", "policy", "of",     "failure", "failures",
                                            "went",   "took",  "seems",    "has",    "job",    "jobs"};

}  // namespace

bool is_negated(const Tokens& tokens, std::size_t at) {
  static constexpr std::string_view kNot[] = {"not", "never",   "dont", "cannot", "cant",
                                              "no",  "without", "wont", "didnt",  "nt"};
  const Token& before = tokens[at - 1];
  if (before.is("t") && before.glued && tokens[at - 2].is_symbol('\'')) return true;
  return contains(kNot, before.lower);
}

Asking asking_at(const Tokens& tokens, std::size_t at) {
  if (!tokens[at].is_word() || tokens.tied_before(at)) return Asking::no;
  for (int skipped = 0; skipped < 4; ++skipped) {
    const Token& before = tokens[at - 1];
    if (tokens.sentence_starts(at) || before.kind == TokenKind::mention || before.kind == TokenKind::end)
      return Asking::order;
    if (before.is_word() && contains(kAdverbs, before.lower)) {
      --at;
      continue;
    }
    if (before.kind == TokenKind::symbol) {
      const bool apart = !tokens[at].glued || std::string_view("(\"*_`>").contains(before.text[0]);
      if (!apart || std::string_view("/#@&=+$").contains(before.text[0])) return Asking::no;
      if (before.is_symbol('`') || before.is_symbol('"') || before.is_symbol('(')) {
        return tokens.sentence_starts(at - 1) || tokens[at - 2].is_symbol(':') ? Asking::order : Asking::no;
      }
      return Asking::order;
    }
    if (before.is("and") || before.is("or") || before.is("but")) {
      return contains(kBehindNoun, tokens[at + 1].lower) ? Asking::no : Asking::order;
    }
    if (contains(kOpeners, before.lower)) return Asking::order;
    const std::string_view second = tokens[at - 2].lower;
    const bool s_of_lets = before.is("s") && tokens[at - 2].is_symbol('\'') && tokens[at - 3].is("let");
    if (s_of_lets) return Asking::order;
    static constexpr std::string_view kAnyone[] = {"you", "someone", "somebody", "anyone", "anybody", "u"};
    if (contains(kAnyone, before.lower)) return contains(kAskYou, second) ? Asking::order : Asking::no;
    if (before.is("i") || before.is("we")) return contains(kAskWe, second) ? Asking::question : Asking::no;
    if (before.is("me") || before.is("us")) return second == "let" || second == "help" ? Asking::question : Asking::no;
    if (before.is("to")) {
      if (contains(kHow, second)) return Asking::question;
      return contains(kWish, second) ? Asking::order : Asking::no;
    }
    return Asking::no;
  }
  return Asking::no;
}

}  // namespace deputy::intent

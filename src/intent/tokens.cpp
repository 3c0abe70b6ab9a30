#include "intent/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace deputy::intent {

namespace {

bool is_of_a_word(char c) { return is_lower(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The plain ASCII text that replaces a character; nothing when the character stays.
std::optional<std::string_view> plain_spelling(char32_t c) {
  static constexpr std::string_view kNarrow =
      "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  if (c >= 0xFF01 && c <= 0xFF5E) return kNarrow.substr(c - 0xFF01, 1);
  if ((c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF || c == 0x00AD) return "";
  if ((c >= 0x2000 && c <= 0x200A) || c == 0x00A0 || c == 0x202F || c == 0x3000) return " ";
  if (c >= 0x2010 && c <= 0x2015) return "-";
  if (c == 0x2018 || c == 0x2019 || c == 0x02BC) return "'";
  if (c == 0x201C || c == 0x201D || c == 0x00AB || c == 0x00BB || c == 0x201E) return "\"";
  if (c == 0x2026) return "...";
  if (c == 0x2028 || c == 0x2029) return "\n";
  if (c == 0x2192) return ">";
  return std::nullopt;
}

std::string make_plain(std::string_view request) {
  std::string plain;
  plain.reserve(request.size());
  while (!request.empty()) {
    const CodePoint c = decode_utf8(request);
    const auto spelling = c.bytes > 1 ? plain_spelling(c.value) : std::nullopt;
    if (spelling) {
      plain += *spelling;
    } else if (!c.valid) {
      plain += ' ';
    } else {
      plain += request.substr(0, c.bytes);
    }
    request.remove_prefix(c.bytes);
  }
  return plain;
}

/// The length of the URL that starts here; 0 when there is none.
std::size_t address_length(std::string_view text) {
  std::size_t length = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
  if (length == 0 || length >= text.size() || !is_of_a_word(text[length])) return 0;
  bool open = false;
  while (length < text.size()) {
    const char c = text[length];
    if (is_space(c) || static_cast<unsigned char>(c) < 0x20 || std::string_view("<>\"`|{}").contains(c)) break;
    open = open || c == '(';
    ++length;
  }
  while (std::string_view(".,;:!?'*_]").contains(text[length - 1]) || (!open && text[length - 1] == ')')) --length;
  return length;
}

/// The length of a Slack mention (`<@U1>`, `<#C1|name>`, `<!here>`, `<mailto:a@b.c|a@b.c>`) up to its label or its end.
std::size_t mention_length(std::string_view text) {
  const auto after = text.substr(1);
  if (!after.starts_with('@') && !after.starts_with('#') && !after.starts_with('!') && !after.starts_with("mailto:")) {
    return 0;
  }
  std::size_t length = 2;
  while (length < text.size() && !is_space(text[length]) && !std::string_view("<>|").contains(text[length])) ++length;
  if (length == text.size() || (text[length] != '>' && text[length] != '|')) return 0;
  return length + 1;
}

constexpr std::string_view kAdverbs[] = {
    "just",     "simply",  "quickly",  "now",   "also",   "first",   "kindly",  "quietly", "finally",     "maybe",
    "secretly", "asap",    "directly", "only",  "really", "still",   "perhaps", "either",  "immediately", "urgently",
    "next",     "instead", "once",     "ok",    "okay",   "hey",     "hi",      "hello",   "deputy",      "bot",
    "so",       "well",    "actually", "today", "even",   "kubectl", "already"};
constexpr std::string_view kOpeners[] = {"please", "pls", "plz", "and", "then", "or", "but", "lets", "bitte", "must"};
constexpr std::string_view kAskYou[] = {"can", "could", "would", "will", "must", "should"};
constexpr std::string_view kAskWe[] = {"can", "could", "may", "do", "should", "might", "would"};
constexpr std::string_view kWishes[] = {"you",  "like",  "want",  "need", "wants",    "needs",  "have",
                                        "love", "wanna", "going", "able", "try",      "trying", "us",
                                        "me",   "order", "wish",  "team", "supposed", "got"};
constexpr std::string_view kHow[] = {"how", "way", "ways", "where"};
// After "and", a verb that is followed by one of these is really a noun: "and restart loops go on".
constexpr std::string_view kBehindNoun[] = {"failed", "fails", "failing",  "is",     "was",    "are",     "were",
                                            "loop",   "loops", "count",    "counts", "errors", "error",   "time",
                                            "times",  "keeps", "happened", "policy", "of",     "failure", "failures",
                                            "went",   "took",  "seems",    "has",    "job",    "jobs"};

}  // namespace

const Token Tokens::kEnd{};

Tokens::Tokens(std::string_view request)
    : text_(make_plain(cut_characters(request, kMaxCharacters))), lower_(to_lower(text_)) {
  bool line_start = true;
  for (std::size_t at = 0; at < lower_.size();) {
    const char c = lower_[at];
    if (is_space(c) || static_cast<unsigned char>(c) < 0x20) {
      line_start = line_start || c == '\n';
      ++at;
      continue;
    }
    const std::string_view rest = std::string_view(lower_).substr(at);
    TokenKind kind = TokenKind::symbol;
    std::size_t length = 1;
    if (const std::size_t address = c == 'h' ? address_length(rest) : 0) {
      kind = TokenKind::url;
      length = address;
    } else if (const std::size_t mention = c == '<' ? mention_length(rest) : 0) {
      kind = TokenKind::mention;
      length = mention;
    } else if (is_of_a_word(c)) {
      kind = TokenKind::word;
      while (length < rest.size() && is_of_a_word(rest[length])) ++length;
    }
    add(kind, at, at + length, line_start);
    line_start = false;
    at += length;
  }
}

void Tokens::add(TokenKind kind, std::size_t begin, std::size_t end, bool line_start) {
  const bool glued = begin > 0 && !is_space(text_[begin - 1]) && static_cast<unsigned char>(text_[begin - 1]) >= 0x20;
  tokens_.push_back({kind, glued, line_start, std::string_view(text_).substr(begin, end - begin),
                     std::string_view(lower_).substr(begin, end - begin)});
}

std::string_view Tokens::text(std::size_t first, std::size_t last) const {
  if (first >= last || last > tokens_.size()) return {};
  const char* begin = tokens_[first].text.data();
  const std::string_view end = tokens_[last - 1].text;
  return {begin, static_cast<std::size_t>(end.data() + end.size() - begin)};
}

bool Tokens::sentence_starts(std::size_t index) const {
  const Token& token = (*this)[index];
  if (index == 0 || token.line_start) return true;
  const Token& before = (*this)[index - 1];
  if (before.kind != TokenKind::symbol || token.glued) return false;
  return std::string_view(".!?;").contains(before.text[0]);
}

bool Tokens::tied_before(std::size_t index) const {
  const Token& tie = (*this)[index - 1];
  return (*this)[index].glued && tie.glued && (tie.is_symbol('-') || tie.is_symbol('_')) &&
         (*this)[index - 2].is_word();
}

bool Tokens::tied_behind(std::size_t index) const {
  const Token& tie = (*this)[index + 1];
  return tie.glued && (tie.is_symbol('-') || tie.is_symbol('_')) && (*this)[index + 2].glued &&
         (*this)[index + 2].is_word();
}

bool all_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

std::optional<Count> read_count(const Tokens& tokens, std::size_t at) {
  static constexpr std::array<std::pair<std::string_view, int>, 29> kWords{
      {{"a", 1},          {"an", 1},        {"one", 1},       {"two", 2},       {"three", 3},    {"four", 4},
       {"five", 5},       {"six", 6},       {"seven", 7},     {"eight", 8},     {"nine", 9},     {"ten", 10},
       {"eleven", 11},    {"twelve", 12},   {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16},
       {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},   {"thirty", 30},  {"forty", 40},
       {"fifty", 50},     {"sixty", 60},    {"seventy", 70},  {"eighty", 80},   {"ninety", 90}}};
  const auto in_words = [&](std::size_t index) {
    for (const auto& [word, value] : kWords) {
      if (tokens[index].is(word)) return value;
    }
    return 0;
  };
  const std::string_view digits = tokens[at].lower;
  if (all_digits(digits)) {
    if (digits.size() > 6) return std::nullopt;
    Count count{0, at + 1};
    std::from_chars(digits.data(), digits.data() + digits.size(), count.value);
    return count;
  }
  const std::size_t word = tokens[at].is("a") ? at + 1 : at;
  if (tokens[word].is("couple")) return Count{2, word + (tokens[word + 1].is("of") ? 2 : 1)};
  if (tokens[word].is("few")) return Count{3, word + 1};
  int value = in_words(at);
  if (value == 0) return std::nullopt;
  std::size_t next = at + 1;
  const std::size_t unit_at = next + (tokens[next].is_symbol('-') && tokens[next].glued ? 1 : 0);
  if (value >= 20 && value % 10 == 0 && in_words(unit_at) > 0 && in_words(unit_at) < 10 && !tokens[unit_at].is("a")) {
    value += in_words(unit_at);
    next = unit_at + 1;
  }
  return Count{value, next};
}

std::vector<bool> find_quoted(const Tokens& tokens) {
  std::vector<bool> quoted(tokens.size(), false);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens[at].is_symbol('"') && !tokens[at].is_symbol('`')) continue;
    std::size_t end = at + 1;  // at most two quote marks have no partner, so this stays linear
    while (end < tokens.size() && !tokens[end].is_symbol(tokens[at].text[0])) ++end;
    if (end == tokens.size()) continue;
    for (++at; at < end; ++at) quoted[at] = true;
  }
  return quoted;
}

std::string stem(std::string_view lower) {
  static constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {"ies", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}, {"ing", ""}, {"ed", ""}, {"s", ""}};
  constexpr std::size_t kShortest = 3;
  for (const auto& [ending, instead] : kEndings) {
    if (!lower.ends_with(ending) || lower.size() < ending.size() + kShortest || lower.ends_with("ss")) continue;
    return std::string(lower.substr(0, lower.size() - ending.size())).append(instead);
  }
  return std::string(lower);
}

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
      return contains(kWishes, second) ? Asking::order : Asking::no;
    }
    return Asking::no;
  }
  return Asking::no;
}

}  // namespace deputy::intent

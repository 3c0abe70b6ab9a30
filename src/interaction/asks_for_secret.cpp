#include "interaction/asks_for_secret.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/questions.h"

namespace deputy::interaction {
namespace {

using Words = std::span<const std::string>;
using Word = std::string_view;

// Secrets, whatever precedes them.
constexpr auto kSecrets = std::to_array<Word>(
    {"password",  "passwords",   "passwd",     "pwd",         "passphrase", "passcode", "pin",       "otp",
     "secret",    "secrets",     "credential", "credentials", "token",      "tokens",   "apikey",    "apitoken",
     "accesskey", "accesstoken", "privatekey", "secretkey",   "keyfile",    "pem",      "kubeconfig"});
// A key or a code is a secret after these.
constexpr auto kKeys = std::to_array<Word>({"key", "keys"});
constexpr auto kKeyKinds = std::to_array<Word>(
    {"api",  "access", "secret", "private",   "ssh",    "encryption", "signing", "aws",     "account", "gpg",
     "pgp",  "tls",    "deploy", "license",   "the",    "your",       "a",       "my",      "our",     "its",
     "that", "this",   "openai", "anthropic", "stripe", "github",     "slack",   "datadog", "jira"});
constexpr auto kCodes = std::to_array<Word>({"code", "codes"});
constexpr auto kCodeKinds =
    std::to_array<Word>({"mfa", "2fa", "otp", "recovery", "verification", "authenticator", "backup", "security"});

// Followed by one of these, it is about the secret or something else: a secret's name, a token limit, key metrics.
constexpr auto kAbout = std::to_array<Word>(
    {"name",      "names",    "id",       "ids",      "arn",         "path",         "location",   "type",
     "policy",    "policies", "rotation", "reset",    "manager",     "expiry",       "expiration", "expired",
     "expires",   "age",      "limit",    "limits",   "count",       "counts",       "bucket",     "usage",
     "budget",    "length",   "vault",    "store",    "version",     "metric",       "metrics",    "number",
     "reference", "owner",    "scope",    "scopes",   "format",      "field",        "column",     "prefix",
     "change",    "error",    "errors",   "failures", "leak",        "scanner",      "scanning",   "endpoint",
     "service",   "provider", "hash",     "pair",     "stakeholder", "stakeholders", "result",     "results",
     "point",     "points",   "window",   "price",    "cost",        "costs",        "rate",       "alarm"});
// After one of these the secret itself is wanted …
constexpr auto kWanting =
    std::to_array<Word>({"what", "whats", "enter", "provide", "give", "paste", "type", "send", "share", "supply",
                         "tell", "need", "needs", "input", "specify", "reply", "insert", "submit", "reveal"});
// … unless one of these is in between: its name, what happened to it, what to do with it.
constexpr auto kBetween = std::to_array<Word>(
    {"name",        "names",    "id",      "arn",     "path",         "location", "kind",      "owner",   "age",
     "version",     "expiry",   "where",   "whether", "if",           "which",    "reference", "who",     "when",
     "why",         "happened", "happens", "rotate",  "revoke",       "reset",    "delete",    "disable", "scopes",
     "permissions", "uses",     "using",   "public",  "continuation", "next",     "pagination"});
// A short question without any of these verbs asks for the secret itself: "API token for Jira?"
constexpr auto kVerbs =
    std::to_array<Word>({"do",    "does", "did", "is",   "are",  "was", "were",    "should", "shall",   "can",
                         "could", "may",  "has", "have", "will", "how", "revoked", "leaked", "changed", "rotated"});
// Other languages; enough if the answer is free text.
constexpr auto kElsewhere = std::to_array<Word>({"passwort", "kennwort", "contraseña", "senha", "mot de passe",
                                                 "пароль", "hasło", "wachtwoord", "パスワード", "密码"});

constexpr std::size_t kReach = 8;       // words between the wanting word and the secret
constexpr std::size_t kBareBefore = 3;  // words before a bare secret
constexpr std::size_t kMaxBare = 8;     // words of such a sentence

// Letters of other alphabets that look like a Latin one, and the full-width forms.
char folded(char32_t c) {
  constexpr auto kLookAlikes = std::to_array<std::pair<std::u32string_view, char>>(
      {{U"аɑα", 'a'}, {U"ԁ", 'd'},  {U"сϲ", 'c'}, {U"еєε", 'e'},  {U"ɡ", 'g'},  {U"һ", 'h'},  {U"іıιӏ", 'i'},
       {U"јϳ", 'j'},  {U"кκ", 'k'}, {U"ո", 'n'},  {U"оοσօ", 'o'}, {U"рρ", 'p'}, {U"ѕ", 's'},  {U"тτ", 't'},
       {U"υս", 'u'},  {U"ν", 'v'},  {U"ԝω", 'w'}, {U"хχ", 'x'},   {U"уγ", 'y'}, {U"АΑ", 'a'}, {U"ВΒ", 'b'},
       {U"С", 'c'},   {U"ЕΕ", 'e'}, {U"НΗ", 'h'}, {U"ІΙ", 'i'},   {U"КΚ", 'k'}, {U"МΜ", 'm'}, {U"Ν", 'n'},
       {U"ОΟ", 'o'},  {U"РΡ", 'p'}, {U"Ѕ", 's'},  {U"ТΤ", 't'},   {U"ХΧ", 'x'}, {U"УΥ", 'y'}, {U"Ζ", 'z'}});
  if (c >= 0xFF21 && c <= 0xFF3A) return static_cast<char>('a' + (c - 0xFF21));
  if (c >= 0xFF41 && c <= 0xFF5A) return static_cast<char>('a' + (c - 0xFF41));
  for (const auto& [letters, latin] : kLookAlikes) {
    if (letters.contains(c)) return latin;
  }
  return '\0';
}

std::string fold(std::string_view word) {
  std::string latin;
  while (!word.empty()) {
    const CodePoint next = decode_utf8(word);
    const char look_alike = folded(next.value);
    if (look_alike != '\0') {
      latin += look_alike;
    } else {
      latin += word.substr(0, next.bytes);
    }
    word.remove_prefix(next.bytes);
  }
  return latin;
}

bool is_letter(char32_t c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Lower-case words; hidden characters are dropped, so that they cannot split a word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  while (!text.empty()) {
    const CodePoint next = decode_utf8(text);
    if (next.value < 0x80 ? is_letter(next.value) : !is_hidden(next.value, Showing::as_prose)) {
      words.back() += to_lower(text.substr(0, next.bytes));
    } else if (next.value < 0x80 && next.value != '\'' && !words.back().empty()) {
      words.emplace_back();
    }
    text.remove_prefix(next.bytes);
  }
  if (words.back().empty()) words.pop_back();
  for (std::string& word : words) word = fold(word);
  return words;
}

bool is_secret(Words words, std::size_t at) {
  const Word before = at == 0 ? "the" : Word(words[at - 1]);
  const Word after = at + 1 == words.size() ? "" : Word(words[at + 1]);
  if (contains(kAbout, after) || contains(kKeys, after) || contains(kSecrets, after)) return false;
  if (contains(kKeys, words[at])) return contains(kKeyKinds, before) || contains(kSecrets, before);
  if (contains(kCodes, words[at])) return contains(kCodeKinds, before);
  return contains(kSecrets, words[at]);
}

bool is_wanted(Words words, std::size_t secret) {
  for (std::size_t back = 1; back <= std::min(secret, kReach); ++back) {
    if (contains(kBetween, words[secret - back])) return false;
    if (contains(kWanting, words[secret - back])) return true;
  }
  return false;
}

bool is_bare(Words words, std::size_t secret) {
  return secret <= kBareBefore && words.size() <= kMaxBare && std::ranges::none_of(words, [](const std::string& word) {
           return contains(kVerbs, word) || contains(kBetween, word);
         });
}

enum class Bare { counts, does_not };

bool asks(std::string_view sentence, Bare bare) {
  const std::vector<std::string> words = words_of(sentence);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (is_secret(words, at) && (is_wanted(words, at) || (bare == Bare::counts && is_bare(words, at)))) return true;
  }
  return false;
}

bool asks_elsewhere(std::string_view question) {
  const std::string lower = to_lower(question);
  return std::ranges::any_of(kElsewhere, [&](Word word) { return lower.contains(word); });
}

bool asks_in_a_sentence(std::string_view text, Bare bare) {
  while (!text.empty()) {
    const std::size_t length = std::min(text.find_first_of(".?!\n;"), text.size() - 1) + 1;
    if (asks(text.substr(0, length), bare)) return true;
    text.remove_prefix(length);
  }
  return false;
}

}  // namespace

bool asks_for_secret(const Question& question) {
  // Nobody can type a secret if only options can be chosen.
  if (!question.allow_custom) return false;
  if (!question.options.empty()) return asks_in_a_sentence(question.question, Bare::does_not);
  return asks(question.label, Bare::counts) || asks_elsewhere(question.question) ||
         asks_in_a_sentence(question.question, Bare::counts);
}

}  // namespace deputy::interaction

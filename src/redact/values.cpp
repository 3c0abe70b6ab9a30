#include "redact/values.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "redact/http_credentials.h"
#include "redact/names.h"

namespace deputy::redact {

namespace {

/// The rest of a longer value does not change the decision, which must stay cheap.
constexpr std::size_t kEnoughOfAValue = 512;

/// Words that people and programs write after a secret-like name instead of a value.
constexpr auto kOrdinaryWords = std::to_array<std::string_view>(
    {"true",     "false",     "yes",      "no",        "on",          "off",      "null",      "nil",
     "none",     "undefined", "nan",      "string",    "str",         "text",     "bytes",     "int",
     "integer",  "number",    "bool",     "boolean",   "object",      "any",      "optional",  "required",
     "secret",   "password",  "token",    "hidden",    "masked",      "redacted", "empty",     "unset",
     "missing",  "invalid",   "valid",    "expired",   "revoked",     "rotated",  "changed",   "reset",
     "updated",  "created",   "deleted",  "incorrect", "wrong",       "correct",  "failed",    "failure",
     "ok",       "success",   "unknown",  "unchanged", "unavailable", "present",  "absent",    "set",
     "here",     "below",     "above",    "default",   "disabled",    "enabled",  "encrypted", "placeholder",
     "example",  "n/a",       "rejected", "accepted",  "denied",      "refused",  "omitted",   "removed",
     "mismatch", "malformed", "inherit",  "basic",     "bearer",      "value",    "key",       "self",
     "this",     "error",     "pending",  "ready",     "stale",       "active",   "inactive",  "leaked",
     "base64",   "sha1",      "sha256",   "sha512",    "bcrypt",      "argon2",   "utf8"});

/// A value with two of these is a sentence.
constexpr auto kSentenceWords = std::to_array<std::string_view>(
    {"a",       "an",     "the",    "is",      "are",      "was",    "be",        "been",  "to",     "of",
     "for",     "from",   "in",     "at",      "on",       "by",     "with",      "not",   "no",     "must",
     "may",     "can",    "cannot", "should",  "will",     "has",    "have",      "had",   "does",   "did",
     "and",     "or",     "if",     "when",    "your",     "you",    "we",        "it",    "its",    "this",
     "that",    "please", "did",    "invalid", "required", "as",     "via",       "flag",  "option", "instead",
     "because", "then",   "than",   "expired", "missing",  "failed", "incorrect", "least", "see",    "ask"});

/// Prefixes of values that only name or represent a secret.
constexpr auto kReferences = std::to_array<std::string_view>(
    {"env:",      "file:", "cmd:",    "vault:", "arn:",     "ref+",           "op://",   "!ref",
     "!vault",    "!sub",  "!getatt", "sha1:",  "sha256:",  "your-",          "sha512:", "your_",
     "projects/", "ssm:",  "gcp:",    "awssm:", "example-", "secretsmanager:"});

/// Prefixes of code and samples; a real password may begin with them as well.
constexpr auto kBeginningsOfCode = std::to_array<std::string_view>(
    {"os.",    "process.", "config.",  "settings.", "self.", "this.",    "var.",     "env.",    "secrets.",
     "local.", "module.",  "request.", "req.",      "args.", "opts.",    "options.", "params.", "ctx.",
     "cfg.",   "app.",     "data.",    "response.", "resp.", "keyring.", "my-secret"});

std::string_view without_punctuation(std::string_view value) {
  while (!value.empty() && std::string_view(".,;:!?)]}").contains(value.back())) value.remove_suffix(1);
  return value;
}

bool is_number(std::string_view value) {
  return std::ranges::all_of(
      value, [](char c) { return is_digit(c) || c == '.' || c == '-' || c == '+' || c == '%' || c == '_'; });
}

bool is_one_character_repeated(std::string_view value) {
  return value.size() > 1 && value.find_first_not_of(value[0]) == std::string_view::npos &&
         std::string_view("*xX.-_#?0").contains(value[0]);
}

bool is_enclosed(std::string_view value) {
  constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"<", ">"}, {"${", "}"}, {"$(", ")"}, {"{{", "}}"}, {"%(", ")s"}, {"#{", "}"}, {"@{", "}"}});
  return std::ranges::any_of(kPairs, [&](const auto& pair) {
    if (value.size() < pair.first.size() || !value.starts_with(pair.first)) return false;
    if (value.size() > pair.first.size() && value.ends_with(pair.second)) return true;
    // White space cut it off: `${{ secrets.TOKEN }}`, `<your token>`.
    return std::ranges::all_of(value.substr(pair.first.size()), [](char c) { return is_letter(c) || c == '{'; });
  });
}

/// `$VAR`, `%VAR%`, `%s`, and the start of a substitution that white space cut off.
bool is_variable(std::string_view value) {
  const auto is_word = [](std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  };
  if (value.starts_with("$"))
    return is_word(value.substr(1)) && !is_digit(value.back()) && !looks_random(value.substr(1));
  if (value.starts_with("%")) {
    return value.size() == 2 ||
           (value.size() > 2 && value.ends_with("%") && is_word(value.substr(1, value.size() - 2)));
  }
  return false;
}

/// True for code and samples, unless the value is too random for that: `app.password`, `my-secret`, `{password}`.
bool may_be_code_or_sample(std::string_view value, std::string_view lower) {
  const bool in_braces = value.ends_with("}") && value.find_first_of("\":") == std::string_view::npos;
  if (value.starts_with("{") && (in_braces || std::ranges::all_of(value.substr(1), is_letter))) return true;
  return std::ranges::any_of(kBeginningsOfCode, [&](std::string_view start) { return lower.starts_with(start); });
}

/// True when an upper-case letter follows a lower-case one: `apiToken`, `SecretKey`.
bool has_hump(std::string_view value) {
  return std::ranges::adjacent_find(value, [](char a, char b) { return is_lower(a) && is_upper(b); }) != value.end();
}

/// True for an expression of a programming language: a call, an index, a member, a type, or a variable with a
/// secret-like name.
bool is_expression(const NamedValue& setting, std::string_view value) {
  if (setting.form == NamedValue::Form::equals && setting.name >= NameKind::password && looks_random(value))
    return false;
  const auto name_end = static_cast<std::size_t>(std::ranges::find_if_not(value, is_name_character) - value.begin());
  constexpr std::size_t kShortestFunction = 3;
  if (name_end < kShortestFunction || std::ranges::any_of(value.substr(0, name_end), is_digit)) return false;
  if (name_end < value.size())
    return value[name_end] == '(' || value[name_end] == '[' || value.substr(name_end).starts_with("->");
  const bool compound = value.find_first_of("._") != std::string_view::npos || has_hump(value);
  if (compound && kind_of_name(value) >= NameKind::reference) return true;
  const bool like_code = setting.form == NamedValue::Form::spaced_equals || setting.form == NamedValue::Form::colon;
  return like_code && (value.contains('.') || (is_upper(value[0]) && has_hump(value)));
}

bool is_path(std::string_view value) {
  return (value.starts_with("/") || value.starts_with("./") || value.starts_with("~/") || value.starts_with("../")) &&
         !looks_random(value);
}

std::ptrdiff_t count_sentence_words(std::string_view value) {
  return std::ranges::count_if(split(value, " "), [](std::string_view word) {
    return contains(kSentenceWords, to_lower(without_punctuation(word)));
  });
}

/// True for prose instead of a value. A passphrase may be a sentence, but without quotes it counts as one only when it
/// has none of the small words.
bool is_sentence(const NamedValue& setting, std::string_view value) {
  if (!value.contains(' ')) return false;
  if (setting.name == NameKind::passphrase) return !setting.quoted && count_sentence_words(value) > 0;
  return count_sentence_words(value) >= 2;
}

bool has_letter_and_other(std::string_view value) {
  return std::ranges::any_of(value, is_letter) &&
         !std::ranges::all_of(value, [](char c) { return is_letter(c) || c == '-' || c == '\''; });
}

/// True when more than half of the letters belong to words such as `Node`: four letters or more, all lower-case but the
/// first.
bool is_made_of_words(std::string_view value) {
  std::size_t in_words = 0;
  for (std::size_t begin = 0; begin < value.size();) {
    std::size_t end = begin + (is_upper(value[begin]) ? 1 : 0);
    while (end < value.size() && is_lower(value[end])) ++end;
    if (end - begin >= 4) in_words += end - begin;
    begin = std::max(end, begin + 1);
  }
  return in_words * 2 > static_cast<std::size_t>(std::ranges::count_if(value, is_letter));
}

bool is_long_key(std::string_view value) {
  const auto of_a_key = [](char c) { return is_letter(c) || is_digit(c) || std::string_view("_-+/=").contains(c); };
  return value.size() >= 20 && std::ranges::all_of(value, of_a_key) && looks_generated(value);
}

/// For names that say almost nothing: a long key of lower-case and upper-case letters and digits, which no hash is.
bool is_mixed_key(std::string_view value) {
  return is_long_key(value) && std::ranges::any_of(value, is_upper) && std::ranges::any_of(value, is_lower) &&
         std::ranges::any_of(value, is_digit);
}

/// For names that say little: also a long key of one run of characters, such as a hexadecimal one.
bool is_solid_key(std::string_view value) {
  return is_long_key(value) &&
         std::ranges::all_of(value, [](char c) { return is_letter(c) || is_digit(c) || c == '='; });
}

/// `name:password` in base64, as in the settings of docker.
bool is_login_in_base64(std::string_view value) {
  constexpr std::size_t kShortest = 8;
  if (value.size() < kShortest || value.size() % 4 != 0) return false;
  const std::string decoded = decode_base64(value);
  const bool printable = std::ranges::all_of(decoded, [](char c) { return c >= ' ' && c <= '~'; });
  return printable && decoded.size() >= value.size() / 4 * 3 - 2 && decoded.contains(':');
}

/// True for the name of a secret in a vault or a cluster: `prod/orders/db`, `orders-tls-9f8d7c2a`.
bool is_resource_name(std::string_view value) {
  constexpr std::string_view kParts = "-/._";
  const auto of_a_name = [&](char c) { return is_lower(c) || is_digit(c) || kParts.contains(c); };
  const std::size_t first = value.find_first_of("-/");
  return first != std::string_view::npos && first >= 2 && std::ranges::all_of(value.substr(0, first), is_lower) &&
         std::ranges::all_of(value, of_a_name);
}

/// Resolves a name with two meanings.
NameKind meaning_of(const NamedValue& setting, std::string_view value) {
  using Form = NamedValue::Form;
  if (setting.name == NameKind::pass) {
    const bool in_place = setting.form == Form::colon && setting.alone && (setting.first || setting.structured);
    const bool like_a_password = setting.form == Form::equals || setting.form == Form::flag ||
                                 (setting.quoted && setting.structured) ||
                                 (in_place && has_word_with_digit(value) && !has_hump(value));
    return like_a_password ? NameKind::password : NameKind::faint;
  }
  if (setting.name == NameKind::reference)
    return setting.form == Form::colon && is_resource_name(value) ? NameKind::ordinary : NameKind::secret;
  return setting.name;
}

bool counts_as_number(const NamedValue& setting, std::string_view value) {
  const bool unmistakable = setting.form == NamedValue::Form::equals || setting.quoted ||
                            (setting.alone && std::ranges::all_of(value, is_digit));
  return setting.name >= NameKind::password && value.size() >= 6 && unmistakable;
}

}  // namespace

bool looks_random(std::string_view value) {
  value = value.substr(0, kEnoughOfAValue);
  if (value.size() < 8 || value.contains(' ')) return false;
  const bool symbol = value.find_first_of("!@#$%^&*+=~") != std::string_view::npos;
  if (symbol && std::ranges::any_of(value, is_letter) && std::ranges::any_of(value, is_digit)) return true;
  // Check each run of letters and digits by itself, so that dates, versions and host names with a number stay ordinary.
  for (std::size_t begin = 0; begin < value.size();) {
    std::size_t end = begin;
    int changes = 0;
    bool lower = false, upper = false, digit = false;
    for (; end < value.size() && (is_letter(value[end]) || is_digit(value[end])); ++end) {
      lower |= is_lower(value[end]);
      upper |= is_upper(value[end]);
      digit |= is_digit(value[end]);
      if (end > begin && is_digit(value[end]) != is_digit(value[end - 1])) ++changes;
    }
    const std::size_t length = end - begin;
    if (length >= 6 && digit && changes >= 2) return true;
    if (length >= 8 && digit && lower && upper) return true;
    begin = end + 1;
  }
  return false;
}

bool looks_generated(std::string_view value) {
  value = value.substr(0, kEnoughOfAValue);
  return looks_random(value) && (std::ranges::all_of(value, is_hexadecimal) || !is_made_of_words(value));
}

bool has_word_with_digit(std::string_view value) {
  constexpr std::size_t kShortest = 6;
  bool letter = false, digit = false;
  std::size_t length = 0;
  for (const char c : value.substr(0, kEnoughOfAValue)) {
    const bool inside = is_letter(c) || is_digit(c);
    length = inside ? length + 1 : 0;
    letter = inside && (letter || is_letter(c));
    digit = inside && (digit || is_digit(c));
    if (length >= kShortest && letter && digit) return true;
  }
  return false;
}

bool is_name_of_test(std::string_view value) {
  constexpr std::string_view kParts = "_-./:[(";
  value = without_punctuation(value.substr(0, kEnoughOfAValue));
  const auto of_a_name = [&](char c) {
    return is_lower(c) || is_digit(c) || kParts.contains(c) || c == ']' || c == ')';
  };
  return !value.empty() && is_lower(value[0]) && value.find_first_of(kParts) != std::string_view::npos &&
         std::ranges::all_of(value, of_a_name) && !looks_random(value);
}

bool is_placeholder(std::string_view value) {
  value = value.substr(0, kEnoughOfAValue);
  const std::string_view bare = without_punctuation(value);
  if (bare.empty() || is_one_character_repeated(value) || is_enclosed(value) || is_variable(bare)) return true;
  const std::string lower = to_lower(bare);
  if (contains(kOrdinaryWords, lower)) return true;
  if (std::ranges::any_of(kReferences, [&](std::string_view start) { return lower.starts_with(start); })) return true;
  if (may_be_code_or_sample(value, lower) && !looks_random(value)) return true;
  if (value.contains("***")) return true;
  return value.find_first_not_of("|>+-\\") == std::string_view::npos || is_path(value);
}

bool is_secret_value(const NamedValue& given, std::string_view value) {
  using Form = NamedValue::Form;
  value = value.substr(0, kEnoughOfAValue);
  NamedValue setting = given;
  setting.name = meaning_of(given, value);
  const bool is_password = setting.name >= NameKind::password;
  if (setting.name == NameKind::ordinary || is_placeholder(value) || is_sentence(setting, value)) return false;
  if (!setting.quoted && is_expression(setting, value)) return false;
  if (is_number(value)) return counts_as_number(setting, value);
  if (setting.name == NameKind::faint) return is_mixed_key(value);
  const bool is_key = is_mixed_key(value) || is_solid_key(value);
  if (setting.name == NameKind::hint) return is_key || is_login_in_base64(value);
  // When name and value are written so loosely, types, calls and prose fit as well.
  if (setting.form == Form::apart) {
    const bool telling = has_word_with_digit(value) || looks_random(value);
    return is_key || (is_password && telling && !value.contains('('));
  }
  if (setting.form == Form::beside) {
    if (is_key) return true;
    return is_password && setting.alone && (setting.first ? has_word_with_digit(value) : looks_random(value));
  }
  if (setting.form == Form::prose) return value.size() >= 6 && has_letter_and_other(without_punctuation(value));
  if (setting.form == Form::equals) return true;
  if (setting.quoted && (setting.form != Form::colon || setting.structured || setting.first || setting.alone))
    return true;
  if (setting.form == Form::flag) return !contains(kSentenceWords, to_lower(value));
  if (looks_random(value)) return true;
  if (!setting.alone) return is_password && has_word_with_digit(value);
  // `token = next` is code more often than a setting; `password = hunter` is not.
  const bool telling = has_letter_and_other(without_punctuation(value));
  if (setting.first) return setting.form == Form::colon || is_password || telling;
  return is_password && telling;
}

}  // namespace deputy::redact

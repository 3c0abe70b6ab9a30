#include "redact/names.h"

#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace deputy::redact {

const std::string_view kNameHints =
    R"((?i:passw|passphrase|passcode|pass\\?["'=:]|_pass|-pass|requirepass|pw\\?["'=:]|_pw|-pw|pwd|secret|token|)"
    R"(credential|authorization|_auth|"auth\\?"|value\\?["']?[=:]|\bdata\\?"?:|stringdata|)"
    R"((?:api|access|preshared|private|signing|encryption|master|account|shared|auth|deploy|service|storage|hmac|ssh|webhook|)"
    R"(integration|routing|license|subscription|app|application|client|session|server|bot|cipher)[_.-]?key|key\\?["']?[=:]|\bkey\b))";

namespace {

/// Words before `key` in the name of a secret.
constexpr auto kSecretKeys = std::to_array<std::string_view>(
    {"api", "access", "secret", "private", "preshared", "signing", "encryption", "master", "account", "shared", "auth",
     "deploy", "service", "storage", "hmac", "ssh", "webhook", "cipher"});
constexpr auto kMaybeSecretKeys = std::to_array<std::string_view>(
    {"integration", "routing", "license", "subscription", "app", "application", "client", "session", "server", "bot"});
constexpr auto kOwnersOfKeys = std::to_array<std::string_view>(
    {"api", "access", "secret", "private", "encryption", "master", "auth", "deploy", "hmac", "webhook", "cipher",
     "integration", "license", "subscription", "app", "application", "bot"});
/// Words that make a `token` a position in a list, a piece of text or a signal instead of a secret.
constexpr auto kOrdinaryTokens = std::to_array<std::string_view>(
    {"next",   "page", "paging",  "pagination", "prev", "previous", "continuation", "cancellation", "cancel",
     "cursor", "sync", "start",   "end",        "eos",  "bos",      "pad",          "unk",          "sep",
     "mask",   "stop", "special", "first",      "last", "per",      "design",       "unexpected",   "idempotency"});
/// Words that make a `secret` the name of one kept elsewhere, or a yes or no: `existingSecret: orders-db`,
/// `issecret=true`.
constexpr auto kNamesOfSecrets =
    std::to_array<std::string_view>({"existing", "pull", "image", "tls", "ca", "target", "is", "has"});
constexpr auto kOwnersOfPass = std::to_array<std::string_view>(
    {"db",      "database", "user",   "smtp",  "mail",  "admin",  "root",     "mysql",   "postgres", "pg",
     "redis",   "ftp",      "ldap",   "proxy", "http",  "ssh",    "rabbitmq", "mongo",   "keystore", "vault",
     "jenkins", "registry", "docker", "basic", "login", "become", "sudo",     "require", "default"});
/// Words after a name that do not change its meaning: `API_KEY_PROD`, `secret_value`.
constexpr auto kSuffixes =
    std::to_array<std::string_view>({"prod", "production", "staging", "stage",     "dev",    "test",  "live",  "old",
                                     "new",  "current",    "default", "base",      "base64", "b64",   "value", "plain",
                                     "raw",  "encoded",    "primary", "secondary", "string", "binary"});

/// `dbPassword`, `DB_PASSWORD` and `db-password` all give db, password; `APIKey` gives api, key.
std::vector<std::string> words_of(std::string_view name) {
  constexpr std::size_t kEnoughOfAName = 128;
  if (name.size() > kEnoughOfAName) name.remove_prefix(name.size() - kEnoughOfAName);
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_upper(c) && !is_lower(c) && !is_digit(c)) {
      end_word();
      continue;
    }
    const bool hump = is_upper(c) && i > 0 && (is_lower(name[i - 1]) || is_digit(name[i - 1]));
    const bool end_of_capitals =
        is_upper(c) && i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    if (hump || end_of_capitals) end_word();
    word += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  end_word();
  return words;
}

std::string last_word(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return words.empty() ? std::string() : words.back();
}

/// Drops words at the end that do not change the meaning: environments, numbers.
void drop_suffixes(std::vector<std::string>& words) {
  while (!words.empty()) {
    std::string& last = words.back();
    if (words.size() > 1 && contains(kSuffixes, last)) {
      words.pop_back();
      continue;
    }
    const bool numbered = is_digit(last.back());
    while (!last.empty() && is_digit(last.back())) last.pop_back();
    if (!last.empty() && !numbered) return;
    if (last.empty()) words.pop_back();
  }
}

/// The word before `noun` in a name that ends in it, as one word or two: `api` for api_key and for apikey.
std::string_view before_noun(const std::vector<std::string>& words, std::string_view noun) {
  const std::string_view last = words.back();
  if (last.size() > noun.size()) return last.substr(0, last.size() - noun.size());
  return words.size() > 1 ? std::string_view(words[words.size() - 2]) : std::string_view();
}

}  // namespace

NameKind kind_of_name(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  drop_suffixes(words);
  if (words.empty()) return NameKind::ordinary;
  const std::string_view last = words.back();
  const auto ends = [&](std::string_view noun) { return last.ends_with(noun); };

  if (ends("passphrase")) return NameKind::passphrase;
  if (ends("password") || ends("passwd") || ends("passcode") || ends("pwd")) return NameKind::password;
  if (ends("secret") && contains(kNamesOfSecrets, before_noun(words, "secret"))) return NameKind::ordinary;
  if (words.size() == 1 && (last == "secret" || last == "credential" || last == "credentials"))
    return NameKind::reference;
  if (ends("secret") || ends("credential") || ends("credentials")) return NameKind::secret;
  if (ends("token"))
    return contains(kOrdinaryTokens, before_noun(words, "token")) ? NameKind::ordinary : NameKind::secret;
  if (ends("key")) {
    const std::string_view owner = before_noun(words, "key");
    if (contains(kSecretKeys, owner)) return NameKind::secret;
    if (contains(kMaybeSecretKeys, owner)) return NameKind::hint;
    return owner.empty() ? NameKind::faint : NameKind::ordinary;
  }
  for (const std::string_view noun : {"pass", "pw"}) {
    if (!ends(noun)) continue;
    const std::string_view owner = before_noun(words, noun);
    if (contains(kOwnersOfPass, owner)) return NameKind::password;
    return owner.empty() || last == "pw" ? NameKind::pass : NameKind::faint;
  }
  return last == "auth" || last == "authorization" ? NameKind::hint : NameKind::ordinary;
}

bool owns_secret_key(std::string_view word) { return contains(kOwnersOfKeys, last_word(word)); }

bool is_value_key(std::string_view name) { return last_word(name) == "value"; }

bool is_name_key(std::string_view name) {
  const std::string word = last_word(name);
  return word == "name" || word == "key";
}

}  // namespace deputy::redact

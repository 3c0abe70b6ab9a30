#include "redact/shapes.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "redact/http_credentials.h"
#include "redact/key_block.h"
#include "redact/names.h"
#include "redact/values.h"

namespace deputy::redact {

namespace {

using re2::RE2;
using re2::StringPiece;

struct Row {
  std::string_view kind;
  std::string_view pattern;
  /// Rejects what only looks like a secret of this kind; null when the shape is proof enough.
  bool (*counts)(std::string_view secret) = nullptr;
};

bool is_no_placeholder(std::string_view secret) { return !is_placeholder(secret); }

bool is_word_with_digit(std::string_view secret) { return !is_placeholder(secret) && has_word_with_digit(secret); }

/// False for a misspelt option after `-p` of mysql: `-port 3306` is a typo, not a password.
bool is_no_option(std::string_view secret) {
  constexpr auto kOptions = std::to_array<std::string_view>(
      {"roduction", "ort", "rotocol", "assword", "ager", "lugin-dir", "rint-defaults", "rompt", "ipe"});
  return !is_placeholder(secret) && !contains(kOptions, secret);
}

/// False for a port after `-p`: `2222`, `8080:80`.
bool is_no_port(std::string_view secret) {
  return !is_placeholder(secret) && secret.find_first_not_of("0123456789:") != std::string_view::npos;
}

/// A secret access key is random; a commit hash next to a key id is not one.
bool is_secret_access_key(std::string_view word) {
  return looks_random(word) && std::ranges::any_of(word, is_upper) && std::ranges::any_of(word, is_lower);
}

constexpr std::string_view kCommand = "command";

// The alphabets of tokens.
constexpr std::string_view kWord = "A-Za-z0-9";
constexpr std::string_view kHex = "0-9a-fA-F";
constexpr std::string_view kUpper = "A-Z0-9";
constexpr std::string_view kUrlSafe = "A-Za-z0-9_-";
constexpr std::string_view kStandard = "A-Za-z0-9+/=";

/// A vendor's token: what it begins with, the characters of the rest, and how many there are at least.
struct Token {
  std::string_view kind;
  std::string_view prefix;  // a pattern
  std::string_view alphabet;
  int least = 0;
  enum class Length { open, exact } length = Length::open;
};
constexpr auto kExact = Token::Length::exact;

constexpr auto kTokens = std::to_array<Token>({
    {"airtable", R"(pat[A-Za-z0-9]{14}\.)", kHex, 64},
    {"alibaba", "LTAI", kWord, 12},
    {"anthropic", "sk-ant-", kUrlSafe, 16},
    {"atlassian", "AT[AC]TT3", "A-Za-z0-9_=-", 50},
    {"atlassian", "ATBB", kWord, 28},
    {"aws", "(?:AKIA|ASIA|ABIA|ACCA)", kUpper, 16, kExact},
    {"aws", "(?:ABSK|bedrock-api-key-)", kStandard, 40},
    {"coralogix", "cx[a-z]{2}_", kWord, 20},
    {"databricks", "dapi", kHex, 32, kExact},
    {"digitalocean", "do[opr]_v1_", kHex, 64},
    {"docker", "dckr_(?:pat|oat)_", kUrlSafe, 24},
    // {"auths": …} in base64, as clusters store registry logins.
    {"docker", "(?:eyJhdXRocyI6|ewoJImF1dGhzIj|ewogICJhdXRocyI6|ewogICAgImF1dGhzIj)", kStandard, 8},
    {"doppler", R"(dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{1,40}\.)?)", kWord, 40},
    {"figma", "fig[do]_", kUrlSafe, 40},
    {"fly", "(?:fo1_|fm[12][ar]?_)", "A-Za-z0-9+/=_-", 40},
    // A GitHub App's token of the new kind is a JWT behind its prefix.
    {"github", R"(gh[su]_[A-Za-z0-9]{1,24}_eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.)", kUrlSafe, 20},
    {"github", "gh[pousr]_", kWord, 30},
    {"github", "github_pat_", "A-Za-z0-9_", 22},
    {"gitlab", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt)-", kUrlSafe, 20},
    {"google", "AIza", kUrlSafe, 35},
    {"google", R"(ya29\.)", kUrlSafe, 20},
    {"google", "GOCSPX-", kUrlSafe, 20},
    {"google", "1//0", kUrlSafe, 40},
    {"grafana", "gl(?:sa|c)_", "A-Za-z0-9_+/=-", 28},
    {"groq", "gsk_", kWord, 40},
    {"huggingface", "hf_", kWord, 34},
    {"linear", "lin_(?:api|oauth)_", kWord, 32},
    {"mailgun", "key-", kHex, 32, kExact},
    {"mailgun", "[0-9a-f]{32}-[0-9a-f]{8}-", kHex, 8, kExact},
    {"netlify", "nf[copu]_", kWord, 36},
    {"newrelic", "NRAK-", kUpper, 27},
    {"notion", "(?:secret_|ntn_)", kWord, 43},
    {"npm", "npm_", kWord, 36},
    {"1p", "ops_eyJ", kStandard, 60},
    {"1p", "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){2}-", kUpper, 5},
    {"openai", "sk-(?:proj|svcacct|admin|None|or-v1)-", kUrlSafe, 20},
    {"openai", "sk-", kWord, 20},
    {"posthog", "ph[sx]_", kWord, 40},
    {"postman", "PMAK-[0-9a-f]{24}-", kHex, 34},
    {"pulumi", "pul-", kHex, 40, kExact},
    {"pypi", "pypi-AgE", kUrlSafe, 50},
    {"replicate", "r8_", kWord, 37},
    {"rubygems", "rubygems_", kHex, 48},
    {"sendgrid", R"(SG\.[A-Za-z0-9_-]{22}\.)", kUrlSafe, 43},
    {"sentry", "sntry[su]_", "A-Za-z0-9_+/=-", 40},
    {"shopify", "shp(?:at|ca|pa|ss)_", kHex, 32},
    {"slack", R"(xox[a-z](?:\.xox[a-z])?-)", "A-Za-z0-9-", 10},
    {"slack", "xapp-[0-9]-", "A-Za-z0-9-", 10},
    {"square", "sq0[a-z]{3}-", kUrlSafe, 22},
    {"square", "EAAA[A-Za-z0-9]", kUrlSafe, 59},
    {"stripe", "(?:sk|rk)_(?:live|test)_", kWord, 16},
    {"stripe", "whsec_", kStandard, 20},
    {"tailscale", "tskey-[a-z]+-", "A-Za-z0-9-", 20},
    {"terraform", R"([A-Za-z0-9]{14}\.atlasv1\.)", kUrlSafe, 60},
    {"twilio", "SK", "0-9a-f", 32, kExact},
    {"vault", R"(hv[sbr]\.)", kUrlSafe, 24},
    {"xai", "xai-", kWord, 60},
    {"age", "AGE-SECRET-KEY-1", kUpper, 58},
    // Private keys on one line: OpenSSH's own format, and Ed25519 in PKCS#8.
    {kKeyBlock, "(?:b3BlbnNzaC1rZXktdjE|MC4CAQAwBQYDK2VwBCIEI)", kStandard, 40},
});

/// A token is not the end of a longer word; `NAME_` before it is no such word.
const std::string kBefore = R"((?:\b|_))";

std::string pattern_of(const Token& token) {
  const std::string_view end = token.length == Token::Length::exact ? R"(\b)" : "";
  const std::string count = fmt::format("{{{},{}}}", token.least, end.empty() ? "" : std::to_string(token.least));
  return fmt::format("{}[{}]{}{}", token.prefix, token.alphabet, count, end);
}

/// True for what is random enough to be a code that is exchanged for a token: not `ERR_TIMEOUT` or `404`.
bool is_exchange_code(std::string_view secret) { return secret.size() >= 16 && looks_generated(secret); }

/// Other shapes.
constexpr auto kShapes = std::to_array<Row>({
    {"slack", R"(hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,}))"},
    {"telegram", R"([0-9]{8,10}:AA[A-Za-z0-9_-]{33})"},
    {"discord", R"(\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})"},
    {"azure", R"(\b[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,})"},
    {"discord", R"(discord(?:app)?\.com/api/webhooks/[0-9]+/([A-Za-z0-9_-]{40,}))"},
    {"teams", R"(webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,}))"},
    {kKeyBlock, R"(\bLS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}=*)", is_private_key_in_base64},
    {kCommand, R"(::add-mask::([^\s"']+))", is_no_placeholder},
    {kCommand, R"(\bvariable=[^\s\]]*;issecret=true[^\s\]]*\]([^\s"']+))", is_no_placeholder},
    {"jwt", R"(\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){2,4})"},
    // Hashes of passwords, as htpasswd and shadow hold them.
    {"hash", R"(\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2(?:i|d|id)|scrypt|pbkdf2-sha(?:256|512))\$([^\s:"'<>;]{20,}))"},
    {"hash", R"(:(\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{20,}=*))"},
    {"signature", R"((?i:[?&]sig|signature)=([A-Za-z0-9%+/_-]{20,}=*))", looks_generated},
    // The password of scheme://user:password@host. The first and the third form contain a raw slash or similar: in the
    // first it follows an `@` that has no host with a dot or a port after it; in the third the part before it must not
    // be a port or a marker.
    {"url", R"(:(?:\\?/){2}[^\s/:@"'<>]*:((?:[^\s/?#"'<>]|'\w)*@(?:[\w-]|'\w)+[/?#](?:[^\s"'<>]|'\w)*)@[A-Za-z0-9[])",
     is_no_placeholder},
    {"url", R"(:(?:\\?/){2}[^\s/:"'<>]*:((?:[^\s/?#"'<>]|'\w)+)@)", is_no_placeholder},
    {"url", R"(:(?:\\?/){2}[^\s/:@"'<>]*:([0-9]*(?:[^\s/?#"'<>@0-9[]|\[[^\s"'<>@r]|'\w)(?:[^\s"'<>]|'\w)*)@)",
     is_no_placeholder},
    // A key in place of the user.
    {"url", R"(:(?:\\?/){2}([^\s/:@"'<>]{20,})@)", looks_generated},
    {"url", R"([?&](?i:auth|authkey)=([^\s&#"'<>]{8,}))", is_no_placeholder},
    {"url", R"([?&]code=([A-Za-z0-9%._~/+-]{16,}))", is_exchange_code},
    // user:password@tcp(host:3306)/name, as Go's drivers have it.
    {"url", R"(\b[^\s:/@"'=]+:([^\s@"']+)@(?:tcp6?|unix|udp)\()", is_no_placeholder},
    {"url", R"(\bjdbc:oracle:[a-z]+:[^\s/:@"']+/([^\s@"']+)@)", is_no_placeholder},
});

/// Secrets recognised only by the words before them. Each begins with a hit of kPhraseHints.
constexpr auto kPhrases = std::to_array<Row>({
    {"http-auth", R"re((?i)\bbearer[ \t]+["']?([A-Za-z0-9._~+/-]{8,}=*))re", is_bearer_value},
    {"http-auth", R"re((?i)\bbasic[ \t]+["']?([A-Za-z0-9+/_-]{6,}=*))re", is_basic_value},
    {"http-auth", R"re((?i)authorization\\?["']?[ \t]*[:=][ \t]*\\?["']?[A-Za-z][\w-]*[ \t]+([^\s"'\\,]{8,}))re",
     looks_random},
    {"http-auth",
     R"re((?i)authorization\\?["']?[ \t]*[:=][ \t]*\\?["']?(?:bearer|api-?key|geniekey)[ \t]+([^\s"'`\\,;<>]{8,}))re",
     is_header_value},
    // The secret key next to the id of an access key.
    {"aws",
     R"re((?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9+/\r\n](?:[^\r\n]{0,24}?[^A-Za-z0-9+/\r\n])?)re"
     R"re(([A-Za-z0-9+/]{40})(?:[^A-Za-z0-9+/=]|$))re",
     is_secret_access_key},
    // SQL.
    {kCommand, R"re((?i)\bpassword(?:[ \t]+|[ \t]*\([ \t]*)'((?:\\'|''|[^'\s])+)')re", is_no_placeholder},
    {kCommand,
     R"re((?i)\bidentified[ \t]+(?:with[ \t]+\S+[ \t]+)?(?:by|as)[ \t]+(?:password[ \t]+)?'((?:\\'|''|[^'\r\n])+))re",
     is_no_placeholder},
    // A line of ~/.netrc.
    {kCommand, R"re(\blogin[ \t]+[^\s:]+[ \t]+password[ \t]+([^\s"']+))re", is_word_with_digit},
    {kCommand, R"re(\bsqlplus[ \t]+(?:-\S+[ \t]+)*["']?[^\s/"']+/([^\s@"']+))re", is_no_placeholder},
});
// Hints have no word boundaries: a marker next to a word must not turn it into a hint.
constexpr std::string_view kPhraseHints =
    "(?i:bearer|basic|authorization|password|identified|login|sqlplus|cookie)|AKIA|ASIA";

/// A program that takes a password on its command line.
struct Command {
  std::string_view program;
  std::string_view option;       // text before the argument
  std::string_view before = {};  // text before the password inside the argument
  bool (*counts)(std::string_view secret) = is_no_placeholder;
};
constexpr auto kCommands = std::to_array<Command>({
    {"curl", R"((?:-u[ \t]*|-U[ \t]*|--user[ =]|--proxy-user[ =]))", R"([^\s:"']+:)"},
    {"mysql(?:dump|admin|import)?", "-p", "", is_no_option},
    {"mariadb(?:-dump|-admin|-import)?", "-p", "", is_no_option},
    {"sshpass", R"(-p[ \t]*)"},
    {"redis-cli", R"(-a[ \t]+)"},
    {"login", R"(-p[ \t]+)", "", is_no_port},  // of docker, podman, helm, az, oc
    {"mongo(?:sh|dump|restore|export|import)", R"(-p[ \t]+)"},
    {"ldap(?:search|modify|add|delete|whoami)", R"(-w[ \t]+)"},
    {"sqlcmd", R"(-P[ \t]*)"},
    {"smbclient", R"(-U[ \t]*)", R"([^\s%"']+%)"},
    {"openssl", R"(-pass(?:in|out)?[ \t]+)", "pass:"},
    {"rabbitmqctl", R"((?:add_user|change_password)[ \t]+\S+[ \t]+)"},
});

/// What is written with escapes is looked into.
constexpr std::string_view kUrlEscape = "%[0-9A-Fa-f]{2}";

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // bytes, so that no input is invalid
  options.set_max_mem(64 << 20);                       // enough for the states; with less RE2 uses a slower matcher
  return options;
}

StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

std::optional<Range> next(const RE2& pattern, std::string_view text, std::size_t from) {
  StringPiece hit;
  if (!pattern.Match(piece(text), from, text.size(), RE2::UNANCHORED, &hit, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(hit.data() - text.data());
  return Range{begin, begin + hit.size()};
}

/// The secret in a match of `row` at `from`: the group that took part, or the whole match.
std::optional<Range> secret_in(const RE2& pattern, std::string_view text, std::size_t from, RE2::Anchor anchor) {
  std::array<StringPiece, 4> groups;
  const int count = 1 + pattern.NumberOfCapturingGroups();
  if (!pattern.Match(piece(text), from, text.size(), anchor, groups.data(), count)) return std::nullopt;
  int group = count - 1;
  while (group > 0 && groups[group].data() == nullptr) --group;
  const StringPiece& secret = groups[group];
  const auto begin = static_cast<std::size_t>(secret.data() - text.data());
  return Range{begin, begin + secret.size()};
}

std::string any_of(std::vector<std::string> patterns) { return "(?:" + join(patterns, "|") + ")"; }

std::string any_shape() {
  std::vector<std::string> shapes;
  shapes.reserve(kTokens.size() + kShapes.size());
  for (const Token& token : kTokens) shapes.push_back(kBefore + pattern_of(token));
  for (const Row& row : kShapes) shapes.emplace_back(row.pattern);
  return any_of(std::move(shapes));
}

std::string any_program() {
  std::vector<std::string> programs;
  programs.reserve(kCommands.size());
  for (const Command& command : kCommands) programs.emplace_back(command.program);
  return "(?i:" + any_of(std::move(programs)) + ")";
}

std::string any_phrase_hint() { return any_of({std::string(kPhraseHints), any_program()}); }

std::string any_hint() { return any_of({std::string(kNameHints), any_phrase_hint(), std::string(kKeyBlockHints)}); }

/// `program … option password`, up to a pipe or the next command, across lines that end in a backslash. A quoted
/// password may contain blanks.
std::string command_pattern(const Command& command) {
  constexpr std::string_view kBlank = R"((?:[ \t]|\\\r?\n))";
  constexpr std::string_view kArguments = R"((?:'[^'\r\n]*'|"[^"\r\n]*"|[^|;&\r\n]|&[^|;&\r\n]|\\\r?\n)*?)";
  constexpr std::string_view kArgument = R"((?:'{0}((?:'\\''|[^'\r\n])+)|"{0}((?:[^"\\\r\n]|\\.)+)|{0}([^\s"']+)))";
  return fmt::format(R"(\b{}{}(?:{}{})?{}{})", command.program, kBlank, kArguments, kBlank, command.option,
                     fmt::format(kArgument, command.before));
}

std::vector<std::unique_ptr<RE2>> compile_all(auto& rows) {
  std::vector<std::unique_ptr<RE2>> compiled;
  compiled.reserve(rows.size());
  for (const Row& row : rows) compiled.push_back(std::make_unique<RE2>(piece(row.pattern), options()));
  return compiled;
}

std::vector<std::unique_ptr<RE2>> compile_tokens() {
  std::vector<std::unique_ptr<RE2>> compiled;
  compiled.reserve(kTokens.size());
  for (const Token& token : kTokens)
    compiled.push_back(std::make_unique<RE2>(fmt::format("{}({})", kBefore, pattern_of(token)), options()));
  return compiled;
}

std::vector<std::unique_ptr<RE2>> compile_commands() {
  std::vector<std::unique_ptr<RE2>> compiled;
  compiled.reserve(kCommands.size());
  for (const Command& command : kCommands)
    compiled.push_back(std::make_unique<RE2>(command_pattern(command), options()));
  return compiled;
}

using Counts = bool (*)(std::string_view secret);

void find_all(const RE2& pattern, std::string_view kind, Counts counts, std::string_view text,
              std::vector<Finding>& found) {
  std::size_t from = 0;
  while (const auto secret = secret_in(pattern, text, from, RE2::UNANCHORED)) {
    if (!counts || counts(secret->of(text))) found.push_back({*secret, kind});
    from = secret->end;
  }
}

/// Adds the cookies that identify somebody.
void find_cookies(const RE2& header, std::string_view text, std::vector<Finding>& found) {
  std::size_t from = 0;
  while (const auto list = secret_in(header, text, from, RE2::UNANCHORED)) {
    for (const Range cookie : secret_cookies(list->of(text)))
      found.push_back({{list->begin + cookie.begin, list->begin + cookie.end}, "http-auth"});
    from = list->end;
  }
}

}  // namespace

struct Patterns::Compiled {
  RE2 suspect{any_of({any_shape(), any_hint(), std::string(kUrlEscape)}), options()};
  RE2 line_hint{any_hint(), options()};
  RE2 name_hint{piece(kNameHints), options()};
  RE2 phrase_hint{any_phrase_hint(), options()};
  RE2 cookies{R"re((?i)cookie\\?["']?(?:[ \t]*[:=][ \t]*|[ \t]+)\\?["']?([^"'\r\n]+))re", options()};
  RE2 shape{any_shape(), options()};
  std::vector<std::unique_ptr<RE2>> tokens = compile_tokens();
  std::vector<std::unique_ptr<RE2>> shapes = compile_all(kShapes);
  std::vector<std::unique_ptr<RE2>> phrases = compile_all(kPhrases);
  std::vector<std::unique_ptr<RE2>> commands = compile_commands();
};

Patterns::Patterns() : compiled_(std::make_unique<const Compiled>()) {}
Patterns::~Patterns() = default;

std::optional<Range> Patterns::next_suspect(std::string_view text, std::size_t from) const {
  return next(compiled_->suspect, text, from);
}

bool Patterns::holds_back_line(std::string_view word) const {
  return compiled_->line_hint.Match(piece(word), 0, word.size(), RE2::UNANCHORED, nullptr, 0);
}

std::optional<Range> Patterns::next_name_hint(std::string_view text, std::size_t from) const {
  return next(compiled_->name_hint, text, from);
}

std::optional<Patterns::Shape> Patterns::next_shape(std::string_view text, std::size_t from) const {
  while (const std::optional<Range> hit = next(compiled_->shape, text, from)) {
    for (std::size_t i = 0; i < kTokens.size(); ++i) {
      if (const auto secret = secret_in(*compiled_->tokens[i], text, hit->begin, RE2::ANCHOR_START))
        return Shape{{*secret, kTokens[i].kind}, secret->end};
    }
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      const std::optional<Range> secret = secret_in(*compiled_->shapes[i], text, hit->begin, RE2::ANCHOR_START);
      if (!secret) continue;
      if (kShapes[i].counts && !kShapes[i].counts(secret->of(text))) break;
      return Shape{{*secret, kShapes[i].kind}, std::max(secret->end, hit->begin + 1)};
    }
    from = hit->end;
  }
  return std::nullopt;
}

void Patterns::find_phrases(std::string_view text, std::vector<Finding>& found) const {
  if (!next(compiled_->phrase_hint, text, 0)) return;
  for (std::size_t i = 0; i < kPhrases.size(); ++i)
    find_all(*compiled_->phrases[i], kPhrases[i].kind, kPhrases[i].counts, text, found);
  find_cookies(compiled_->cookies, text, found);
  for (std::size_t i = 0; i < kCommands.size(); ++i)
    find_all(*compiled_->commands[i], kCommand, kCommands[i].counts, text, found);
}

std::vector<std::string_view> Patterns::kinds() const {
  std::set<std::string_view> kinds;
  for (const Token& token : kTokens) kinds.insert(token.kind);
  for (const Row& row : kShapes) kinds.insert(row.kind);
  for (const Row& row : kPhrases) kinds.insert(row.kind);
  return {kinds.begin(), kinds.end()};
}

const re2::RE2& Patterns::suspect() const { return compiled_->suspect; }

const Patterns& patterns() {
  static const Patterns instance;
  return instance;
}

}  // namespace deputy::redact

#include "model/offline/find_text.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMostWords = 6;
constexpr std::size_t kLongestText = 2000;  // characters

// What environments are called in this trade: enough to tell that a word is one where a person puts it as a place.
constexpr std::string_view kEnvironments[] = {"prod", "production",  "live",    "staging", "stage",
                                              "dev",  "development", "test",    "testing", "qa",
                                              "uat",  "preprod",     "sandbox", "canary"};
constexpr std::string_view kPlaces[] = {"in", "on", "for", "to", "from", "at", "of", "into"};
constexpr std::string_view kUnits[] = {"h",      "hr",      "hrs", "hour", "hours",   "m",  "min",  "mins",
                                       "minute", "minutes", "d",   "day",  "days",    "w",  "week", "weeks",
                                       "month",  "months",  "s",   "sec",  "seconds", "am", "pm"};
constexpr std::string_view kAmounts[] = {"last", "top",  "first", "latest", "newest", "limit", "recent", "past",
                                         "show", "list", "only",  "most",   "get",    "the",   "to",     "me"};
constexpr std::string_view kCues[] = {"for",       "about",    "containing", "contain",    "contains", "mentioning",
                                      "mention",   "matching", "match",      "like",       "saying",   "with",
                                      "regarding", "named",    "called",     "concerning", "mentions", "documenting"};
// Behind these begins something else: a place or a time.
constexpr std::string_view kEnds[] = {"in",     "on",    "at",        "from",    "since",  "last",   "past",
                                      "during", "over",  "within",    "between", "before", "after",  "for",
                                      "of",     "today", "yesterday", "this",    "please", "thanks", "tonight",
                                      "and",    "with",  "because",   "if"};

bool looks_like_name(const Piece& piece) {
  if (piece.kind == PieceKind::name || piece.kind == PieceKind::number || piece.kind == PieceKind::quoted) return true;
  const bool digit = std::ranges::any_of(piece.text, is_digit);
  const bool shouted =
      piece.text.size() >= 2 && std::ranges::all_of(piece.text, [](char c) { return c >= 'A' && c <= 'Z'; });
  return digit || shouted;
}

/// `order-desk` rather than `release/1.2`, `a.b.c` or `10:30`.
bool looks_like_service(const Piece& piece) {
  if (piece.kind != PieceKind::name) return false;
  const bool letters = std::ranges::any_of(piece.lower, is_lower);
  const bool ticket = piece.text.find_first_of("0123456789") != std::string::npos && piece.text != piece.lower;
  return letters && !ticket && piece.text.find_first_of("/.:@") == std::string::npos;
}

std::string singular(std::string_view word) {
  const bool plain = std::ranges::all_of(word, is_lower);
  const bool plural = word.size() > 4 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") &&
                      !word.ends_with("is") && !word.ends_with("ies");
  return std::string(plain && plural ? word.substr(0, word.size() - 1) : word);
}

/// What stands in the request behind one of the words, to its end.
std::optional<std::string> rest_behind(std::string_view request, std::initializer_list<std::string_view> words) {
  const std::string lower = to_lower(request);
  std::size_t begin = std::string::npos;
  for (const std::string_view word : words) {
    if (const std::size_t at = lower.find(word); at != std::string::npos) begin = std::min(begin, at + word.size());
  }
  if (begin == std::string::npos) return std::nullopt;
  const std::string_view rest = trim(request.substr(begin));
  if (rest.empty()) return std::nullopt;
  return std::string(cut_characters(rest, kLongestText));
}

}  // namespace

TextFinder::TextFinder(const Conversation& conversation, const ToolDescription& tool)
    : conversation_(conversation), pieces_(pieces_of(conversation.request)), is_time_(pieces_.size(), false) {
  for (const std::string& word : stems_of(tool.name)) tool_words_.insert(concept_of(word));
  const intent::Parameters& named = conversation.intent.parameters;
  if (named.environment) claim(*named.environment);
  for (const auto& [label, answer] : conversation.answers.by_label) claim(answer);
  const std::vector<Piece> time = pieces_of(named.time_range.description);
  if (time.empty()) return;
  const auto found = std::ranges::search(pieces_, time, {}, &Piece::lower, &Piece::lower);
  for (auto at = found.begin(); at != found.end(); ++at)
    is_time_[static_cast<std::size_t>(at - pieces_.begin())] = true;
}

void TextFinder::claim(std::string_view value) {
  taken_.insert(to_lower(value));
  for (std::string& part : parts_of(value)) taken_.insert(std::move(part));
}

bool TextFinder::is_taken(const Piece& piece) const {
  const std::size_t at = static_cast<std::size_t>(&piece - pieces_.data());
  return is_time_[at] || taken_.contains(piece.lower) || piece.kind == PieceKind::url ||
         piece.kind == PieceKind::channel || contains(kEnvironments, piece.lower);
}

std::optional<std::string> TextFinder::assigned_to(std::string_view parameter) const {
  const std::string wanted = to_lower(parameter);
  for (std::size_t at = 1; at < pieces_.size(); ++at) {
    if (pieces_[at].assigned && pieces_[at - 1].lower == wanted) return pieces_[at].text;
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::named_after(std::string_view parameter) const {
  static constexpr std::string_view kSuffixes[] = {"id", "key", "name", "number", "slug", "identifier"};
  static constexpr std::string_view kBetween[] = {"is", "named", "called", "number", "no", "id", "key", "the"};
  std::string noun;
  for (std::string& part : parts_of(parameter)) {
    if (!contains(kSuffixes, part)) noun = std::move(part);
  }
  if (noun.empty()) return std::nullopt;
  const std::string wanted = stem(noun);
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    if (pieces_[at].kind != PieceKind::word || stem(pieces_[at].lower) != wanted) continue;
    std::size_t next = at + 1;
    if (next < pieces_.size() && contains(kBetween, pieces_[next].lower)) ++next;
    if (next < pieces_.size() && !pieces_[next].breaks && looks_like_name(pieces_[next])) return pieces_[next].text;
    if (at > 0 && looks_like_name(pieces_[at - 1]) && pieces_[at - 1].kind != PieceKind::number &&
        !taken_.contains(pieces_[at - 1].lower)) {
      return pieces_[at - 1].text;
    }
  }
  return std::nullopt;
}

std::optional<json::value> TextFinder::chosen(const Parameter& parameter) const {
  for (const Piece& piece : pieces_) {
    for (const json::value& choice : parameter.choices) {
      const std::string offered = to_lower(as_text(choice));
      if (offered.empty() || (offered != piece.lower && stem(offered) != stem(piece.lower))) continue;
      return parameter.kind == Kind::list ? json::value(json::array{choice}) : choice;
    }
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::quoted() const {
  const auto found = std::ranges::find(pieces_, PieceKind::quoted, &Piece::kind);
  if (found == pieces_.end() || trim(found->text).empty()) return std::nullopt;
  return found->text;
}

std::vector<std::string> TextFinder::services() const {
  // Words that English joins with a hyphen begin with these: on-call, long-running, read-only.
  static constexpr std::string_view kPrefixes[] = {
      "on",    "re",    "long", "real", "follow", "log",   "sign", "up",    "high", "low",  "non",  "pre",  "post",
      "multi", "half",  "end",  "out",  "read",   "write", "roll", "in",    "e",    "well", "time", "root", "cross",
      "self",  "short", "full", "hot",  "back",   "stand", "over", "under", "day",  "one",  "two",  "so",   "last"};
  std::vector<std::string> services;
  const std::optional<std::string> as_branch = branch();
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    const Piece& piece = pieces_[at];
    if (!looks_like_service(piece) || contains(kEnvironments, piece.lower) || piece.text == as_branch) continue;
    const auto& tools = conversation_.intent.suggested_tools;
    if (contains(tools, piece.text)) continue;
    const bool at_place = at > 0 && contains(kPlaces, pieces_[at - 1].lower);
    if (!at_place && contains(kPrefixes, parts_of(piece.text).front())) continue;
    if (!contains(services, piece.text)) services.push_back(piece.text);
  }
  if (!services.empty()) return services;
  // "the CHECKOUT service", "service `checkout`"
  if (auto named = named_after("service"); named && intent::extract(*named, {}).parameters.ticket_ids.empty()) {
    services.push_back(*std::move(named));
  }
  return services;
}

std::optional<std::string> TextFinder::environment() const {
  std::optional<std::string> found;
  bool is_place = false;
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    if (!contains(kEnvironments, pieces_[at].lower)) continue;
    if (found && *found != pieces_[at].lower) return std::nullopt;  // two are a question
    found = pieces_[at].lower;
    const bool said = at + 1 < pieces_.size() && pieces_[at + 1].lower.starts_with("env");
    const bool negated = at > 1 && pieces_[at - 2].lower == "not";
    is_place = is_place || said || (at > 0 && contains(kPlaces, pieces_[at - 1].lower) && !negated);
  }
  return is_place ? found : std::nullopt;
}

std::optional<std::string> TextFinder::channel() const {
  const auto found = std::ranges::find(pieces_, PieceKind::channel, &Piece::kind);
  if (found == pieces_.end()) return std::nullopt;
  if (!found->text.starts_with("<#")) return found->text;
  return found->text.substr(2, found->text.find_first_of("|>") - 2);  // as Slack writes it: <#C1|name>
}

std::optional<std::string> TextFinder::path() const {
  for (const Piece& piece : pieces_) {
    const bool has_parts = piece.text.find_first_of("/.") != std::string::npos;
    if ((piece.kind == PieceKind::name || piece.kind == PieceKind::quoted) && has_parts) return piece.text;
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::branch() const {
  static constexpr std::string_view kNouns[] = {"branch", "ref", "tag", "commit", "revision"};
  static constexpr std::string_view kUsual[] = {"main", "master", "develop", "trunk"};
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    if (!contains(kNouns, pieces_[at].lower)) continue;
    const auto usable = [&](const Piece& piece) { return looks_like_name(piece) || contains(kUsual, piece.lower); };
    if (at + 1 < pieces_.size() && usable(pieces_[at + 1])) return pieces_[at + 1].text;
    if (at > 0 && usable(pieces_[at - 1])) return pieces_[at - 1].text;
  }
  for (const Piece& piece : pieces_) {
    const bool version = piece.lower.size() > 2 && piece.lower[0] == 'v' && piece.lower.contains('.') &&
                         piece.lower[1] >= '0' && piece.lower[1] <= '9';
    if (contains(kUsual, piece.lower) || version || piece.lower.starts_with("release/") ||
        piece.lower.starts_with("feature/") || piece.lower.starts_with("hotfix/")) {
      return piece.text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::body() const {
  if (auto text = quoted()) return text;
  return rest_behind(conversation_.request, {": ", " saying ", " that says "});
}

std::optional<std::string> TextFinder::title() const {
  if (auto text = quoted()) return text;
  return rest_behind(conversation_.request, {": ", " about ", " titled ", " called ", " saying "});
}

std::optional<int> TextFinder::count() const {
  for (std::size_t at = 1; at < pieces_.size(); ++at) {
    if (pieces_[at].kind != PieceKind::number || is_time_[at]) continue;
    const bool is_time = at + 1 < pieces_.size() && contains(kUnits, pieces_[at + 1].lower);
    if (is_time || !contains(kAmounts, pieces_[at - 1].lower)) continue;
    const std::string& digits = pieces_[at].text;
    int count = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), count).ec == std::errc{} && count > 0)
      return count;
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::phrase_behind_cue() const {
  for (std::size_t cue = 0; cue < pieces_.size(); ++cue) {
    if (!contains(kCues, pieces_[cue].lower)) continue;
    std::vector<std::string> words;
    for (std::size_t at = cue + 1; at < pieces_.size() && words.size() < kMostWords; ++at) {
      const Piece& piece = pieces_[at];
      if (is_taken(piece) || contains(kEnds, piece.lower) || (piece.breaks && !words.empty())) break;
      if (words.empty() && is_filler(piece.lower)) continue;
      words.push_back(piece.text);
    }
    while (!words.empty() &&
           (is_filler(to_lower(words.back())) || tool_words_.contains(concept_of(stem(words.back()))))) {
      words.pop_back();
    }
    if (words.size() == 1) words.front() = singular(words.front());
    if (!words.empty()) return join(words, " ");
  }
  return std::nullopt;
}

std::optional<std::string> TextFinder::telling_words() const {
  std::vector<std::string> words;
  for (const Piece& piece : pieces_) {
    if (words.size() >= kMostWords) break;
    const std::string root = stem(piece.lower);
    if (is_taken(piece) || is_filler(piece.lower) || is_reading_verb(root) || contains(kCues, piece.lower)) continue;
    if (tool_words_.contains(concept_of(root)) || piece.kind == PieceKind::number) continue;
    words.push_back(singular(piece.text));
  }
  if (words.empty()) return std::nullopt;
  return join(words, " ");
}

std::optional<std::string> TextFinder::query() const {
  if (auto text = quoted()) return text;
  if (auto text = phrase_behind_cue()) return text;
  if (auto text = telling_words()) return text;
  // Only what the tool is called after is left, such as the errors of an error search.
  for (const Piece& piece : pieces_) {
    const std::string root = stem(piece.lower);
    const bool names_tool = tool_words_.contains(concept_of(root)) && !is_reading_verb(root);
    if (piece.kind == PieceKind::word && names_tool && !is_taken(piece)) {
      return singular(piece.lower);
    }
  }
  const auto& services = conversation_.intent.parameters.services;
  if (!services.empty()) return services.front();
  return std::nullopt;
}

}  // namespace deputy::model::offline

#include "intent/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <unordered_map>

#include "base/text.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMaxSuggested = 5;
constexpr std::size_t kMaxRead = 400;  // tokens; a log pasted after the question must not change what is asked
constexpr int kByName = 100;

constexpr std::string_view kChanges =
    " restart reboot deploy redeploy rollback revert rerun trigger stop cancel kill scale create post send upload "
    "add ack acknowledge resolve close assign merge approve delete remove drain rotate enable disable silence mute "
    "update change edit write notify release promote set retry drop rename move comment ";

/// Whether the request orders such a verb, outside of quotes.
bool orders(const Tokens& tokens, const std::function<bool(std::string_view)>& is_verb) {
  const std::vector<bool> quoted = find_quoted(tokens);
  for (std::size_t at = 0; at < std::min(tokens.size(), kMaxRead); ++at) {
    if (!quoted[at] && is_verb(tokens[at].lower) && !is_negated(tokens, at) && asking_at(tokens, at) == Asking::order)
      return true;
  }
  return false;
}

/// The stems of the first tokens of a request; empty for a token that is not a word.
std::vector<std::string> stems_of(const Tokens& tokens) {
  std::vector<std::string> stems;
  for (std::size_t at = 0; at < std::min(tokens.size(), kMaxRead); ++at)
    stems.push_back(tokens[at].is_word() ? stem(tokens[at].lower) : std::string());
  return stems;
}

/// The token after a topic of one or more words that starts at `at`; `at` itself if the topic is not there. "sub-run"
/// equals "sub run".
std::size_t topic_end(const std::vector<std::string>& stems, std::size_t at, const std::vector<std::string>& topic) {
  std::size_t next = at;
  for (const std::string& word : topic) {
    if (next > at && next < stems.size() && stems[next].empty()) ++next;
    if (next >= stems.size() || stems[next] != word) return at;
    ++next;
  }
  return next;
}

/// The topics of tools are few and the same for each request.
const std::vector<std::string>& topic_stems(std::string_view topic) {
  constexpr std::size_t kMaxKept = 10'000;
  thread_local std::unordered_map<std::string, std::vector<std::string>> kept;
  if (kept.size() > kMaxKept) kept.clear();
  const auto [found, is_new] = kept.try_emplace(std::string(topic));
  if (is_new) {
    found->second = stems_of(Tokens(topic));
    std::erase(found->second, "");
  }
  return found->second;
}

std::optional<Phrase> find_one(const std::vector<std::string>& stems, const Claims& claims,
                               const std::vector<bool>& quoted, std::string_view topic) {
  const std::vector<std::string>& words = topic_stems(topic);
  for (std::size_t at = 0; at < stems.size(); ++at) {
    const std::size_t next = claims[at] || quoted[at] ? at : topic_end(stems, at, words);
    if (next != at) return Phrase{at, next};
  }
  return std::nullopt;
}

bool is_time(ParameterKind kind) {
  using enum ParameterKind;
  return kind == from || kind == to || kind == hours;
}

bool names(const Parameters& named, ParameterKind kind) {
  using enum ParameterKind;
  if (is_time(kind)) return named.time_range.from.has_value();
  return (kind == service && !named.services.empty()) || (kind == environment && named.environment) ||
         (kind == query && !named.text.empty()) || (kind == count && named.message_count) ||
         (kind == url && !named.urls.empty()) || kind == text;
}

bool is_id(ParameterKind kind) {
  using enum ParameterKind;
  return kind == url || kind == id || kind == path || kind == command;
}

struct Ranked {
  const KnownTool* tool = nullptr;
  int hits = 0;
  int taken = 0;    // values named in the request that the tool has a parameter for
  int missing = 0;  // required parameters that the request does not name

  auto key() const { return std::tuple(missing - hits, -taken, missing, tool->name); }
};

class Matcher {
 public:
  Matcher(const Tokens& tokens, const Claims& claims, const Parameters& named)
      : tokens_(tokens), claims_(claims), quoted_(find_quoted(tokens)), stems_(stems_of(tokens)), named_(named) {}

  Ranked rank(const KnownTool& tool) const {
    Ranked ranked{.tool = &tool};
    if (!may_match(tool)) return ranked;
    for (const std::string& topic : tool.topics.words) ranked.hits += says(topic) ? 1 : 0;
    if (tool.name.contains('_') && says(tool.name)) ranked.hits += kByName;
    if (ranked.hits > 0 && !tool.topics.verbs.empty()) ++ranked.hits;  // one of its verbs is ordered
    std::set<ParameterKind> counted;
    for (const KnownParameter& parameter : tool.parameters) {
      const bool is_named = names(parameter.kind, tool);
      if (!is_named && parameter.required) ++ranked.missing;
      const ParameterKind kind = is_time(parameter.kind) ? ParameterKind::from : parameter.kind;
      const bool is_any_text = kind == ParameterKind::text && (!parameter.required || named_.text.empty());
      if (!is_named || is_any_text || !counted.insert(kind).second) continue;
      ++ranked.taken;
      if (is_id(kind)) ++ranked.hits;
    }
    return ranked;
  }

  bool may_match(const KnownTool& tool) const {
    if (tool.topics.verbs.empty()) return tool.reads;
    return orders(tokens_, [&](std::string_view verb) { return contains(tool.topics.verbs, verb); });
  }

 private:
  bool names(ParameterKind kind, const KnownTool& tool) const {
    if (kind == ParameterKind::command) return contains(quoted_, true);  // "run `ls -l`"
    if (kind == ParameterKind::id) return !id_behind(tokens_, tool.topics).empty();
    if (kind == ParameterKind::path) return !path_in(tokens_).empty();
    return intent::names(named_, kind);
  }

  bool says(const std::string& topic) const { return find_one(stems_, claims_, quoted_, topic).has_value(); }

  const Tokens& tokens_;
  const Claims& claims_;
  std::vector<bool> quoted_;
  std::vector<std::string> stems_;
  const Parameters& named_;
};

/// "checkout?", "checkout prod": whether what the request names is exactly what the tool requires.
bool needs_just_what_is_named(const KnownTool& tool, const Parameters& named) {
  std::set<ParameterKind> wanted{ParameterKind::service};
  if (named.environment) wanted.insert(ParameterKind::environment);
  std::set<ParameterKind> needed;
  for (const KnownParameter& one : tool.parameters) {
    if (one.required) needed.insert(one.kind);
    // A tool that takes a service for something that it has, such as its repository, is not about the service itself.
    if (one.required && one.kind == ParameterKind::service && !one.name.contains("service")) return false;
  }
  return tool.reads && tool.topics.verbs.empty() && !named.services.empty() && needed == wanted;
}

}  // namespace

bool KnownTool::takes(ParameterKind kind) const { return contains(parameters, kind, &KnownParameter::kind); }

std::vector<std::string> match(const Tokens& tokens, const Claims& claims, const Parameters& named,
                               const std::vector<KnownTool>& tools) {
  const Matcher matcher(tokens, claims, named);
  std::vector<Ranked> ranked;
  for (const KnownTool& tool : tools) {
    if (const Ranked one = matcher.rank(tool); one.hits > 0) ranked.push_back(one);
  }
  const auto is_ordered = [](const Ranked& one) { return !one.tool->topics.verbs.empty(); };
  if (orders_change(tokens) && std::ranges::none_of(ranked, is_ordered)) return {};
  if (ranked.empty() && opener_length(tokens) == 0) {
    // Of a service where it runs, first the one that can be asked most.
    for (const KnownTool& tool : tools) {
      if (needs_just_what_is_named(tool, named))
        ranked.push_back({.tool = &tool, .taken = named.environment ? static_cast<int>(tool.parameters.size()) : 0});
    }
  }
  std::ranges::sort(ranked, {}, &Ranked::key);
  std::vector<std::string> best;
  for (const Ranked& one : ranked | std::views::take(kMaxSuggested)) best.push_back(one.tool->name);
  return best;
}

std::optional<Phrase> find_phrase(const Tokens& tokens, const Claims& claims, std::string_view phrase) {
  return find_one(stems_of(tokens), claims, find_quoted(tokens), phrase);
}

bool orders_change(const Tokens& tokens) {
  return orders(tokens, [](std::string_view verb) { return kChanges.contains(fmt::format(" {} ", verb)); });
}

std::size_t opener_length(const Tokens& tokens) {
  static constexpr std::string_view kOpeners[] = {"and", "same", "again", "also", "instead"};
  const std::size_t first = tokens[0].is("ok") || tokens[0].is("the") ? 1 : 0;
  if (contains(kOpeners, tokens[first].lower)) return first + 1;
  const bool what = tokens[first].is("what") || tokens[first].is("how");
  return what && tokens[first + 1].is("about") ? first + 2 : 0;
}

bool is_follow_up(std::string_view request, const Intent& intent) {
  constexpr std::size_t kMaxTokens = 12;  // a longer request stands on its own
  const Tokens tokens(request);
  if (intent.type == IntentType::act) return false;  // a change must always be requested in full
  if (opener_length(tokens) > 0) return true;
  const bool names_something = intent.parameters.any() || !intent.parameters.time_range.problem.empty();
  return intent.suggested_tools.empty() && tokens.size() <= kMaxTokens && names_something;
}

std::string id_behind(const Tokens& tokens, const ToolTopics& topics) {
  const std::vector<std::string> stems = stems_of(tokens);
  for (const std::string& topic : topics.words) {
    const std::vector<std::string>& words = topic_stems(topic);
    for (std::size_t at = 0; at < stems.size(); ++at) {
      const std::size_t first = topic_end(stems, at, words);
      if (first == at || !tokens[first].is_word()) continue;
      std::size_t last = first;
      while (tokens.tied_behind(last)) last += 2;
      const std::string_view name = tokens.text(first, last + 1);
      if (last > first || std::ranges::any_of(name, is_digit)) return std::string(name);
    }
  }
  return {};
}

std::string path_in(const Tokens& tokens) {
  for (std::string_view word : split(tokens.text(0, std::min(tokens.size(), kMaxRead)), " ")) {
    while (!word.empty() && std::string_view("?!.,;:)").contains(word.back())) word.remove_suffix(1);
    const std::size_t sign = word.find_first_of("./");
    const bool plain = word.find_first_of("\"`'\n(") == std::string_view::npos && !word.contains("://");
    if (plain && sign != std::string_view::npos && std::ranges::any_of(word, is_letter)) return std::string(word);
  }
  return {};
}

std::string fill_in(std::string_view text, const std::function<std::string(ParameterKind)>& value) {
  std::string filled(text);
  for (const auto& [kind, name] : choices_of(ParameterKind{})) {
    const std::string placeholder = fmt::format("{{{}}}", name);
    const std::size_t at = filled.find(placeholder);
    if (at == std::string::npos) continue;
    const std::string put = value(kind);
    filled.replace(at, placeholder.size(), !put.empty() ? put : kind == ParameterKind::service ? "all services" : "…");
  }
  return filled;
}

}  // namespace deputy::intent

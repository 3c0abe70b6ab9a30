#include "intent/classify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "intent/names.h"
#include "intent/phrases.h"

namespace deputy::intent {

namespace {

enum class Where {
  anywhere,
  asked,    // as the verb of what is wanted
  opening,  // as the first word of a sentence
};

/// One or two words that speak for a type.
struct Cue {
  std::string_view first;
  std::string_view second;  // empty: one word
  IntentType type;
  Where where;
  int weight;
};

using enum IntentType;
using enum Where;

constexpr Cue kCues[] = {
    {"summarize", "", summarize, anywhere, 4},
    {"summarise", "", summarize, anywhere, 4},
    {"summary", "", summarize, anywhere, 4},
    {"summaries", "", summarize, anywhere, 3},
    {"summarizing", "", summarize, anywhere, 3},
    {"tldr", "", summarize, anywhere, 5},
    {"recap", "", summarize, anywhere, 4},
    {"digest", "", summarize, asked, 3},
    {"overview", "", summarize, anywhere, 2},
    {"catch", "me", summarize, anywhere, 4},
    {"catch", "us", summarize, anywhere, 4},
    {"i", "miss", summarize, anywhere, 4},
    {"i", "missed", summarize, anywhere, 4},
    {"brief", "me", summarize, anywhere, 4},
    {"key", "points", summarize, anywhere, 3},
    {"action", "items", summarize, anywhere, 2},

    {"why", "", analyze, opening, 5},
    {"why", "", analyze, anywhere, 4},
    {"investigate", "", analyze, asked, 5},
    {"analyze", "", analyze, asked, 4},
    {"analyse", "", analyze, asked, 4},
    {"debug", "", analyze, asked, 4},
    {"diagnose", "", analyze, asked, 4},
    {"troubleshoot", "", analyze, asked, 4},
    {"triage", "", analyze, asked, 4},
    {"correlate", "", analyze, asked, 4},
    {"compare", "", analyze, asked, 4},
    {"look", "into", analyze, anywhere, 4},
    {"looking", "into", analyze, anywhere, 2},
    {"dig", "into", analyze, anywhere, 4},
    {"figure", "out", analyze, anywhere, 4},
    {"find", "out", analyze, asked, 2},
    {"root", "cause", analyze, anywhere, 4},
    {"rca", "", analyze, anywhere, 4},
    {"causing", "", analyze, anywhere, 4},
    {"caused", "", analyze, anywhere, 4},
    {"cause", "of", analyze, anywhere, 4},
    {"reason", "for", analyze, anywhere, 3},
    {"wrong", "with", analyze, anywhere, 4},
    {"going", "on", analyze, anywhere, 3},
    {"going", "wrong", analyze, anywhere, 4},
    {"what", "happened", analyze, anywhere, 4},
    {"what", "broke", analyze, anywhere, 4},
    {"whats", "up", analyze, opening, 3},
    {"how", "come", analyze, opening, 4},
    {"postmortem", "", analyze, anywhere, 2},
    {"related", "to", analyze, anywhere, 1},

    {"explain", "", explain, asked, 5},
    {"describe", "", explain, asked, 4},
    {"define", "", explain, asked, 4},
    {"how", "does", explain, anywhere, 4},
    {"how", "do", explain, anywhere, 4},
    {"how", "to", explain, anywhere, 4},
    {"how", "is", explain, opening, 2},
    {"how", "can", explain, opening, 3},
    {"what", "does", explain, opening, 4},
    {"what", "is", explain, opening, 2},
    {"whats", "a", explain, opening, 3},
    {"what", "are", explain, opening, 1},
    {"tell", "me", explain, asked, 2},
    {"teach", "me", explain, asked, 4},
    {"meaning", "of", explain, anywhere, 3},
    {"difference", "between", explain, anywhere, 4},
    {"purpose", "of", explain, anywhere, 3},
    {"walk", "me", explain, asked, 4},

    {"show", "", fetch, asked, 4},
    {"list", "", fetch, asked, 4},
    {"get", "", fetch, asked, 3},
    {"fetch", "", fetch, asked, 4},
    {"find", "", fetch, asked, 3},
    {"search", "", fetch, asked, 4},
    {"grep", "", fetch, asked, 4},
    {"check", "", fetch, asked, 4},
    {"pull", "", fetch, asked, 3},
    {"give", "", fetch, asked, 3},
    {"look", "up", fetch, asked, 4},
    {"look", "at", fetch, asked, 3},
    {"see", "", fetch, asked, 2},
    {"display", "", fetch, asked, 4},
    {"read", "", fetch, asked, 3},
    {"tail", "", fetch, asked, 4},
    {"query", "", fetch, asked, 3},
    {"count", "", fetch, asked, 3},
    {"any", "", fetch, opening, 3},
    {"which", "", fetch, opening, 3},
    {"who", "", fetch, opening, 4},
    {"whos", "", fetch, opening, 4},
    {"when", "", fetch, opening, 3},
    {"where", "", fetch, opening, 3},
    {"is", "", fetch, opening, 3},
    {"are", "", fetch, opening, 3},
    {"was", "", fetch, opening, 3},
    {"were", "", fetch, opening, 3},
    {"did", "", fetch, opening, 3},
    {"does", "", fetch, opening, 3},
    {"has", "", fetch, opening, 3},
    {"have", "", fetch, opening, 3},
    {"how", "many", fetch, anywhere, 4},
    {"how", "much", fetch, anywhere, 4},
    {"how", "often", fetch, anywhere, 4},
    {"what", "", fetch, opening, 2},
    {"whats", "", fetch, opening, 2},
    {"status", "", fetch, anywhere, 3},
    {"errors", "", fetch, anywhere, 2},
    {"logs", "", fetch, anywhere, 2},
    {"warnings", "", fetch, anywhere, 2},
    {"alarms", "", fetch, anywhere, 2},
    {"on", "call", fetch, anywhere, 2},
    {"oncall", "", fetch, anywhere, 2},

    {"restart", "", act, asked, 6},
    {"reboot", "", act, asked, 6},
    {"redeploy", "", act, asked, 6},
    {"deploy", "", act, asked, 6},
    {"rollback", "", act, asked, 6},
    {"roll", "back", act, asked, 6},
    {"revert", "", act, asked, 6},
    {"run", "", act, asked, 5},
    {"rerun", "", act, asked, 6},
    {"re", "run", act, asked, 6},
    {"trigger", "", act, asked, 6},
    {"start", "", act, asked, 5},
    {"stop", "", act, asked, 6},
    {"cancel", "", act, asked, 6},
    {"kill", "", act, asked, 6},
    {"scale", "", act, asked, 6},
    {"create", "", act, asked, 6},
    {"open", "a", act, asked, 6},
    {"file", "a", act, asked, 6},
    {"raise", "", act, asked, 5},
    {"post", "", act, asked, 6},
    {"send", "", act, asked, 6},
    {"upload", "", act, asked, 6},
    {"comment", "", act, asked, 6},
    {"add", "", act, asked, 6},
    {"react", "", act, asked, 6},
    {"acknowledge", "", act, asked, 6},
    {"ack", "", act, asked, 6},
    {"resolve", "", act, asked, 5},
    {"close", "", act, asked, 6},
    {"assign", "", act, asked, 6},
    {"merge", "", act, asked, 6},
    {"approve", "", act, asked, 6},
    {"delete", "", act, asked, 6},
    {"remove", "", act, asked, 6},
    {"drain", "", act, asked, 6},
    {"rotate", "", act, asked, 6},
    {"enable", "", act, asked, 6},
    {"disable", "", act, asked, 6},
    {"silence", "", act, asked, 6},
    {"mute", "", act, asked, 6},
    {"update", "", act, asked, 5},
    {"change", "", act, asked, 5},
    {"edit", "", act, asked, 6},
    {"write", "", act, asked, 5},
    {"execute", "", act, asked, 6},
    {"notify", "", act, asked, 6},
    {"page", "", act, asked, 5},
    {"ping", "", act, asked, 4},
    {"release", "", act, asked, 5},
    {"promote", "", act, asked, 6},
    {"ship", "", act, asked, 5},
    {"bump", "", act, asked, 5},
    {"set", "", act, asked, 5},
    {"fix", "", act, asked, 4},
    {"retry", "", act, asked, 6},
    {"failover", "", act, asked, 6},
    {"turn", "off", act, asked, 6},
    {"turn", "on", act, asked, 6},
    {"spin", "up", act, asked, 6},

    {"hi", "", chat, opening, 2},
    {"hello", "", chat, opening, 2},
    {"hey", "", chat, opening, 1},
    {"thanks", "", chat, opening, 3},
    {"thank", "you", chat, anywhere, 3},
    {"thx", "", chat, opening, 3},
    {"good", "morning", chat, opening, 4},
    {"good", "job", chat, opening, 4},
    {"well", "done", chat, opening, 4},
    {"who", "are", chat, opening, 1},
    {"what", "can", chat, opening, 1},
    {"are", "you", chat, opening, 4},
    {"who", "are you", chat, opening, 6},
};

constexpr std::array kByPrecedence{act, summarize, analyze, explain, fetch, chat};
constexpr std::size_t kMostScored = 400;  // words; a pasted log behind the question does not change what is asked

const std::unordered_map<std::string_view, std::vector<const Cue*>>& cues_by_word() {
  static const auto cues = [] {
    std::unordered_map<std::string_view, std::vector<const Cue*>> made;
    for (const Cue& cue : kCues) made[cue.first].push_back(&cue);
    return made;
  }();
  return cues;
}

bool opens(const Tokens& tokens, std::size_t at) {
  static constexpr std::string_view kSkipped[] = {"hey",  "hi",  "hello", "and",    "so",    "ok",
                                                  "okay", "but", "also",  "please", "deputy"};
  for (int skipped = 0; skipped < 3; ++skipped) {
    if (tokens.sentence_starts(at) || tokens[at - 1].kind == TokenKind::mention || tokens[at - 1].is_symbol(',') ||
        tokens[at - 1].is_symbol(':')) {
      return true;
    }
    if (!contains(kSkipped, tokens[at - 1].lower)) return false;
    --at;
  }
  return false;
}

/// "roll back", "what's a": an apostrophe and an s between the words does not matter.
bool second_matches(const Tokens& tokens, std::size_t at, std::string_view second) {
  std::size_t next = at + 1;
  if (tokens[next].is_symbol('-') && tokens[next].glued) ++next;
  if (second == "are you") return tokens[next].is("are") && tokens[next + 1].is("you");
  if (tokens[next].is_symbol('\'') && tokens[next + 1].is("s")) {
    if (second == "is") return true;
    next += 2;
  }
  return tokens[next].is(second);
}

bool holds(const Tokens& tokens, std::size_t at, const Cue& cue) {
  if (!cue.second.empty() && !second_matches(tokens, at, cue.second)) return false;
  switch (cue.where) {
    case asked:
      return asking_at(tokens, at) == Asking::order || (cue.type != act && asking_at(tokens, at) == Asking::question);
    case opening:
      return opens(tokens, at);
    case anywhere:
      return true;
  }
  return false;
}

bool names_something(const Parameters& parameters) {
  return !parameters.services.empty() || parameters.environment || parameters.time_range.from ||
         !parameters.ticket_ids.empty() || !parameters.pr_ids.empty() || !parameters.incident_ids.empty() ||
         !parameters.urls.empty();
}

bool has(const Tokens& tokens, std::size_t at, std::string_view first, std::string_view second) {
  return tokens[at].is(first) && tokens[at + 1].is(second);
}

}  // namespace

Classified classify(const Tokens& tokens, const Parameters& parameters) {
  std::array<int, 6> best{};  // the strongest cue of each type
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostScored); ++at) {
    const auto cues = cues_by_word().find(tokens[at].lower);
    if (cues == cues_by_word().end()) continue;
    for (const Cue* cue : cues->second) {
      if (!holds(tokens, at, *cue)) continue;
      const auto type = static_cast<std::size_t>(cue->type);
      best[type] = std::max(best[type], cue->weight);
    }
  }
  if (names_something(parameters)) {
    const auto of = [](IntentType type) { return static_cast<std::size_t>(type); };
    best[of(chat)] = 0;
    // A bare name, id or address is a wish to see it.
    if (std::ranges::all_of(best, [](int score) { return score == 0; })) return {fetch, 0.4};
  }
  IntentType winner = chat;
  int strongest = 0;
  int all = 0;
  for (const IntentType type : kByPrecedence) {
    const int score = best[static_cast<std::size_t>(type)];
    all += score;
    if (score > strongest) {
      strongest = score;
      winner = type;
    }
  }
  if (strongest == 0) return {chat, 0.3};
  const double share = static_cast<double>(strongest) / all;
  const double certainty = std::min(strongest, 6) / 6.0;
  return {winner, std::round((0.35 + 0.3 * share + 0.3 * certainty) * 100) / 100};
}

std::vector<ContextRequirement> find_context_requirements(const Tokens& tokens, IntentType type,
                                                          const Parameters& parameters) {
  static constexpr std::string_view kThis[] = {"this", "that", "these", "those", "above", "it", "the"};
  static constexpr std::string_view kThreadThings[] = {"thread", "conversation", "discussion", "above", "alert",
                                                       "alarm",  "card",         "message",    "reply", "replies"};
  static constexpr std::string_view kFileThings[] = {"attachment",  "attachments", "attached", "screenshot",
                                                     "screenshots", "uploaded",    "pasted",   "logfile",
                                                     "pdf",         "image"};
  bool thread = false;
  bool history = parameters.message_count.has_value() && type != act;
  bool files = false;
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostScored); ++at) {
    const std::string_view word = tokens[at].lower;
    if (!tokens[at].is_word()) continue;
    const bool pointed = contains(kThis, tokens[at - 1].lower);
    if (word == "above" || word == "thread" || (pointed && contains(kThreadThings, word))) thread = true;
    const bool ends = !tokens[at + 1].is_word() || tokens.sentence_starts(at + 1);
    if ((word == "this" || word == "that" || word == "these" || word == "those") && ends) thread = true;
    if (word == "it" && ends && parameters.services.empty()) thread = true;
    if (has(tokens, at, "this", "channel") || has(tokens, at, "the", "channel") || has(tokens, at, "i", "miss") ||
        has(tokens, at, "i", "missed") || has(tokens, at, "catch", "me")) {
      history = true;
    }
    if (contains(kFileThings, word) || (pointed && (word == "file" || word == "files"))) files = true;
  }
  if (thread && !parameters.message_count) history = history && type == summarize;
  if (type == summarize && !thread && !files && !names_something(parameters)) history = true;
  std::vector<ContextRequirement> needed;
  if (thread) needed.push_back(ContextRequirement::thread);
  if (history) needed.push_back(ContextRequirement::channel_history);
  if (files) needed.push_back(ContextRequirement::files);
  return needed;
}

}  // namespace deputy::intent

#include "intent/topics.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "intent/levels.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

using enum Topic;

constexpr std::size_t kMostRead = 400;  // words

struct TopicWord {
  std::string_view word;
  Topic topic;
};
constexpr TopicWord kTopicWords[] = {
    {"error", errors},
    {"errors", errors},
    {"exception", errors},
    {"exceptions", errors},
    {"stacktrace", errors},
    {"stacktraces", errors},
    {"crash", errors},
    {"crashes", errors},
    {"crashing", errors},
    {"failing", errors},
    {"failures", errors},
    {"500s", errors},
    {"5xx", errors},
    {"timeouts", errors},
    {"fails", errors},
    {"kills", errors},
    {"oom", errors},
    {"throwing", errors},
    {"log", logs},
    {"logs", logs},
    {"grep", logs},
    {"tail", logs},
    {"logging", logs},
    {"pipeline", pipelines},
    {"pipelines", pipelines},
    {"build", pipelines},
    {"builds", pipelines},
    {"deploy", pipelines},
    {"deploys", pipelines},
    {"deployment", pipelines},
    {"deployed", pipelines},
    {"ci", pipelines},
    {"release", pipelines},
    {"released", pipelines},
    {"deployments", pipelines},
    {"redeploy", pipelines},
    {"rollback", pipelines},
    {"pr", pull_requests},
    {"prs", pull_requests},
    {"ticket", tickets},
    {"tickets", tickets},
    {"jira", tickets},
    {"issue", tickets},
    {"issues", tickets},
    {"bug", tickets},
    {"bugs", tickets},
    {"story", tickets},
    {"cve", cves},
    {"cves", cves},
    {"vulnerabilities", cves},
    {"vulnerability", cves},
    {"confluence", docs},
    {"runbook", docs},
    {"runbooks", docs},
    {"docs", docs},
    {"documentation", docs},
    {"wiki", docs},
    {"playbook", docs},
    {"documented", docs},
    {"alarm", alarms},
    {"alarms", alarms},
    {"alert", alarms},
    {"alerts", alarms},
    {"firing", alarms},
    {"metric", metrics},
    {"metrics", metrics},
    {"cpu", metrics},
    {"memory", metrics},
    {"latency", metrics},
    {"throughput", metrics},
    {"utilization", metrics},
    {"p99", metrics},
    {"p95", metrics},
    {"slow", metrics},
    {"load", metrics},
    {"traffic", metrics},
    {"incident", incidents},
    {"incidents", incidents},
    {"pagerduty", incidents},
    {"outage", incidents},
    {"outages", incidents},
    {"oncall", on_call},
    {"rota", on_call},
    {"code", code},
    {"function", code},
    {"class", code},
    {"repo", code},
    {"repository", code},
    {"implemented", code},
    {"codebase", code},
    {"source", code},
    {"services", services},
    {"decisions", decisions},
    {"decided", decisions},
    {"sentiment", decisions},
    {"topics", decisions},
    {"before", history},
    {"previously", history},
    {"again", history},
    {"background", tasks},
    {"file", workspace},
    {"files", workspace},
    {"shell", workspace},
    {"folder", workspace},
    {"aws", aws},
    {"ec2", aws},
    {"s3", aws},
    {"create", creating},
    {"file", creating},
    {"raise", creating},
    {"open", creating},
    {"comment", commenting},
    {"post", posting},
    {"send", posting},
    {"announce", posting},
    {"notify", posting},
    {"acknowledge", acknowledging},
    {"ack", acknowledging},
    {"run", running},
    {"rerun", running},
    {"trigger", running},
    {"start", running},
    {"restart", running},
    {"stop", stopping},
    {"cancel", stopping},
    {"abort", stopping},
    {"thread", thread},
    {"messages", conversation},
    {"channel", conversation},
    {"conversation", conversation},
    {"discussion", conversation},
    {"down", broken},
    {"broken", broken},
    {"unhealthy", broken},
    {"degraded", broken},
    {"health", alarms},
    {"healthy", alarms},
    {"health", broken},
    {"healthy", broken},
    {"status", broken},
    {"weird", broken},
    {"strange", broken},
    {"odd", broken},
    {"unusual", broken},
    {"suspicious", broken},
    {"ok", broken},
    {"okay", broken},
    {"alive", broken},
    {"changed", changed},
};

struct TopicPair {
  std::string_view first;
  std::string_view second;
  Topic topic;
};
constexpr TopicPair kTopicPairs[] = {
    {"pull", "request", pull_requests},
    {"pull", "requests", pull_requests},
    {"merge", "request", pull_requests},
    {"on", "call", on_call},
    {"action", "items", decisions},
    {"happened", "before", history},
    {"seen", "this", history},
    {"sub", "runs", tasks},
    {"how", "to", docs},
    {"how", "do", docs},
    {"stack", "trace", errors},
    {"stack", "traces", errors},
    {"error", "rate", metrics},
    {"i", "miss", conversation},
    {"catch", "me", conversation},
    {"wrong", "with", broken},
};

bool holds_any(const Tokens& tokens, std::initializer_list<std::string_view> words) {
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostRead); ++at) {
    if (contains(words, tokens[at].lower)) return true;
  }
  return false;
}

/// "What was asked about this before?", and not "errors before noon".
bool asks_for_past_runs(const Tokens& tokens) {
  if (holds_any(tokens, {"history"})) return true;
  return holds_any(tokens, {"before", "earlier", "previously", "already", "ever", "past"}) &&
         holds_any(tokens, {"asked", "ask", "asking", "seen", "discussed", "answered"});
}

/// "Which files are there?", and not "which files mention timeouts?".
bool asks_which_files(const Tokens& tokens) {
  return holds_any(tokens, {"files", "folder", "folders", "directory", "directories"}) &&
         !holds_any(tokens, {"\"", "`", "mention", "mentions", "mentioning", "contain", "contains", "containing",
                             "matching", "with", "about", "for", "where", "search", "grep", "find"});
}

/// "Read the file limits.conf".
bool asks_for_a_file(const Tokens& tokens) {
  return holds_any(tokens, {"file"}) && holds_any(tokens, {"read", "cat", "print", "open", "show"});
}

/// "Run `ls -l`": a command line stands in quotes.
bool holds_command(const Tokens& tokens) {
  static constexpr std::string_view kBefore[] = {"run", "execute", "exec", "command"};
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostRead); ++at) {
    const Token& behind = tokens[at + 1];
    if (!contains(kBefore, tokens[at].lower)) continue;
    if (behind.is_symbol('`') || behind.is_symbol('"') || behind.is_symbol('\'')) return true;
  }
  return false;
}

/// "erors", "errros": what is asked for most often is typed in haste.
bool is_misspelt_error(std::string_view word) {
  static constexpr std::string_view kMeant[] = {"errors", "error", "exceptions", "exception", "failures"};
  return std::ranges::any_of(kMeant, [&](std::string_view meant) {
    const bool swapped =
        word.size() == meant.size() && word.front() == meant.front() && std::ranges::is_permutation(word, meant);
    return swapped || (word.size() + 1 >= meant.size() && word.size() <= meant.size() + 1 && word.size() >= 4 &&
                       word.starts_with(meant.front()) && edit_distance(word, meant) <= 1);
  });
}

}  // namespace

Topics find_topics(const Tokens& tokens, const Intent& intent) {
  Topics topics;
  bool says_what = false;
  static const auto by_word = [] {
    std::unordered_map<std::string_view, std::vector<Topic>> made;
    for (const TopicWord& row : kTopicWords) made[row.word].push_back(row.topic);
    return made;
  }();
  for (std::size_t at = 0; at < std::min(tokens.size(), kMostRead); ++at) {
    if (!tokens[at].is_word()) continue;
    if (const auto found = by_word.find(tokens[at].lower); found != by_word.end()) {
      for (const Topic topic : found->second) topics.set(topic);
      says_what = true;
    } else if (is_misspelt_error(tokens[at].lower)) {
      topics.set(errors);
      says_what = true;
    }
    if (const auto level = read_level(tokens, at)) {
      topics.set(level->text.empty() ? errors : logs);
      says_what = true;
    }
    const std::size_t next = tokens[at + 1].is_symbol('-') ? at + 2 : at + 1;
    for (const TopicPair& pair : kTopicPairs) {
      if (!tokens[at].is(pair.first) || !tokens[next].is(pair.second)) continue;
      topics.set(pair.topic);
      says_what = true;
    }
  }
  const Parameters& named = intent.parameters;
  topics.set(one_service, !named.services.empty());
  topics.set(one_environment, named.environment.has_value());
  topics.set(ticket_id, !named.ticket_ids.empty());
  topics.set(pr_id, !named.pr_ids.empty());
  topics.set(incident_id, !named.incident_ids.empty());
  topics.set(text_to_find, !named.text.empty());
  topics.set(past_runs, asks_for_past_runs(tokens));
  topics.set(listing, asks_which_files(tokens));
  topics.set(reading_file, asks_for_a_file(tokens));
  topics.set(command, holds_command(tokens));
  topics.set(addresses,
             !named.urls.empty() && named.pr_ids.empty() && named.ticket_ids.empty() && named.incident_ids.empty());
  // "Checkout in prod?" asks how it is.
  if (!says_what && topics.test(one_service) && topics.test(one_environment)) topics.set(broken);
  for (const ContextRequirement need : intent.context_requirements) {
    if (need == ContextRequirement::thread) topics.set(thread);
    if (need == ContextRequirement::channel_history) topics.set(conversation);
  }
  return topics;
}

}  // namespace deputy::intent

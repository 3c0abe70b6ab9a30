#include "model/offline/words.h"

#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace deputy::model::offline {

namespace {

/// Words of one row are one thing.
constexpr std::string_view kConcepts[] = {
    "error exception failure fail crash stacktrace traceback 5xx 500s throw fault panic broken wrong unhealthy "
    "degraded "
    "trouble problem",
    "log logging tail",
    "pipeline build deploy deployment ci release rollout workflow",
    "pull pr prs mr",
    "ticket issue bug jira story",
    "incident outage pagerduty",
    "alarm alert firing",
    "doc documentation wiki runbook playbook confluence manual guide",
    "metric cpu memory latency throughput utilization p99 p95 slow saturation",
    "oncall rota roster",
    "code codebase source implementation",
    "repo repository",
    "file folder directory workspace",
    "message thread conversation discussion slack",
    "service application app component microservice",
    "status health healthy state",
    "info information detail describe",
    "owner own team",
    "cve vulnerability",
    "url link website",
    "history previously earlier",
    "restart reboot bounce recycle",
    "run trigger start rerun launch execute",
    "stop cancel abort kill halt",
    "create raise",
    "delete remove erase purge wipe drop",
    "comment reply note",
    "acknowledge ack",
    "post send announce notify publish",
    "search find grep lookup query",
    "list enumerate",
    "summary summarize summarise recap tldr digest",
    "investigate analyze analyse diagnose debug troubleshoot why cause",
    "recent latest newest",
    "active open current",
};

constexpr std::string_view kFillers =
    "a an the this that these those it its is are was were be been am do does did done has have had i me my we us our "
    "you "
    "your he she they them their what whats which who whom whose when where how many much any some all please pls can "
    "could would should will may might shall must need want like just now then there here if so ok okay hey hi hello "
    "thanks thank of in on at to from for with by as or and but not no yes about into over out up off via per vs than "
    "too "
    "very also only still see show give tell let lets get got look looking check s t re ve ll d m us anything "
    "something "
    "everything anyone someone happen happened happening going go gone new one ones help deputy bot say says said make "
    "made put take know think every each both other another between within during since until before after again last "
    "past today yesterday tonight ask asks asked asking seen ever already week weeks month months day days hour hours "
    "minute minutes min mins";

constexpr std::string_view kReadingVerbs =
    "get list search find check read fetch show describe query count summarize analyze investigate lookup view inspect "
    "recent active status details detail info history open explain compare watch look";
constexpr std::string_view kWritingVerbs =
    "run rerun start stop restart reboot create add post send upload update edit write delete remove cancel "
    "acknowledge "
    "ack resolve close assign merge deploy redeploy trigger scale rollback roll revert silence mute enable disable set "
    "kill approve execute exec comment react rotate drain retry publish notify shell put patch terminate abort promote "
    "failover page push apply change modify invite escalate snooze move rename grant revoke purge flush clear reset "
    "launch";

std::unordered_set<std::string> stems_in(std::string_view list) {
  std::unordered_set<std::string> stems;
  for (const std::string_view word : split(list, " ")) stems.insert(stem(word));
  return stems;
}

bool is_of_a_word(char c) { return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

std::string stem(std::string_view word) {
  std::string text = to_lower(word);
  const auto ends = [&](std::string_view end, std::size_t least) {
    return text.size() >= least && text.ends_with(end);
  };
  const auto drop = [&](std::size_t count) { text.resize(text.size() - count); };
  const auto undouble = [&] {
    const std::size_t size = text.size();
    if (size > 3 && text[size - 1] == text[size - 2] && !std::string_view("aeiousl").contains(text.back())) drop(1);
  };
  if (ends("ies", 5)) {
    drop(3);
    text += 'y';
  } else if (ends("sses", 5) || ends("shes", 5) || ends("ches", 5) || ends("xes", 5)) {
    drop(2);
  } else if (ends("s", 4) && !ends("ss", 4) && !ends("us", 4) && !ends("is", 4)) {
    drop(1);
  }
  if (ends("ing", 6)) {
    drop(3);
    undouble();
  } else if (ends("ed", 5) && !ends("eed", 5)) {
    drop(2);
    undouble();
  }
  if (ends("e", 5)) drop(1);
  return text;
}

std::string concept_of(const std::string& stem_of_word) {
  static const auto concepts = [] {
    std::unordered_map<std::string, std::string> made;
    for (const std::string_view row : kConcepts) {
      const auto words = split(row, " ");
      for (const std::string_view word : words) made.emplace(stem(word), stem(words.front()));
    }
    return made;
  }();
  const auto found = concepts.find(stem_of_word);
  return found == concepts.end() ? stem_of_word : found->second;
}

std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  std::string part;
  const auto end_part = [&] {
    if (!part.empty()) parts.push_back(to_lower(part));
    part.clear();
  };
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (!is_of_a_word(c)) {
      end_part();
      continue;
    }
    if (is_upper(c) && at > 0 && (is_lower(name[at - 1]) || is_digit(name[at - 1]))) end_part();
    part += c;
  }
  end_part();
  return parts;
}

std::vector<std::string> stems_of(std::string_view text, std::size_t most) {
  std::vector<std::string> stems;
  std::string last;
  for (const std::string& part : parts_of(text)) {
    if (stems.size() >= most) break;
    if (last == "on" && (part == "call" || part == "calls")) {
      stems.back() = stem("oncall");
    } else {
      stems.push_back(stem(part));
    }
    last = part;
  }
  return stems;
}

bool is_filler(std::string_view lower) {
  static const auto fillers = [] {
    std::unordered_set<std::string_view> made;
    for (const std::string_view word : split(kFillers, " ")) made.insert(word);
    return made;
  }();
  return lower.empty() || fillers.contains(lower);
}

bool is_reading_verb(const std::string& stem_of_word) {
  static const auto verbs = stems_in(kReadingVerbs);
  return verbs.contains(stem_of_word);
}

bool is_writing_verb(const std::string& stem_of_word) {
  static const auto verbs = stems_in(kWritingVerbs);
  return verbs.contains(stem_of_word);
}

}  // namespace deputy::model::offline

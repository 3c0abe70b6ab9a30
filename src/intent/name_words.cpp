#include "intent/name_words.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kLongestWord = 60;  // bytes

// What a message is about rather than who writes it.
constexpr std::string_view kKindsOfError[] = {
    "timeout", "timeouts", "connection", "connections",   "database",    "db",    "sql",        "memory",
    "oom",     "network",  "dns",        "tls",           "ssl",         "auth",  "permission", "disk",
    "null",    "pointer",  "gateway",    "proxy",         "http",        "4xx",   "404",        "401",
    "403",     "500",      "502",        "503",           "504",         "429",   "deadlock",   "validation",
    "parse",   "quota",    "throttling", "socket",        "certificate", "redis", "kafka",      "postgres",
    "mysql",   "queue",    "cache",      "authentication"};

constexpr std::string_view kOrdinary =
    "a an the this that these those it its all any some every each no none one both other others another which what "
    "who "
    "whom whose when where why how many much more most less least few several such same own i me my we us our you your "
    "he she they them their there here everything something anything nothing everyone someone anyone anybody somebody "
    "everybody new old recent latest newest last first next previous past current top main biggest largest common "
    "frequent usual critical fatal severe serious major minor high low big small real actual possible known unknown "
    "different similar unusual weird strange odd bad good unexpected unhandled uncaught overall total full whole "
    "entire "
    "general related application applications app apps server servers system systems service services svc microservice "
    "microservices component components api apis site website backend frontend platform cluster clusters environment "
    "environments env envs host hosts machine machines node nodes pod pods container containers worker workers "
    "instance "
    "instances region regions log logs logging file files folder folders code codebase repo repos repository "
    "repositories release releases deploy deploys deployment deployments build builds pipeline pipelines version "
    "versions change changes commit config configuration configurations channel thread conversation message messages "
    "ticket tickets incident incidents alarm alarms alert alerts metric metrics dashboard error errors exception "
    "exceptions failure failures crash crashes warning warnings problem problems issue issues bug bugs trouble outage "
    "outages stacktrace stacktraces trace traces status health state timeout timeouts second seconds minute minutes "
    "min "
    "mins hour hours hr hrs day days week weeks month months year today yesterday tonight tomorrow morning afternoon "
    "evening night noon midnight now just recently currently lately soon ago since until before after during while "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december general detail details summary overview list order group groups type types "
    "kind kinds count counts number numbers rate rates amount level levels time times date range period window part "
    "parts place places way ways case cases thing things stuff reason reasons cause causes impact user users customer "
    "customers person people team teams request requests response responses call calls job jobs task tasks is are was "
    "were be been being am do does did done has have had can could would should will shall might must need needs want "
    "wants get gets got give gives gimme tell show shows see seen view look looks looking find finds search searches "
    "grep tail fetch pull read print dump grab spot inspect review monitor watch check checks count summarize "
    "summarise "
    "explain describe analyze analyse investigate diagnose debug troubleshoot triage compare aggregate rank sort "
    "detect "
    "identify open hunt scan query display report please pls plz thanks thank thx hey hi hello ok okay yes not and or "
    "but nor so if then than as of for in on at to from with without by about into over under between within across "
    "through against per via vs versus out up off down again also too very only still even really already yet asap "
    "quickly quick fast urgent urgently detail grouped sorted together apart else instead maybe perhaps like "
    "containing "
    "regarding concerning mentioning matching called named happen happens happened happening going go went gone come "
    "comes came keep keeps throw throws throwing fail fails failed failing broken wrong slow production staging prod "
    "dev test testing live stage qa uat preprod sandbox canary development deputy bot general everywhere anywhere "
    "somewhere nowhere anyway background foreground general life trouble full history past future meantime meeting "
    "meetings standup retro startup shutdown lines line entries entry output outputs "
    "latency cpu memory disk load traffic throughput performance usage utilization slowness spike spikes drop increase "
    "records record events event data rows activity results result endpoint endpoints";

// Words that English ties with a hyphen begin or end with these: long-running, client-side.
constexpr std::string_view kTiedWords[] = {"non",  "pre",   "post",  "re",    "on",       "long",     "high", "low",
                                           "top",  "end",   "read",  "self",  "well",     "half",     "full", "real",
                                           "side", "level", "wide",  "only",  "running",  "related",  "call", "based",
                                           "off",  "multi", "cross", "short", "severity", "priority", "last", "first"};

// What environments are called in this trade.
constexpr std::string_view kEnvironments[] = {"prod", "production", "staging", "stage",   "dev",    "development",
                                              "test", "testing",    "qa",      "uat",     "canary", "preprod",
                                              "live", "sandbox",    "pre",     "preview", "local"};

// Behind these a name stands with nothing between: "errors checkout", "checkout errors".
constexpr std::string_view kCountedThings[] = {"error",   "errors", "exception", "exceptions", "failure", "failures",
                                               "crashes", "log",    "logs",      "warnings",   "kills"};
constexpr std::string_view kPlaces[] = {"of", "for", "in", "from", "on"};
constexpr std::string_view kServiceWords[] = {"service", "svc", "microservice"};

// Behind a name these begin something else.
constexpr std::string_view kGoesOn[] = {"in",    "on",        "since",  "over",  "for",   "last",   "and",   "or",
                                        "today", "yesterday", "please", "from",  "after", "before", "at",    "during",
                                        "to",    "with",      "within", "right", "now",   "vs",     "until", "between",
                                        "this",  "that",      "than",   "pls",   "is",    "are",    "was",   "has",
                                        "again", "around",    "of",     "as",    "past",  "versus", "when",  "while"};
}  // namespace

bool is_ordinary(std::string_view word) {
  static const auto words = [] {
    std::unordered_set<std::string_view> made;
    for (const std::string_view one : split(kOrdinary, " ")) made.insert(one);
    return made;
  }();
  return words.contains(word);
}

bool is_tied_word(std::string_view word) { return contains(kTiedWords, word); }

bool is_kind_of_error(std::string_view word) { return contains(kKindsOfError, word); }

bool is_counted_thing(std::string_view word) { return contains(kCountedThings, word); }

bool is_place_word(std::string_view word) { return contains(kPlaces, word); }

bool is_service_word(std::string_view word) { return contains(kServiceWords, word); }

bool begins_something_else(std::string_view word) { return contains(kGoesOn, word); }

bool is_usual_environment(std::string_view word) { return contains(kEnvironments, word); }

bool is_slip_of(std::string_view word, std::string_view meant) {
  if (word.size() < 4 || meant.size() < 4 || word.size() > kLongestWord || meant.size() > kLongestWord) return false;
  const std::size_t most = meant.size() >= 7 ? 2 : 1;
  const std::size_t longer = std::max(word.size(), meant.size()) - std::min(word.size(), meant.size());
  return longer <= most && edit_distance(word, meant) <= most;
}

bool has_digit(std::string_view word) { return std::ranges::any_of(word, is_digit); }

bool has_letter(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return is_lower(c) || static_cast<signed char>(c) < 0; });
}

}  // namespace deputy::intent

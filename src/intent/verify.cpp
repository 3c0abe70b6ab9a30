#include "intent/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMaxRead = 40'000;  // characters of a request
constexpr std::size_t kMaxShown = 60;     // characters of what was dropped
constexpr std::size_t kMaxName = 500;     // bytes
constexpr std::size_t kMaxQuestions = 5;
constexpr std::size_t kMaxQuestion = 200;
constexpr auto kOldest = std::chrono::hours(24 * 366 * 10);

bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
}

class Checker {
 public:
  Checker(std::string_view request, const Vocabulary& vocabulary, const std::vector<std::string>& tools)
      : request_(to_lower(cut_characters(request, kMaxRead))), vocabulary_(vocabulary), tools_(tools) {}

  Checked check(Intent found) {
    Parameters& parameters = found.parameters;
    check_environment(parameters);
    check_services(parameters.services);
    keep_named("ticket", parameters.ticket_ids);
    keep_named("pull request", parameters.pr_ids);
    keep_named("incident", parameters.incident_ids);
    keep_named("address", parameters.urls);
    check_time(parameters.time_range);
    parameters.time_range.problem.clear();
    keep_offered(found.suggested_tools);
    keep_offered(found.fallback_options);
    std::vector<std::string>& questions = found.clarifications_needed;
    if (questions.size() > kMaxQuestions) questions.resize(kMaxQuestions);
    for (std::string& question : questions) question = cut_with_mark(question, kMaxQuestion);
    return {std::move(found), std::move(dropped_)};
  }

 private:
  void drop(std::string_view what, std::string_view value, std::string_view why) {
    dropped_.push_back(fmt::format("{} `{}`: {}", what, cut_with_mark(value, kMaxShown), why));
  }

  /// Whether the request contains the value as a whole word, not as part of another.
  bool is_named(std::string_view value) const {
    const std::string word = to_lower(trim(value));
    if (word.empty() || word.size() > kMaxName) return false;
    for (std::size_t at = request_.find(word); at != std::string::npos; at = request_.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool begins = at == 0 || !is_word_character(request_[at - 1]) || !is_word_character(word.front());
      const bool ends = end == request_.size() || !is_word_character(request_[end]) || !is_word_character(word.back());
      if (begins && ends) return true;
    }
    return false;
  }

  std::vector<std::string> environments_in(std::string_view text) const {
    const Tokens tokens(text);
    Claims claims(tokens.size(), false);
    return find_environments(tokens, vocabulary_, claims);
  }

  // An environment that the request does not name, or one of several that it names, is a guess: we ask instead.
  void check_environment(Parameters& parameters) {
    if (!parameters.environment) return;
    const std::vector<std::string> named = environments_in(request_);
    const std::vector<std::string> known = environments_in(*parameters.environment);
    if (known.empty() ? named.empty() && is_named(*parameters.environment) : named == known) {
      if (!known.empty()) parameters.environment = known.front();
      return;
    }
    drop("environment", *parameters.environment,
         named.size() > 1 ? "the request names several" : "the request does not name it");
    parameters.environment.reset();
  }

  void check_services(std::vector<std::string>& services) {
    std::vector<std::string> kept;
    for (std::string& service : services) {
      const Tokens tokens(service);
      Claims claims(tokens.size(), false);
      const std::vector<std::string> known = find_services(tokens, vocabulary_, claims);
      if (!known.empty()) service = known.front();
      if (known.empty() && !is_named(service)) {
        drop("service", service, "it is not configured and the request does not name it");
      } else if (!contains(kept, service)) {
        kept.push_back(std::move(service));
      }
    }
    services = std::move(kept);
  }

  void keep_named(std::string_view what, std::vector<std::string>& values) {
    std::erase_if(values, [&](const std::string& value) {
      const bool named = is_named(value);
      if (!named) drop(what, value, "the request does not name it");
      return !named;
    });
  }

  void check_time(TimeRange& range) {
    const Timestamp now = vocabulary_.now;
    if (!range.from && !range.hours_back) {
      if (range.to) drop("time", format_timestamp(*range.to), "it has no start");
      range.to.reset();
      return;
    }
    const auto oldest_hours = std::chrono::duration_cast<std::chrono::hours>(kOldest).count();
    if (!range.from && *range.hours_back <= oldest_hours) range.from = now - std::chrono::hours(*range.hours_back);
    const bool sane = range.from && *range.from < now && *range.from >= now - kOldest;
    if (!sane) {
      drop("time", range.from ? format_timestamp(*range.from) : fmt::format("{} hours", *range.hours_back),
           "it is not within the past ten years");
      range = {};
      return;
    }
    range.to = std::min(range.to.value_or(now), now);
    range.hours_back = static_cast<int>(std::chrono::ceil<std::chrono::hours>(now - *range.from).count());
  }

  void keep_offered(std::vector<std::string>& names) {
    std::erase_if(names, [&](const std::string& name) {
      const bool offered = contains(tools_, name);
      if (!offered) drop("tool", name, "it is not offered");
      return !offered;
    });
  }

  const std::string request_;  // lower case
  const Vocabulary& vocabulary_;
  const std::vector<std::string>& tools_;
  std::vector<std::string> dropped_;
};

}  // namespace

Checked check_found(Intent found, std::string_view request, const Vocabulary& vocabulary,
                    const std::vector<std::string>& tools) {
  return Checker(request, vocabulary, tools).check(std::move(found));
}

}  // namespace deputy::intent

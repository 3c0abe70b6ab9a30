#include "intent/checked.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMostRead = 40'000;  // characters of a request
constexpr std::size_t kMostShown = 60;     // characters of what was dropped
constexpr std::size_t kLongestName = 500;  // bytes
constexpr std::size_t kMostQuestions = 5;
constexpr std::size_t kLongestQuestion = 200;
constexpr auto kOldest = std::chrono::hours(24 * 366 * 10);

bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || byte >= 0x80;
}

class Checker {
 public:
  Checker(std::string_view request, const Vocabulary& vocabulary, const std::vector<OfferedTool>& tools)
      : request_(to_lower(cut_characters(request, kMostRead))), vocabulary_(vocabulary), tools_(tools) {}

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
    check_against_schemas(found);
    bound_questions(found.clarifications_needed);
    return {std::move(found), std::move(dropped_)};
  }

 private:
  void drop(std::string_view what, std::string_view value, std::string_view why) {
    dropped_.push_back(fmt::format("{} `{}`: {}", what, cut_with_mark(value, kMostShown), why));
  }

  /// As a word of its own, not as a part of another.
  bool is_named(std::string_view value) const {
    const std::string word = to_lower(trim(value));
    if (word.empty() || word.size() > kLongestName) return false;
    for (std::size_t at = request_.find(word); at != std::string::npos; at = request_.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool begins = at == 0 || !is_word_character(request_[at - 1]) || !is_word_character(word.front());
      const bool ends = end == request_.size() || !is_word_character(request_[end]) || !is_word_character(word.back());
      if (begins && ends) return true;
    }
    return false;
  }

  bool is_named_by_any(const std::string& name, const std::vector<std::string>& others) const {
    return is_named(name) || std::ranges::any_of(others, [&](const std::string& other) { return is_named(other); });
  }

  // An environment that nobody named is a guess, and one of two is as well: both are asked about instead.
  void check_environment(Parameters& parameters) {
    if (!parameters.environment) return;
    const std::string given = to_lower(trim(*parameters.environment));
    std::optional<std::string> known;
    std::vector<std::string> named;
    for (const auto& [name, others] : vocabulary_.environments) {
      const auto is_given = [&](const std::string& word) { return to_lower(word) == given; };
      if (is_given(name) || std::ranges::any_of(others, is_given)) known = name;
      if (is_named_by_any(name, others)) named.push_back(name);
    }
    const bool holds = known ? named == std::vector{*known} : named.empty() && is_named(given);
    if (holds) {
      if (known) parameters.environment = *known;
      return;
    }
    drop("environment", *parameters.environment,
         named.size() > 1 ? "the request names several" : "the request does not name it");
    parameters.environment.reset();
  }

  void check_services(std::vector<std::string>& services) {
    std::vector<std::string> kept;
    for (std::string& service : services) {
      const std::string given = to_lower(trim(service));
      const auto is_given = [&](const std::string& word) { return to_lower(word) == given; };
      const auto known = std::ranges::find_if(vocabulary_.services, [&](const KnownService& one) {
        return is_given(one.key) || is_given(one.full_name) || std::ranges::any_of(one.aliases, is_given);
      });
      if (known != vocabulary_.services.end()) service = known->key;
      if (known == vocabulary_.services.end() && !is_named(service)) {
        drop("service", service, "nobody knows it and the request does not name it");
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
      if (range.to) drop("time", format_timestamp(*range.to), "it has no beginning");
      range.to.reset();
      return;
    }
    const auto oldest_hours = std::chrono::duration_cast<std::chrono::hours>(kOldest).count();
    if (!range.from && *range.hours_back <= oldest_hours) range.from = now - std::chrono::hours(*range.hours_back);
    const bool sane = range.from && *range.from < now && *range.from >= now - kOldest;
    if (!sane) {
      drop("time", range.from ? format_timestamp(*range.from) : fmt::format("{} hours", *range.hours_back),
           "it does not lie in the past ten years");
      range = {};
      return;
    }
    range.to = std::min(range.to.value_or(now), now);
    range.hours_back = static_cast<int>(std::chrono::ceil<std::chrono::hours>(now - *range.from).count());
  }

  void keep_offered(std::vector<std::string>& names) {
    std::erase_if(names, [&](const std::string& name) {
      const bool offered = contains(tools_, name, &OfferedTool::name);
      if (!offered) drop("tool", name, "it is not offered");
      return !offered;
    });
  }

  void check_against_schemas(Intent& found) {
    for (const std::string& name : found.suggested_tools) {
      const auto tool = std::ranges::find(tools_, name, &OfferedTool::name);
      Parameters& parameters = found.parameters;
      if (parameters.environment && breaks(*tool, {"environment"}, json::value(*parameters.environment)))
        parameters.environment.reset();
      std::erase_if(parameters.services, [&](const std::string& service) {
        return breaks(*tool, {"service", "services"}, json::value(service));
      });
      std::optional<int>& hours = parameters.time_range.hours_back;
      if (hours && breaks(*tool, {"hours_back"}, json::value(*hours))) hours.reset();
      std::optional<int>& count = parameters.message_count;
      if (count && breaks(*tool, {"message_count"}, json::value(*count))) count.reset();
    }
  }

  /// Whether the tool takes such a parameter and not this value; it is then said.
  bool breaks(const OfferedTool& tool, std::initializer_list<std::string_view> parameters, const json::value& value) {
    const json::object* properties = find_object(tool.params, "properties");
    if (properties == nullptr) return false;
    for (const std::string_view parameter : parameters) {
      const json::object* schema = find_object(*properties, parameter);
      if (schema != nullptr && schema->contains("items")) schema = find_object(*schema, "items");
      if (schema == nullptr || allows(*schema, value)) continue;
      drop(parameter, as_text(value), fmt::format("`{}` does not take it", tool.name));
      return true;
    }
    return false;
  }

  static bool allows(const json::object& schema, const json::value& value) {
    if (const json::value* choices = schema.if_contains("enum"); choices != nullptr && choices->is_array()) {
      if (!contains(choices->get_array(), value)) return false;
    }
    if (!value.is_number()) return true;
    const auto bound = [&](std::string_view key, double otherwise) {
      const json::value* limit = schema.if_contains(key);
      return limit != nullptr && limit->is_number() ? limit->to_number<double>() : otherwise;
    };
    const double number = value.to_number<double>();
    return number >= bound("minimum", number) && number <= bound("maximum", number);
  }

  static void bound_questions(std::vector<std::string>& questions) {
    if (questions.size() > kMostQuestions) questions.resize(kMostQuestions);
    for (std::string& question : questions) question = cut_with_mark(question, kLongestQuestion);
  }

  const std::string request_;  // in small letters
  const Vocabulary& vocabulary_;
  const std::vector<OfferedTool>& tools_;
  std::vector<std::string> dropped_;
};

}  // namespace

Checked check_found(Intent found, std::string_view request, const Vocabulary& vocabulary,
                    const std::vector<OfferedTool>& tools) {
  return Checker(request, vocabulary, tools).check(std::move(found));
}

}  // namespace deputy::intent

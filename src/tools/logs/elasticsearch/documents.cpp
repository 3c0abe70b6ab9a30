#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "tools/logs/elasticsearch/elasticsearch.h"
#include "tools/logs/paged_backend.h"

namespace deputy::tools::elasticsearch {

namespace {

json::object terms(std::string_view field, const std::set<std::string>& values) {
  return {{"terms", {{field, json::array(values.begin(), values.end())}}}};
}

json::object in_environment(const ElasticsearchSettings& settings, const LogQuery& query) {
  return terms(settings.environment_field, logs::spellings(query.environment_names));
}

json::object in_time(const ElasticsearchSettings& settings, Timestamp from, Timestamp to) {
  return {{"range",
           {{settings.time_field, {{"gte", to_millis(from)}, {"lte", to_millis(to)}, {"format", "epoch_millis"}}}}}};
}

/// It says its level, and that is grave enough.
json::object says_level(const ElasticsearchSettings& settings, LogLevel least) {
  const std::vector<std::string_view> names = words_of_level(least);
  std::set<std::string> words = logs::spellings({names.begin(), names.end()});
  for (int number = 10; number <= 60; number += 10) {
    if (level_of_field(std::to_string(number)) >= least) words.insert(std::to_string(number));
  }
  return terms(settings.level_field, words);
}

/// It says no level, and its text may be an error.
json::object may_be_error(const ElasticsearchSettings& settings) {
  std::string words;
  for (const std::string_view word : words_of_level(LogLevel::error)) words += std::string(word) + " ";
  const auto part = [&](const char* pattern) {
    return json::object{{"wildcard", {{settings.message_field, {{"value", pattern}}}}}};
  };
  json::array may{{{"match", {{settings.message_field, {{"query", words + "traceback segfault"}}}}}}};
  may.push_back(part("*error*"));
  may.push_back(part("*exception*"));
  may.push_back({{"exists", {{"field", kErrorMessageField}}}});
  return {{"bool",
           {{"must_not", {{{"exists", {{"field", settings.level_field}}}}}},
            {"should", std::move(may)},
            {"minimum_should_match", 1}}}};
}

}  // namespace

json::object search_query(const ElasticsearchSettings& settings, const LogQuery& query,
                          const std::vector<std::string>& services, Timestamp until) {
  json::array filter{in_time(settings, query.span.from, until), in_environment(settings, query)};
  if (!services.empty()) filter.push_back(terms(settings.service_field, {services.begin(), services.end()}));
  for (const std::string& word : query.text.words) {
    filter.push_back({{"multi_match",
                       {{"query", word},
                        {"type", "phrase"},
                        {"fields", {settings.message_field, kErrorMessageField}},
                        {"lenient", true}}}});
  }
  if (query.least != LogLevel::none) {
    json::array should{says_level(settings, query.least)};
    if (query.least >= LogLevel::error) should.push_back(may_be_error(settings));
    filter.push_back({{"bool", {{"should", std::move(should)}, {"minimum_should_match", 1}}}});
  }
  return {{"bool", {{"filter", std::move(filter)}}}};
}

json::object counts_of(const ElasticsearchSettings& settings, const LogQuery& query, const LogCourse& course) {
  // Steps begin where the time range does, not at round times.
  const auto step = course.step.count();
  json::object counts{{"course",
                       {{"date_histogram",
                         {{"field", settings.time_field},
                          {"fixed_interval", fmt::format("{}ms", step)},
                          {"offset", fmt::format("+{}ms", ((to_millis(query.span.from) % step) + step) % step)},
                          {"min_doc_count", 1}}}}}};
  if (query.least != LogLevel::none) counts["leveled"] = {{"filter", says_level(settings, query.least)}};
  return counts;
}

json::object services_query(const ElasticsearchSettings& settings, const TimeSpan& span, const LogQuery* query) {
  json::array filter{in_time(settings, span.from, span.to)};
  if (query != nullptr) filter.push_back(in_environment(settings, *query));
  return {{"size", 0},
          {"query", {{"bool", {{"filter", std::move(filter)}}}}},
          {"aggs",
           {{"services", {{"terms", {{"field", settings.service_field}, {"size", kMaxServices}}}}},
            {"environments", {{"terms", {{"field", settings.environment_field}, {"size", kMaxEnvironments}}}}}}}};
}

std::string text_of(const ElasticsearchSettings& settings, const json::object& document) {
  std::string text = field_text(document, settings.message_field);
  const std::string broke = field_text(document, kErrorMessageField);
  if (!broke.empty() && !text.contains(broke)) text += (text.empty() ? "" : ": ") + broke;
  return text.empty() ? json::serialize(document) : text;
}

std::string field_text(const json::object& document, std::string_view field) {
  const json::value* whole = document.if_contains(field);
  if (whole != nullptr && !whole->is_null() && !whole->is_object()) {
    const bool is_list = whole->is_array() && !whole->get_array().empty();
    return is_list ? as_text(whole->get_array().front()) : as_text(*whole);
  }
  for (std::size_t dot = field.find('.'); dot != std::string_view::npos; dot = field.find('.', dot + 1)) {
    const json::object* inside = find_object(document, field.substr(0, dot));
    if (inside == nullptr) continue;
    if (std::string text = field_text(*inside, field.substr(dot + 1)); !text.empty()) return text;
  }
  return {};
}

}  // namespace deputy::tools::elasticsearch

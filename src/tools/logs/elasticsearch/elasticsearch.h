// Logs in Elasticsearch or OpenSearch, whose search APIs are alike in all that is used here. What is too much to read
// is counted by aggregations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "net/http.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"

namespace deputy::tools::elasticsearch {

/// Null without an address. Client and clock outlive it.
std::shared_ptr<LogBackend> make(const ElasticsearchSettings& settings, net::HttpClient& http, const Clock& clock);

inline constexpr std::string_view kErrorMessageField = "error.message";  // of the Elastic Common Schema
inline constexpr int kMaxEnvironments = 50;

// The bodies of requests, and reading a document; pure.

/// The entries of these services, by the values of their field, that are not newer than `until`; of all where there are
/// none. An entry without a level is let through if it may be an error. A regular expression is not in it.
json::object search_query(const ElasticsearchSettings& settings, const LogQuery& query,
                          const std::vector<std::string>& services, Timestamp until);

/// How many there are in each step of the course, and how many of them say their level themselves.
json::object counts_of(const ElasticsearchSettings& settings, const LogQuery& query, const LogCourse& course);

/// The services of a time range, in the environment of the query or, without one, in all.
json::object services_query(const ElasticsearchSettings& settings, const TimeSpan& span, const LogQuery* query);

/// What an entry is shown and read as: its message, and what broke.
std::string text_of(const ElasticsearchSettings& settings, const json::object& document);

/// The text under a field: "log.level" is {"log": {"level": …}}, {"log.level": …} or anything between.
std::string field_text(const json::object& document, std::string_view field);

}  // namespace deputy::tools::elasticsearch

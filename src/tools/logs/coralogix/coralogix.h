// Logs in Coralogix, by DataPrime queries. What is too much to read is counted by an aggregation.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "net/http.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/settings.h"

namespace deputy::tools::coralogix {

/// Null without an API key, or without region and address. Client and clock outlive it.
std::shared_ptr<LogBackend> make(const CoralogixSettings& settings, net::HttpClient& http, const Clock& clock);

// Queries and answers, pure.

/// A string of DataPrime with its quotes.
std::string dataprime_string(std::string_view text);

/// Which entries: those of these services, by the values of their key; of all where there are none. A regular
/// expression is not in it.
std::string log_query(const CoralogixSettings& settings, const LogQuery& query,
                      const std::vector<std::string>& services);

/// The services of the environment of the query or, without one, of all.
std::string services_query(const CoralogixSettings& settings, const LogQuery* query);

struct Entry {
  json::object metadata;
  json::object labels;
  json::value data;  // decoded; text where it is no JSON

  /// The text under a key such as `$l.subsystemname`; empty where there is none.
  std::string at(std::string_view key) const;
  std::optional<Timestamp> time() const;
  LogLevel level() const;
  /// As it is shown and read.
  std::string text() const;
};

/// What one answer says: lines of JSON, of which some may say that the query failed or warn.
struct Answer {
  std::vector<Entry> entries;
  std::vector<std::string> warnings;
  std::string error;        // why the query failed; empty: it did not
  bool recognized = false;  // some line is as Coralogix writes it
};

/// Takes any bytes. Fails where a line is no JSON.
Result<Answer> read_answer(std::string_view body);

}  // namespace deputy::tools::coralogix

// Alarms and metrics in JSON files of this machine, in the shapes that Prometheus answers. The files are read at each
// call.
//
// A query for metrics is not PromQL: it is words of names and labels, such as `cpu checkout prod`, and conditions in
// braces, such as `cpu{environment="prod"}`. A series is found if it has all words and meets all conditions.
#pragma once

#include <filesystem>
#include <memory>
#include <set>

#include "base/workers.h"
#include "tools/alarms/alarm_backend.h"

namespace deputy::tools {

/// Workers outlive them.
std::shared_ptr<AlarmBackend> make_file_alarms(std::filesystem::path file, Workers& workers);
std::shared_ptr<MetricsBackend> make_file_metrics(std::filesystem::path file, Workers& workers);

/// Which series a query means.
struct SeriesQuery {
  std::set<std::string> words;                // in lower case, without signs: "shop-front" is two
  std::map<std::string, std::string> labels;  // that must have exactly this value

  bool operator==(const SeriesQuery&) const = default;
};

/// Errors are of kind invalid_input: what only PromQL has, such as rate() and `=~`. Pure.
Result<SeriesQuery> parse_series_query(std::string_view text);

/// The words of a query that none of the series has: what it means is then not there. Pure.
std::set<std::string> unknown_words(const SeriesQuery& query,
                                    const std::vector<std::map<std::string, std::string>>& series);
bool matches_series(const SeriesQuery& query, const std::map<std::string, std::string>& series);

}  // namespace deputy::tools

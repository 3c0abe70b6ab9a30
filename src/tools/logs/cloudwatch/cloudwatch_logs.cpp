#include "tools/logs/cloudwatch/cloudwatch_logs.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "base/json_pointer.h"
#include "base/text.h"
#include "base/workers.h"
#include "tools/logs/fetched.h"

namespace deputy::tools::cloudwatch {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kService = "{service}";
constexpr std::string_view kEnvironment = "{environment}";
constexpr std::size_t kMaxRows = 5000;
constexpr std::size_t kReadOnLoop = 50;  // rows
constexpr std::size_t kMaxReply = 32UL * 1024 * 1024;
constexpr std::size_t kMaxGroups = 50;  // of one query
constexpr std::size_t kMaxGroupsNamed = 10;
constexpr int kGroupPage = 50;  // AWS lists no more at once
constexpr int kMaxGroupPages = 40;
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{1000};
constexpr milliseconds kToStop{2000};  // what is kept of the time to stop a query that did not end

std::string with_environment(std::string_view group, std::string_view name) {
  std::string filled(group);
  if (const std::size_t at = filled.find(kEnvironment); at != std::string::npos)
    filled.replace(at, kEnvironment.size(), name);
  return filled;
}

/// Between slashes, as Insights writes a regular expression.
std::string between_slashes(std::string_view regex) {
  std::string text = "/";
  for (std::size_t at = 0; at < regex.size(); ++at) {
    const char c = regex[at];
    if (c == '\\' && at + 1 < regex.size()) {
      text += c;
      text += regex[++at];
    } else if (c == '/') {
      text += "\\/";
    } else if (static_cast<unsigned char>(c) < ' ') {
      text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text + "/";
}

std::string literally(std::string_view text) { return RE2::QuoteMeta({text.data(), text.size()}); }

milliseconds left_until(steady_clock::time_point deadline) {
  return std::max(std::chrono::floor<milliseconds>(deadline - steady_clock::now()), milliseconds(1));
}

std::string megabytes(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

double number_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  return found != nullptr && found->is_number() ? found->to_number<double>() : 0;
}

std::int64_t whole_number_in(const json::value& document, std::string_view pointer) {
  return static_cast<std::int64_t>(std::clamp(number_in(document, pointer), 0.0, 9e15));
}

/// "2026-11-18 10:00:00.000", in UTC.
std::optional<Timestamp> time_of_row(std::string text) {
  if (text.size() < 19) return std::nullopt;
  text[10] = 'T';
  const Result<Timestamp> at = parse_timestamp(text + "Z");
  return at ? std::optional(*at) : std::nullopt;
}

struct FoundGroups {
  std::vector<LogGroup> groups;
  bool has_more = false;  // than are listed
};

struct ListedGroups {
  std::vector<std::string> names;
  bool has_more = false;
};

/// One entry of an answer: its fields come in any order.
logs::FetchedEntry entry_of(const json::value& row, const std::vector<LogGroup>& groups) {
  logs::FetchedEntry entry;
  for (const json::value& field : row.is_array() ? row.get_array() : json::array()) {
    const std::string name = text_in(field, "/field");
    if (name == "@timestamp") entry.at = time_of_row(text_in(field, "/value"));
    if (name == "@message") entry.text = text_in(field, "/value");
    if (name == "@log") {  // "123456789012:/ecs/prod/checkout"
      const std::string log = text_in(field, "/value");
      const std::string group = log.substr(log.find(':') + 1);
      const auto found = std::ranges::find(groups, group, &LogGroup::name);
      entry.service = found == groups.end() ? group : found->service;
    }
  }
  return entry;
}

class CloudWatchLogs final : public LogBackend {
 public:
  CloudWatchLogs(CloudWatchLogsSettings settings, EnvironmentNames environments, clients::aws::Account& account)
      : settings_(std::move(settings)),
        environments_(std::move(environments)),
        api_(account.json_api(clients::aws::kCloudWatchLogs)) {}

  std::string_view name() const override { return "cloudwatch"; }
  bool charges_by_scan() const override { return true; }
  json::object target() const override {
    json::object target = api_->target();
    json::array groups;
    for (const LogGroupSettings& one : settings_.groups) groups.emplace_back(one.group);
    target["groups"] = std::move(groups);
    return target;
  }

  Task<Result<LogFindings>> search(LogQuery query, milliseconds limit) override {
    const auto deadline = steady_clock::now() + limit;
    CO_TRY(FoundGroups found, co_await groups_of(query.environment, deadline));
    std::vector<LogGroup>& groups = found.groups;
    if (!query.service_names.empty()) {
      const std::vector<std::string> services = services_in(groups);
      const std::vector<std::string> wanted = wanted_services(query, services);
      if (wanted.empty()) CO_TRY(co_await check_service(query, deadline));
      std::erase_if(groups, [&](const LogGroup& group) { return !contains(wanted, group.service); });
    }
    if (groups.empty()) {
      LogFindings nothing;
      name_sources({}, nothing.coverage);
      nothing.coverage.none_belongs = true;
      note_more(found, nothing);
      co_return nothing;
    }
    const std::size_t all = groups.size();
    groups.resize(std::min(all, kMaxGroups));
    CO_TRY(LogFindings findings, co_await search_groups(query, groups, deadline));
    if (all > kMaxGroups)
      findings.notes.push_back(fmt::format("only {} of {} log groups were searched; name a service", kMaxGroups, all));
    note_more(found, findings);
    co_return findings;
  }

  Task<Result<std::vector<std::string>>> services(milliseconds limit) override {
    const auto deadline = steady_clock::now() + limit;
    CO_TRY(const FoundGroups found, co_await groups_of("", deadline));
    co_return services_in(found.groups);
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const FoundGroups found, co_await groups_of("", steady_clock::now() + limit));
    co_return fmt::format("CloudWatch Logs in {}: {}{} of {}", api_->place()->region,
                          found.has_more ? "more than " : "",
                          count_of(static_cast<std::int64_t>(found.groups.size()), "log group"),
                          count_of(static_cast<std::int64_t>(services_in(found.groups).size()), "service"));
  }

 private:
  static std::vector<std::string> services_in(const std::vector<LogGroup>& groups) {
    std::set<std::string> services;
    for (const LogGroup& group : groups) {
      if (services.size() < kMaxServices) services.insert(to_valid_utf8(group.service));
    }
    return {services.begin(), services.end()};
  }

  static void note_more(const FoundGroups& found, LogFindings& findings) {
    if (found.has_more)
      findings.notes.push_back(
          fmt::format("only the first {} log groups of a prefix were listed; name prefixes that fewer groups have in "
                      "tools.log_tools.cloudwatch.groups",
                      kMaxGroupPages * kGroupPage));
  }

  static void name_sources(const std::vector<LogGroup>& groups, LogCoverage& coverage) {
    coverage.source = "group";
    coverage.plural = "groups";
    coverage.lines_are = "entries";
    coverage.source_count = static_cast<std::int64_t>(groups.size());
    for (const LogGroup& group : groups) {
      if (coverage.sources.size() < kMaxGroupsNamed) coverage.sources.push_back(to_valid_utf8(group.name));
    }
  }

  /// Those of an environment, by all its names; of all environments where `environment` is empty.
  Task<Result<FoundGroups>> groups_of(std::string environment, steady_clock::time_point deadline) {
    std::set<LogGroup> found;
    bool has_more = false;
    std::map<std::string, ListedGroups> listed;  // names of log groups by their prefix
    for (const LogGroupSettings& pattern : settings_.groups) {
      for (const auto& [name, others] : environments_) {
        const bool is_here = environment.empty() || environment == name;
        if (!is_here || (!pattern.environment.empty() && pattern.environment != name)) continue;
        std::vector<std::string> names{name};
        if (pattern.environment.empty()) names.insert(names.end(), others.begin(), others.end());
        for (const std::string& one : names) {
          const std::string prefix = group_prefix(pattern, one);
          if (!listed.contains(prefix)) {
            CO_TRY(listed[prefix], co_await list(prefix, deadline));
          }
          has_more = has_more || listed[prefix].has_more;
          for (const std::string& group : listed[prefix].names) {
            if (std::optional<LogGroup> fits = group_of(pattern, one, group)) found.insert(*std::move(fits));
          }
        }
      }
    }
    co_return FoundGroups{{found.begin(), found.end()}, has_more};
  }

  Task<Result<ListedGroups>> list(std::string prefix, steady_clock::time_point deadline) {
    ListedGroups listed;
    json::object body{{"limit", kGroupPage}};
    if (!prefix.empty()) body["logGroupNamePrefix"] = prefix;
    for (int page = 0; page < kMaxGroupPages; ++page) {
      CO_TRY(const json::value answer,
             co_await api_->call({.name = "DescribeLogGroups", .body = body, .limit = left_until(deadline)}));
      if (find_in(answer, "/logGroups") == nullptr)
        co_return std::unexpected(api_->unusable("did not answer with log groups"));
      for (const json::value& group : items_in(answer, "/logGroups"))
        listed.names.push_back(text_in(group, "/logGroupName"));
      std::string next = text_in(answer, "/nextToken");
      listed.has_more = !next.empty();
      if (next.empty()) break;
      body["nextToken"] = std::move(next);
    }
    co_return listed;
  }

  /// An error if no environment has logs of the service, and it is not known otherwise.
  Task<Result<>> check_service(const LogQuery& query, steady_clock::time_point deadline) {
    CO_TRY(const FoundGroups anywhere, co_await groups_of("", deadline));
    const std::vector<std::string> services = services_in(anywhere.groups);
    const bool is_known = query.service_is_known || anywhere.has_more || !wanted_services(query, services).empty();
    if (!is_known) co_return std::unexpected(unknown_service(query, services));
    co_return Result<>{};
  }

  Task<Result<LogFindings>> search_groups(const LogQuery& query, const std::vector<LogGroup>& groups,
                                          steady_clock::time_point deadline) {
    const std::size_t most = std::min(logs::Fetched(query).wanted(), kMaxRows);
    const std::string text = insights_query(query, most);
    json::array names;
    for (const LogGroup& group : groups) names.emplace_back(group.name);
    json::object body{{"logGroupNames", std::move(names)},
                      {"startTime", to_millis(query.span.from) / 1000},
                      {"endTime", (to_millis(query.span.to) + 999) / 1000},
                      {"queryString", text}};
    CO_TRY(const json::value started,
           co_await api_->call(
               {.name = "StartQuery", .body = std::move(body), .only_reads = false, .limit = left_until(deadline)}));
    const std::string id = text_in(started, "/queryId");
    if (id.empty()) co_return std::unexpected(api_->unusable("did not start the query"));
    CO_TRY(json::value answer, co_await wait_or_stop(id, deadline));
    const std::size_t bytes = items_in(answer, "/results").size() > kReadOnLoop ? kMaxOnLoop + 1 : 0;
    auto read = [query, groups, most, answer = std::move(answer)]() -> Result<LogFindings> {
      return findings_in(answer, query, groups, most);
    };
    CO_TRY(LogFindings findings, co_await off_loop_if_large<LogFindings>(bytes, std::move(read)));
    findings.coverage.asked = text;
    co_return findings;
  }

  static LogFindings findings_in(const json::value& answer, const LogQuery& query, const std::vector<LogGroup>& groups,
                                 std::size_t most) {
    logs::Fetched fetched(query);
    const json::array& rows = items_in(answer, "/results");
    for (const json::value& row : rows) fetched.add(entry_of(row, groups));
    const std::int64_t matched = whole_number_in(answer, "/statistics/recordsMatched");
    logs::Unfetched rest{.more = rows.size() >= most && matched > static_cast<std::int64_t>(rows.size())};
    // Of what may be an error AWS cannot tell what is one.
    if (query.least == LogLevel::none) rest.total = matched;
    LogFindings findings = fetched.findings(rest);
    name_sources(groups, findings.coverage);
    findings.coverage.lines = whole_number_in(answer, "/statistics/recordsScanned");
    findings.coverage.bytes = whole_number_in(answer, "/statistics/bytesScanned");
    return findings;
  }

  /// Whatever ends the wait but the query itself, the query is stopped: it costs money for as long as it runs.
  Task<Result<json::value>> wait_or_stop(std::string id, steady_clock::time_point deadline) {
    Result<json::value> answer = fail(ErrorKind::internal, "");
    std::exception_ptr thrown;
    try {
      answer = co_await wait(id, deadline - kToStop);
    } catch (...) {
      thrown = std::current_exception();
    }
    if (answer) co_return answer;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    (void)co_await api_->call({.name = "StopQuery", .body = {{"queryId", id}}, .only_reads = false, .limit = kToStop});
    if (thrown) std::rethrow_exception(thrown);
    co_return answer;
  }

  Task<Result<json::value>> wait(std::string id, steady_clock::time_point deadline) {
    milliseconds pause = kFirstPause;
    double scanned = 0;
    for (;;) {
      co_await sleep_for(pause);
      pause = std::min(pause * 3 / 2, kLongestPause);
      CO_TRY(json::value answer, co_await api_->call({.name = "GetQueryResults",
                                                      .body = {{"queryId", id}},
                                                      .limit = left_until(deadline) + kLongestPause,
                                                      .most = kMaxReply}));
      const std::string status = text_in(answer, "/status");
      if (status == "Complete") co_return answer;
      if (status == "Timeout")
        co_return fail(ErrorKind::timeout, "CloudWatch Logs gave the query up", "ask for a shorter time range");
      const bool works = status == "Scheduled" || status == "Running" || status == "Unknown";
      if (!works)
        co_return fail(ErrorKind::upstream,
                       fmt::format("CloudWatch Logs ended the query as {}", cut_with_mark(status, 40)),
                       "try again, or search for something simpler");
      scanned = std::max(scanned, number_in(answer, "/statistics/bytesScanned"));
      if (steady_clock::now() >= deadline)
        co_return fail(ErrorKind::timeout,
                       fmt::format("CloudWatch Logs was still searching, and was stopped after {}", megabytes(scanned)),
                       "ask for a shorter time range or one service, or call it with background: true");
    }
  }

  CloudWatchLogsSettings settings_;
  EnvironmentNames environments_;
  std::shared_ptr<clients::aws::JsonApi> api_;
};

}  // namespace

std::string group_prefix(const LogGroupSettings& pattern, std::string_view environment_name) {
  const std::string filled = with_environment(pattern.group, environment_name);
  return filled.substr(0, filled.find(kService));
}

std::optional<LogGroup> group_of(const LogGroupSettings& pattern, std::string_view environment_name,
                                 std::string_view name) {
  const std::string filled = with_environment(pattern.group, environment_name);
  const std::size_t at = filled.find(kService);
  if (at == std::string::npos) return name == filled ? std::optional(LogGroup{filled, pattern.service}) : std::nullopt;
  const std::string_view before = std::string_view(filled).substr(0, at);
  const std::string_view after = std::string_view(filled).substr(at + kService.size());
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
    return std::nullopt;
  const std::string_view service = name.substr(before.size(), name.size() - before.size() - after.size());
  if (service.contains('/')) return std::nullopt;
  return LogGroup{std::string(name), std::string(service)};
}

std::string insights_query(const LogQuery& query, std::size_t most) {
  std::string text = "fields @timestamp, @message, @log";
  const auto filter = [&](std::string_view regex) {
    text += fmt::format(" | filter @message like {}", between_slashes(regex));
  };
  if (query.least >= LogLevel::error) filter(kMayBeError);
  for (const std::string& word : query.text.words) filter("(?i)" + literally(word));
  if (!query.text.regex.empty()) filter(query.text.regex);
  return text + fmt::format(" | sort @timestamp desc | limit {}", most);
}

std::shared_ptr<LogBackend> make_logs(const CloudWatchLogsSettings& settings, const EnvironmentNames& environments,
                                      clients::aws::Account* account) {
  if (settings.groups.empty() || account == nullptr) return nullptr;
  return std::make_shared<CloudWatchLogs>(settings, environments, *account);
}

}  // namespace deputy::tools::cloudwatch

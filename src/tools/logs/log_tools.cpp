#include "tools/logs/log_tools.h"

#include <algorithm>
#include <thread>

#include "tools/logs/cloudwatch/cloudwatch_logs.h"
#include "tools/logs/coralogix/coralogix.h"
#include "tools/logs/elasticsearch/elasticsearch.h"
#include "tools/logs/files/files_backend.h"
#include "tools/logs/loki/loki.h"
#include "tools/logs/scope.h"

namespace deputy::tools {

std::vector<std::shared_ptr<const toolkit::Tool>> log_tools(LogToolParts parts) {
  const auto shared = std::make_shared<const LogToolParts>(std::move(parts));
  return {search_logs(shared), get_recent_errors(shared), get_service_logs(shared)};
}

LogBackends choose_among(const LogToolsSettings& settings, std::vector<std::shared_ptr<LogBackend>> set_up) {
  std::erase(set_up, nullptr);
  return LogBackends({.family = "logs",
                      .category = "log_tools",
                      .usual = settings.backend,
                      .missing = "tools.log_tools.files.root (a folder of logs), tools.log_tools.loki.url (LOKI_URL), "
                                 "tools.log_tools.elasticsearch.url (ELASTICSEARCH_URL), "
                                 "tools.log_tools.coralogix.region and .api_key (CORALOGIX_API_KEY), or "
                                 "tools.log_tools.cloudwatch.groups"},
                     std::move(set_up));
}

LogBackends make_log_backends(const LogToolsSettings& settings, const LogBackendParts& parts) {
  return choose_among(settings, {make_files_backend(settings, parts.environments, parts.workers),
                                 loki::make(settings.loki, parts.http, parts.clock),
                                 elasticsearch::make(settings.elasticsearch, parts.http, parts.clock),
                                 coralogix::make(settings.coralogix, parts.http, parts.clock),
                                 cloudwatch::make_logs(settings.cloudwatch, parts.environments, parts.aws)});
}

std::shared_ptr<LogBackend> make_files_backend(const LogToolsSettings& settings,
                                               const std::map<std::string, std::vector<std::string>>& environments,
                                               Workers& workers) {
  if (settings.files.root.empty()) return nullptr;
  files::FilesOptions options{.root = settings.files.root,
                              .paths = {},
                              .environments = environments,
                              .utc_offset = std::chrono::minutes(settings.files.utc_offset_minutes),
                              .threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 4u))};
  for (const LogPathSettings& path : settings.files.paths) {
    // Settings were checked when they were loaded; skip a pattern that does not compile all the same.
    if (auto pattern = files::PathPattern::compile(path.path)) {
      options.paths.push_back({*std::move(pattern), path.environment, path.service});
    }
  }
  return std::make_shared<files::FilesBackend>(std::move(options), workers);
}

// get_recent_errors = [ search ]

namespace {

constexpr std::size_t kErrorsShown = 10;

struct GetRecentErrorsParams : PlaceParams {
  template <class Fields>
  static void fields(Fields& f) {
    using P = GetRecentErrorsParams;
    f.optional(&P::service, "service", "Service name or alias; all services by default")
        .characters(0, 200)
        .kind(toolkit::Kind::service);
    f.optional(&P::environment, "environment", "Environment, such as prod or staging")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_recent_errors(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec =
      log_tool_spec(*parts, "get_recent_errors", 1,
                    "Returns the errors in the logs, grouped by message with counts, first and last time, most "
                    "frequent first. Start here when someone asks about errors or failures. Without service it covers "
                    "all services; the default is the last 4 hours.");
  spec.topics = {.words = {"errors", "exception", "failure", "fail", "crash", "broken", "stacktrace", "timeout",
                           "wrong", "down", "healthy", "health", "ok", "status"},
                 .examples = {"errors in {service} {environment}", "what is failing in {environment}?",
                              "any exceptions in {service} {environment} since yesterday?"},
                 .working = "Counting errors of {service}"};
  spec.primary_param = "service";
  return toolkit::make_tool<GetRecentErrorsParams>(std::move(spec), [parts](const GetRecentErrorsParams& params) {
    const LogQuery wanted{.least = LogLevel::error, .newest = kErrorsShown};
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search",
                   .repeatable = true,
                   .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                     return read_logs(parts, wanted, place, Telling::groups_first, context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// get_service_logs = [ search ]

namespace {

struct GetServiceLogsParams : PlaceParams {
  int limit = 50;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetServiceLogsParams;
    f.required(&P::service, "service", "Service name or alias").characters(1, 200).kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "Environment, such as prod or staging")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    f.optional(&P::limit, "limit", "Maximum number of entries to return").in_range(1, 500).kind(toolkit::Kind::count);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> get_service_logs(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec =
      log_tool_spec(*parts, "get_service_logs", 1,
                    "Returns the newest log entries of one service in one environment, unchanged and oldest first. Use "
                    "it to read what happened around a time; use search_logs to look for something.");
  spec.topics = {.words = {"logs", "line", "entry", "tail"},
                 .examples = {"logs of {service} in {environment}", "last 20 log lines of {service} in {environment}"},
                 .working = "Reading logs of {service}"};
  spec.primary_param = "service";
  auto tool = toolkit::make_tool<GetServiceLogsParams>(std::move(spec), [parts](const GetServiceLogsParams& params) {
    const LogQuery wanted{.newest = static_cast<std::size_t>(params.limit)};
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search",
                   .repeatable = true,
                   .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                     return read_logs(parts, wanted, place, Telling::lines_only, context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
  return asking_for_environment(std::move(tool), parts);
}

// search_logs = [ search ]

namespace {

struct SearchLogsParams : PlaceParams {
  std::string query;
  int limit = 50;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchLogsParams;
    f.required(&P::query, "query", "Words that must all occur, a \"quoted phrase\", or a /regular expression/")
        .characters(1, 1000)
        .kind(toolkit::Kind::query);
    f.optional(&P::service, "service", "Service name or alias; all services by default")
        .characters(0, 200)
        .kind(toolkit::Kind::service);
    f.optional(&P::environment, "environment", "Environment, such as prod or staging")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    f.optional(&P::limit, "limit", "Maximum number of entries to return unchanged")
        .in_range(1, 500)
        .kind(toolkit::Kind::count);
    time_fields(f);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> search_logs(const std::shared_ptr<const LogToolParts>& parts) {
  toolkit::ToolSpec spec =
      log_tool_spec(*parts, "search_logs", 1,
                    "Searches log entries of any level for words or a regular expression. Returns counts grouped by "
                    "message, then the newest entries unchanged. Use get_recent_errors for errors in general. Without "
                    "service it covers all services; the default is the last 4 hours.");
  spec.topics = {.words = {"logs", "line", "entry", "errors", "grep"},
                 .examples = {"search the {environment} logs for \"{query}\"",
                              "errors with \"{query}\" in {service} {environment}"},
                 .working = "Searching logs of {service}"};
  spec.primary_param = "query";
  return toolkit::make_tool<SearchLogsParams>(
      std::move(spec), [parts](const SearchLogsParams& params) -> Result<toolkit::Pipeline> {
        LogQuery wanted{.newest = static_cast<std::size_t>(params.limit)};
        TRY(wanted.text, parse_query(params.query));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "search",
                       .repeatable = true,
                       .call = [parts, wanted, place = PlaceParams(params)](toolkit::CallContext& context) {
                         return read_logs(parts, wanted, place, Telling::groups_first, context);
                       }});
        return pipeline;
      });
}

}  // namespace deputy::tools

#include "tools/logs/scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/logs/report.h"

namespace deputy::tools {

namespace {

std::string names_of(const std::map<std::string, std::vector<std::string>>& environments) {
  std::vector<std::string> names;
  names.reserve(environments.size());
  for (const auto& [name, others] : environments) names.push_back(name);
  return join(names, ", ");
}

class AskingForEnvironment final : public toolkit::Tool {
 public:
  AskingForEnvironment(std::shared_ptr<const toolkit::Tool> tool, std::shared_ptr<const LogToolParts> parts)
      : tool_(std::move(tool)), parts_(std::move(parts)) {}

  const toolkit::ToolSpec& spec() const override { return tool_->spec(); }
  Result<json::object> complete_arguments(const json::object& arguments) const override {
    const json::value* environment = arguments.if_contains("environment");
    if (environment == nullptr || environment->is_null()) TRY(check_environment("", parts_->environments));
    return tool_->complete_arguments(arguments);
  }
  std::vector<Problem> problems_of(const json::object& some_arguments) const override {
    return tool_->problems_of(some_arguments);
  }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object& arguments) const override {
    return tool_->compose(arguments);
  }

  std::shared_ptr<const toolkit::Tool> tool_;
  std::shared_ptr<const LogToolParts> parts_;
};

}  // namespace

std::shared_ptr<const toolkit::Tool> asking_for_environment(std::shared_ptr<const toolkit::Tool> tool,
                                                            std::shared_ptr<const LogToolParts> parts) {
  return std::make_shared<AskingForEnvironment>(std::move(tool), std::move(parts));
}

Result<> check_environment(const std::string& environment,
                           const std::map<std::string, std::vector<std::string>>& known) {
  if (trim(environment).empty()) {
    return fail(ErrorKind::invalid_input,
                "ENVIRONMENT_REQUIRED: name one of the known environments: " + names_of(known));
  }
  if (known.contains(environment)) return {};
  const std::string plain = to_lower(trim(environment));
  for (const auto& [name, others] : known) {
    const bool meant = to_lower(name) == plain ||
                       std::ranges::any_of(others, [&](const std::string& other) { return to_lower(other) == plain; });
    if (!meant) continue;
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is a name of the environment `{}`", cut_with_mark(environment, 60), name),
                fmt::format("use `{}`", name));
  }
  return fail(ErrorKind::invalid_input, fmt::format("ENVIRONMENT_REQUIRED: there is no environment `{}`; known: {}",
                                                    cut_with_mark(environment, 60), names_of(known)));
}

Task<Result<LogQuery>> query_for(std::shared_ptr<const LogToolParts> parts, PlaceParams params) {
  LogQuery query;
  CO_TRY(check_environment(params.environment, parts->environments));
  query.environment = params.environment;
  CO_TRY(query.span, span_of(params, parts->clock->now()));
  if (params.service.empty()) co_return query;
  query.service_names = {params.service};
  if (!parts->registry || !parts->registry->configured()) co_return query;
  // If the registry cannot be read, the names that the backend knows are enough.
  const auto list = co_await parts->registry->current();
  if (!list) co_return query;
  for (const Service& service : (*list)->services()) query.known_services.push_back(service.key);
  if (const Service* service = (*list)->find(params.service)) {
    query.service_is_known = true;
    query.service_names = {service->key, service->full_name};
    query.service_names.insert(query.service_names.end(), service->aliases.begin(), service->aliases.end());
    std::erase(query.service_names, "");
  }
  co_return query;
}

Task<toolkit::Step> read_logs(std::shared_ptr<const LogToolParts> parts, LogQuery wanted, PlaceParams params,
                              Telling telling, const toolkit::CallContext& context) {
  if (!parts->backend) {
    co_return Error{ErrorKind::not_configured, "no log backend is configured",
                    "set tools.log_tools.files.root to the folder of the logs"};
  }
  Result<LogQuery> query = co_await query_for(parts, std::move(params));
  if (!query) co_return query.error();
  query->text = std::move(wanted.text);
  query->least = wanted.least;
  query->newest = wanted.newest;
  const Result<LogFindings> findings = co_await parts->backend->search(*query, context.time_left());
  if (!findings) co_return findings.error();
  co_return report(*query, *findings, telling, context.redact_picked);
}

toolkit::ToolSpec log_tool_spec(const LogToolParts& parts, std::string name, int version, std::string description) {
  return {.name = std::move(name),
          .version = version,
          .description = std::move(description),
          .category = "log_tools",
          .effect = toolkit::Effect::read,
          .pins = {"service", "environment"},
          .timeout = std::chrono::seconds(60),
          .target = parts.backend ? parts.backend->target() : json::object{},
          .missing = parts.backend ? "" : "tools.log_tools.files.root: the folder of the logs"};
}

}  // namespace deputy::tools

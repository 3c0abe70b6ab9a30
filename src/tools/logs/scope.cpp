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

/// Null without a registry, or if it cannot be read: the names that the backend knows are enough then.
Task<Result<std::shared_ptr<const ServiceList>>> services_of(std::shared_ptr<const LogToolParts> parts) {
  if (!parts->registry || !parts->registry->configured()) co_return nullptr;
  co_return (co_await parts->registry->current()).value_or(nullptr);
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

Task<Result<LogPlace>> place_for(std::shared_ptr<const LogToolParts> parts, PlaceParams params) {
  // Without a backend nothing else of the call matters.
  if (parts->backends.all().empty()) CO_TRY(parts->backends.choose());
  LogQuery query;
  CO_TRY(check_environment(params.environment, parts->environments));
  query.environment = params.environment;
  query.environment_names = parts->environments.at(params.environment);
  query.environment_names.insert(query.environment_names.begin(), params.environment);
  CO_TRY(query.span, span_of(params, parts->clock->now()));
  std::shared_ptr<const ServiceList> list;
  if (!params.service.empty()) {
    query.service_names = {params.service};
    CO_TRY(list, co_await services_of(parts));
  }
  const Service* service = list ? list->find(params.service) : nullptr;
  if (list) {
    for (const Service& known : list->services()) query.known_services.push_back(known.key);
  }
  if (service != nullptr) {
    query.service_is_known = true;
    query.service_names = {service->key, service->full_name};
    query.service_names.insert(query.service_names.end(), service->aliases.begin(), service->aliases.end());
    std::erase(query.service_names, "");
  }
  CO_TRY(std::shared_ptr<LogBackend> backend, parts->backends.choose(service));
  co_return LogPlace{std::move(query), std::move(backend)};
}

Task<toolkit::Step> read_logs(std::shared_ptr<const LogToolParts> parts, LogQuery wanted, PlaceParams params,
                              Telling telling, const toolkit::CallContext& context) {
  Result<LogPlace> place = co_await place_for(parts, std::move(params));
  if (!place) co_return place.error();
  LogQuery& query = place->query;
  query.text = std::move(wanted.text);
  query.least = wanted.least;
  query.newest = wanted.newest;
  query.grouped = telling == Telling::groups_first;
  const auto length = query.span.to - query.span.from;
  // The service may name a backend that nothing else told of before.
  if (place->backend->charges_by_scan() && length > parts->max_scan && context.facts.approved_by.empty())
    co_return Error{ErrorKind::permission,
                    fmt::format("`{}` charges for what it scans, and nobody approved a range of {}",
                                place->backend->name(), format_duration(length)),
                    fmt::format("ask for at most {}", format_duration(parts->max_scan))};
  const Result<LogFindings> findings = co_await place->backend->search(query, context.time_left());
  if (!findings) co_return findings.error();
  co_return report(query, *findings, telling, context.redact_picked);
}

namespace {

/// How long the range of a call is, if it is longer than may be scanned without asking.
std::optional<std::chrono::milliseconds> too_long(const LogToolParts& parts, const json::object& arguments) {
  TimeRangeParams range;
  for (auto [key, at] : {std::pair("from", &range.from), std::pair("to", &range.to)}) {
    if (const Result<Timestamp> time = parse_timestamp(text_at(arguments, key))) *at = *time;
  }
  const json::value* hours = arguments.if_contains("hours_back");
  if (const auto whole = hours == nullptr ? std::nullopt : as_whole(*hours))
    range.hours_back = static_cast<int>(std::clamp<std::int64_t>(*whole, 0, kMaxHours));
  const Result<TimeSpan> span = span_of(range, parts.clock->now());
  if (!span || span->to - span->from <= parts.max_scan) return std::nullopt;
  return span->to - span->from;
}

/// A backend that charges is one that a call may use: the usual one, or any where nothing says which.
bool may_charge(const LogBackends& backends) {
  if (const auto usual = backends.choose()) return (*usual)->charges_by_scan();
  return std::ranges::any_of(backends.all(), [](const auto& backend) { return backend->charges_by_scan(); });
}

void ask_for_long_ranges(toolkit::ToolSpec& spec, const LogToolParts& parts) {
  if (!may_charge(parts.backends)) return;
  spec.always_asks_for = [parts](const json::object& arguments) { return too_long(parts, arguments).has_value(); };
  spec.words = [parts](const json::object& arguments) {
    const auto length = too_long(parts, arguments);
    if (!length) return toolkit::CallDescription{};
    return toolkit::CallDescription{
        .target = {},
        .why_write = fmt::format("it changes nothing, but scans {} of logs, which is charged for; more than {} "
                                 "(tools.log_tools.max_scan) needs a person",
                                 format_duration(*length), format_duration(parts.max_scan))};
  };
}

}  // namespace

toolkit::ToolSpec log_tool_spec(const LogToolParts& parts, std::string name, int version, std::string description) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = version,
                         .description = std::move(description),
                         .category = "log_tools",
                         .effect = toolkit::Effect::read,
                         .pins = {"service", "environment"},
                         .timeout = std::chrono::seconds(60),
                         .target = parts.backends.target(),
                         .missing = parts.backends.missing()};
  ask_for_long_ranges(spec, parts);
  return spec;
}

}  // namespace deputy::tools

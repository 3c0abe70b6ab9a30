// Tools of a made-up shop, and requests over them, for the tests of the offline planner.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.h"
#include "intent/context_section.h"
#include "model/offline/offline.h"
#include "toolkit/spec.h"

namespace deputy::model::offline {

/// A tool that is only described.
class DescribedTool final : public toolkit::Tool {
 public:
  explicit DescribedTool(toolkit::ToolSpec spec) : spec_(std::move(spec)) {}

  const toolkit::ToolSpec& spec() const override { return spec_; }
  Result<json::object> complete_arguments(const json::object& arguments) const override { return arguments; }
  std::vector<Problem> problems_of(const json::object&) const override { return {}; }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object&) const override { return toolkit::Pipeline(); }

  toolkit::ToolSpec spec_;
};

/// Parameters are written in short: "service*, in:environment, edits:objects*". A star makes one required; the kind is
/// behind the colon, or the name itself; `objects` is a list of objects, of no kind.
inline toolkit::ToolSpec described(std::string name, toolkit::Topics topics, std::string_view parameters = {},
                                   toolkit::Effect effect = toolkit::Effect::read) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = 1,
                         .description = "A tool of a made-up shop",
                         .category = "service_tools",
                         .effect = effect,
                         .topics = std::move(topics)};
  json::object properties;
  json::array required;
  for (std::string_view written : split(parameters, ",")) {
    written = trim(written);
    if (written.empty()) continue;
    const bool is_required = written.ends_with('*');
    if (is_required) written.remove_suffix(1);
    const std::size_t colon = written.find(':');
    const std::string parameter(written.substr(0, colon));
    const std::string_view kind_name = colon == std::string_view::npos ? written : written.substr(colon + 1);
    json::object schema{{"type", "string"}};
    for (const auto& [kind, its_name] : choices_of(toolkit::Kind{})) {
      if (its_name == kind_name) spec.kinds[parameter] = kind;
    }
    if (kind_name == "hours" || kind_name == "count")
      schema = {{"type", "integer"}, {"minimum", 1}, {"maximum", 50}, {"default", 4}};
    if (kind_name == "objects") schema = {{"type", "array"}, {"items", json::object{{"type", "object"}}}};
    if (kind_name == "choice") schema["enum"] = json::array{"low", "high"};
    properties[parameter] = std::move(schema);
    if (is_required) required.emplace_back(parameter);
  }
  spec.params = {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return spec;
}

inline std::vector<toolkit::ToolSpec> shop_tools() {
  toolkit::ToolSpec ask = described("ask_user", {}, "questions:objects*");
  ask.category = toolkit::kTalkTools;
  constexpr std::string_view kWhere = "service, environment, hours, from, to";
  return {ask,
          described("count_errors",
                    {{"errors", "fail"}, {}, {"errors in {service} {environment}", "what fails in {environment}?"}, ""},
                    kWhere),
          described("describe_service", {{"about"}, {}, {"what is {service}?"}, ""}, "service*"),
          described("edit_file", {{"file"}, {"edit"}, {}, ""}, "path*, edits:objects*", toolkit::Effect::write),
          described("find_lines", {{"logs", "errors"}, {}, {"search the logs for {query}"}, ""},
                    "query*, service, environment, hours, from, to, limit:count"),
          described("read_file", {{"file", "read"}, {}, {}, ""}, "path*"),
          described("read_task", {{"task"}, {}, {}, ""}, "task_id:id*"),
          described("restart", {{"service", "restart"}, {"restart"}, {}, ""}, "service*, environment*",
                    toolkit::Effect::write),
          described("run_command", {{"command"}, {"run"}, {}, ""}, "line:command*", toolkit::Effect::write),
          described("tail_logs", {{"logs", "line"}, {}, {}, ""}, "service*, environment*, limit:count, from, to"),
          described("triage", {{"severity"}, {}, {}, ""}, "severity:choice*")};
}

inline toolkit::Registry registry_of(const std::vector<toolkit::ToolSpec>& specs) {
  toolkit::Registry registry;
  for (const toolkit::ToolSpec& spec : specs) {
    if (const Result<> added = registry.add(std::make_shared<DescribedTool>(spec)); !added)
      throw std::logic_error(describe(added.error()));
  }
  return registry;
}

inline const toolkit::Registry& shop() {
  static const toolkit::Registry registry = registry_of(shop_tools());
  return registry;
}

inline std::vector<ToolDescription> offered(const toolkit::Registry& registry) {
  std::vector<ToolDescription> tools;
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    if (spec.missing.empty()) tools.push_back({spec.name, spec.description, toolkit::offered_params(spec)});
  }
  return tools;
}

/// At 10:30 UTC on 2026-11-18.
inline intent::Vocabulary words_of(const toolkit::Registry& registry) {
  intent::Vocabulary words;
  words.services = {{"cart", "Shopping Cart", {"basket"}}, {"pay-core", "", {"payments"}}, {"mailer", "", {}}};
  words.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}};
  words.tools = registry.known_tools({});
  words.now = from_millis(1'794'997'800'000);
  return words;
}

inline Turn asked(std::string_view request, const toolkit::Registry& registry) {
  const intent::Intent intent = intent::extract(request, words_of(registry));
  return {Role::user,
          {Text{fmt::format("{}\n\n[It is 2026-11-18 10:30 UTC]\n{}", request, intent::context_section(intent))}}};
}

inline Request ask(std::string_view request, const toolkit::Registry& registry = shop()) {
  return {.system = "", .turns = {asked(request, registry)}, .tools = offered(registry), .max_tokens = 2000};
}

struct Answered {
  std::string text;
  bool failed = false;
};

/// The request after its reply: each call answered in order.
inline Request then(Request request, const Reply& reply, const std::vector<Answered>& answers) {
  Turn results{Role::user, {}};
  std::size_t at = 0;
  for (const Block& block : reply.blocks) {
    const Call* call = std::get_if<Call>(&block);
    if (call == nullptr || at >= answers.size()) continue;
    results.blocks.emplace_back(CallResult{call->id, answers[at].text, answers[at].failed});
    ++at;
  }
  request.turns.push_back({Role::assistant, reply.blocks});
  if (!results.blocks.empty()) request.turns.push_back(std::move(results));
  return request;
}

/// `a{…} b{…}` of a reply's calls, or its text.
inline std::string in_one_line(const Reply& reply) {
  std::string line;
  for (const Block& block : reply.blocks) {
    if (const Call* call = std::get_if<Call>(&block)) {
      if (!line.empty()) line += ' ';
      json::object sorted;
      std::vector<std::string> keys;
      for (const auto& member : call->arguments) keys.emplace_back(as_view(member.key()));
      std::ranges::sort(keys);
      for (const std::string& key : keys) sorted[key] = call->arguments.at(key);
      line += call->tool + json::serialize(sorted);
    }
  }
  return line.empty() ? text_of(reply) : line;
}

inline std::string in_one_line(const Request& request, const toolkit::Registry& registry = shop()) {
  return in_one_line(answer(request, registry));
}

}  // namespace deputy::model::offline

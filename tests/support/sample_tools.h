// Three tools as one would write them, over a world that lives in memory: one that reads, one that changes something
// behind a gate, one that takes a command line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "toolkit/tool.h"

namespace deputy::test {

/// What the sample tools work on.
struct SampleWorld {
  std::vector<std::string> notes{"checkout is slow", "checkout is down", "search is fine"};
  std::map<std::string, int> restarts{{"checkout", 0}, {"search", 0}};
  std::vector<std::string> done;  // by handlers, in order
  std::chrono::milliseconds look_after{0};
  bool restart_acts = true;
  std::optional<Error> restart_ends_with = std::nullopt;  // whether it acted or not
};
using World = std::shared_ptr<SampleWorld>;

// search_notes = [ search ]

struct SearchNotesParams {
  std::string query;
  int limit = 5;
  std::optional<std::string> environment;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchNotesParams;
    f.required(&P::query, "query", "Words to look for").characters(1, 100).kind(toolkit::Kind::query);
    f.optional(&P::limit, "limit", "How many notes at most").in_range(1, 100);
    f.optional(&P::environment, "environment", "Whose notes").kind(toolkit::Kind::environment);
  }
};

inline Task<toolkit::Step> search_notes_in(World world, SearchNotesParams params, toolkit::CallContext& context) {
  context.emit("searching");
  std::string found;
  int left = params.limit;
  for (const std::string& note : world->notes) {
    if (left > 0 && note.find(params.query) != std::string::npos) {
      found += note + "\n";
      --left;
    }
  }
  co_return toolkit::Output{found.empty() ? "no note matches" : found, {}};
}

inline std::shared_ptr<const toolkit::Tool> search_notes(const World& world) {
  toolkit::ToolSpec spec{.name = "search_notes",
                         .aliases = {"find_notes"},
                         .version = 1,
                         .description = "Finds notes that contain the given words",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "query",
                         .timeout = std::chrono::seconds(10)};
  return toolkit::make_tool<SearchNotesParams>(std::move(spec), [world](const SearchNotesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search", .repeatable = true, .call = [world, params](toolkit::CallContext& context) {
                     return search_notes_in(world, params, context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// restart_service = [ find_service, show_plan, AWAIT APPROVAL, restart ] finally [ drop_plan ]

struct RestartServiceParams {
  std::string service;
  std::string environment;
  bool force = false;

  template <class Fields>
  static void fields(Fields& f) {
    using P = RestartServiceParams;
    f.required(&P::service, "service", "Which service").characters(1, 60).kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "Where it runs").one_of({"prod", "staging"});
    f.optional(&P::force, "force", "Do not wait for open requests");
  }
};

inline Task<toolkit::Step> find_service(World world, std::string service) {
  world->done.emplace_back("find_service");
  if (world->restarts.contains(service)) co_return toolkit::Continue{};
  co_return Error{ErrorKind::not_found, "there is no service `" + cut_with_mark(service, 60) + "`"};
}

inline Task<toolkit::Step> show_plan(World world, RestartServiceParams params) {
  world->done.emplace_back("show_plan");
  const int before = world->restarts[params.service];
  co_return toolkit::Output{"will restart " + params.service + " in " + params.environment, {{"restarts", before}}};
}

// Acts on what the preview saw, or not at all.
inline Task<toolkit::Step> restart(World world, std::string service, const toolkit::CallContext& context) {
  world->done.emplace_back("restart");
  const toolkit::Output* seen = context.output_of("show_plan");
  if (seen == nullptr || seen->data.at("restarts").to_number<int>() != world->restarts[service]) {
    co_return Error{ErrorKind::conflict, "somebody else has restarted it meanwhile"};
  }
  if (world->restart_acts) ++world->restarts[service];
  if (const std::optional<Error>& end = world->restart_ends_with) co_return *end;
  co_return toolkit::Output{"restarted " + service, {}};
}

inline Task<Result<toolkit::Looked>> look_at_restarts(World world, std::string service,
                                                      const toolkit::CallContext& context) {
  using Answer = toolkit::Looked::Answer;
  const toolkit::Output* seen = context.output_of("show_plan");
  if (seen == nullptr) co_return toolkit::Looked{Answer::cannot_tell};
  if (world->restarts[service] == seen->data.at("restarts").to_number<int>()) {
    co_return toolkit::Looked{Answer::not_done};
  }
  co_return toolkit::Looked{Answer::done, toolkit::Output{"restarted " + service, {}}};
}

inline Task<toolkit::Step> drop_plan(World world) {
  world->done.emplace_back("drop_plan");
  co_return toolkit::Continue{};
}

inline std::shared_ptr<const toolkit::Tool> restart_service(const World& world) {
  using Context = toolkit::CallContext;
  toolkit::ToolSpec spec{.name = "restart_service",
                         .aliases = {"bounce_service"},
                         .version = 1,
                         .description = "Restarts a service and waits until it is healthy",
                         .category = "service_tools",
                         .effect = toolkit::Effect::write,
                         .primary_param = "service",
                         .pins = {"service", "environment"},
                         .target = {{"backend", "memory"}}};
  return toolkit::make_tool<RestartServiceParams>(std::move(spec), [world](const RestartServiceParams& params) {
    toolkit::Pipeline pipeline;
    pipeline
        .then({.name = "find_service",
               .repeatable = true,
               .call = [world, params](Context&) { return find_service(world, params.service); }})
        .then({.name = "show_plan",
               .repeatable = true,
               .call = [world, params](Context&) { return show_plan(world, params); }})
        .await_approval()
        .then({.name = "restart",
               .call = [world, params](Context& context) { return restart(world, params.service, context); },
               .look = [world, params](Context& context) { return look_at_restarts(world, params.service, context); },
               .look_after = world->look_after})
        .finally({.name = "drop_plan", .repeatable = true, .call = [world](Context&) { return drop_plan(world); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// run_command = [ run ]: policy puts a gate before it unless the command only reads

struct RunCommandParams {
  std::string command;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RunCommandParams::command, "command", "The command line").characters(1, 4000);
  }
};

inline std::optional<toolkit::Effect> effect_of_command(const json::object& arguments) {
  const json::value* command = arguments.if_contains("command");
  if (command == nullptr || !command->is_string()) return std::nullopt;
  const std::string_view text = as_view(command->get_string());
  const bool plain = text.find_first_of(";|&<>$`\n") == std::string_view::npos;
  if (plain && (text == "ls" || text.starts_with("ls "))) return toolkit::Effect::read;
  return std::nullopt;
}

inline Task<toolkit::Step> note_command(World world, std::string command) {
  world->done.push_back(command);
  co_return toolkit::Output{"ran " + command, {}};
}

inline std::shared_ptr<const toolkit::Tool> run_command(const World& world) {
  toolkit::ToolSpec spec{.name = "run_command",
                         .version = 1,
                         .description = "Runs one command line in the workspace",
                         .category = "workspace_tools",
                         .effect = effect_of_command,
                         .primary_param = "command",
                         .primary_is_command_line = true};
  return toolkit::make_tool<RunCommandParams>(std::move(spec), [world](const RunCommandParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "run",
                   .call = [world, params](toolkit::CallContext&) { return note_command(world, params.command); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::test

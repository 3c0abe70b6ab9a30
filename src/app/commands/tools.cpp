// deputy tools list | show | call
#include "app/tools.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>

#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/foreground.h"
#include "channel/terminal/styled_text.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy tools list                                             every tool, and what it still needs
  deputy tools show search_history                              its parameters
  deputy tools call search_history '{"query": "pool"}'          one call under the same rules as any other)";

ExitCode list(const Context& context) {
  const SystemClock clock;
  asio::io_context loop;
  const Result<ReadSettings> sound = sound_settings(context, clock, loop.get_executor());
  if (!sound) return print_failure(context, sound.error());
  const Tools& tools = *sound->tools;
  json::array all;
  for (const toolkit::ToolListing& tool : tools.registry().list(sound->loaded.settings.tools.by_category())) {
    if (context.json) {
      all.push_back(to_json(tool));
      continue;
    }
    const std::string_view state = !tool.enabled ? "off" : tool.configured ? "ready" : "not set up";
    context.outside.out << fmt::format(
        "{:<24} {:<12} {:<10} {}\n", channel::one_line(tool.name), tool.effect, state,
        channel::one_line(tool.enabled && !tool.configured ? tool.missing : tool.description));
  }
  if (context.json) context.outside.out << json::serialize(all) << "\n";
  return ExitCode::done;
}

ExitCode show(const Context& context, const std::string& name) {
  const SystemClock clock;
  asio::io_context loop;
  const Result<ReadSettings> sound = sound_settings(context, clock, loop.get_executor());
  if (!sound) return print_failure(context, sound.error());
  const Tools& tools = *sound->tools;
  const auto tool = tools.registry().find(name);
  if (!tool) return print_failure(context, tool.error());
  for (const toolkit::ToolListing& one : tools.registry().list(sound->loaded.settings.tools.by_category())) {
    if (one.name != (*tool)->spec().name) continue;
    std::ostream& out = context.outside.out;
    if (context.json) {
      out << json::serialize(to_json(one)) << "\n";
    } else {
      out << fmt::format("{}\n{}\ncategory {}, {}\n", channel::one_line(one.name), channel::one_line(one.description),
                         channel::one_line(one.category), one.effect);
      if (!one.configured) out << "to set it up: " << channel::one_line(one.missing) << "\n";
      out << "parameters " << channel::one_line(json::serialize(one.params)) << "\n";
    }
  }
  return ExitCode::done;
}

struct Wish {
  std::string tool;
  std::string arguments = "{}";
};

ExitCode call(const Context& context, const Wish& wish) {
  const Result<json::object> arguments = parse_json_object(wish.arguments);
  if (!arguments) {
    return print_failure(context,
                         {ErrorKind::invalid_input, "the arguments are not a JSON object",
                          fmt::format("write them like deputy tools call {} '{{\"name\": \"value\"}}'", wish.tool)});
  }
  return begin_in_foreground(context, [&](Foreground& foreground, std::string conversation) {
    return foreground.call(std::move(conversation), wish.tool, *arguments);
  });
}

}  // namespace

void add_tools(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand("tools", "Tools: list, show, call");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kExamples);
  add_plain(*group, context, "list", "Every tool, its state, and what it still needs", list);
  add_with_word(*group, context, "show", "One tool and its parameters", "TOOL", "Its name", show);
  CLI::App* command = group->add_subcommand("call", "Call one tool by hand; writes ask as always");
  command->fallthrough();
  add_answers(*command, context);
  auto wish = std::make_shared<Wish>();
  command->add_option("TOOL", wish->tool, "Its name")->required();
  command->add_option("ARGUMENTS", wish->arguments, "A JSON object");
  command->callback([&context, wish] { context.action = [&context, wish] { return call(context, *wish); }; });
}

}  // namespace deputy::app

// The table of slash commands of a chat, and its parser. chat_commands.cpp has a case for every row.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace deputy::app {

enum class Slash {
  help,
  tools,
  call,
  result,
  diff,
  tasks,
  approvals,
  runs,
  resume,
  cost,
  model,
  yolo,
  compact,
  clear,
  quit
};

struct SlashRow {
  Slash command;
  std::string_view name;
  std::string_view takes;  // arguments
  std::string_view words;  // for /help
};

inline constexpr auto kSlashCommands = std::to_array<SlashRow>({
    {Slash::help, "help", "", "list these commands"},
    {Slash::tools, "tools", "", "all tools, and what is not set up"},
    {Slash::call, "call", "TOOL {JSON}", "one call by hand, under the same rules as any other"},
    {Slash::result, "result", "[N]", "all of a result that was shown shortened; without N the last one"},
    {Slash::diff, "diff", "", "what was changed in files in this conversation"},
    {Slash::tasks, "tasks", "", "background calls and sub-runs of this conversation"},
    {Slash::approvals, "approvals", "", "pending approvals and questions, and what was granted"},
    {Slash::runs, "runs", "", "the newest runs"},
    {Slash::resume, "resume", "[RUN]", "continue an earlier conversation; without RUN choose one"},
    {Slash::cost, "cost", "", "what this conversation and today have cost"},
    {Slash::model, "model", "[NAME]", "which model answers, or answer with another from now on"},
    {Slash::yolo, "yolo", "", "stop asking before changes in this session, or ask again"},
    {Slash::compact, "compact", "", "go on in a new conversation that starts with a summary of this one"},
    {Slash::clear, "clear", "", "start a new conversation; what was granted with `a` ends"},
    {Slash::quit, "quit", "", "leave; `deputy chat --resume` continues unfinished work"},
});

struct SlashCommand {
  Slash command;
  std::string rest;  // the arguments
};

bool is_slash(std::string_view line);

/// Parses a line for which `is_slash` is true. For an unknown name the error suggests the nearest.
Result<SlashCommand> read_slash(std::string_view line);

std::string slash_help();

}  // namespace deputy::app

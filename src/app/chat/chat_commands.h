// The slash commands of a chat: one table. Pure; what each does is in chat_commands.cpp, which has a case for every
// row.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"

namespace deputy::app {

enum class Slash { help, tools, call, tasks, approvals, runs, model, yolo, clear, quit };

struct SlashRow {
  Slash command;
  std::string_view name;
  std::string_view takes;  // what may stand behind it
  std::string_view words;  // for /help
};

inline constexpr auto kSlashCommands = std::to_array<SlashRow>({
    {Slash::help, "help", "", "what may be typed"},
    {Slash::tools, "tools", "", "the tools there are, and what is not set up"},
    {Slash::call, "call", "TOOL {JSON}", "one call by hand, under the same rules as any other"},
    {Slash::tasks, "tasks", "", "background calls and sub-runs of this conversation"},
    {Slash::approvals, "approvals", "", "what waits for a yes, and what was granted"},
    {Slash::runs, "runs", "", "the newest runs"},
    {Slash::model, "model", "", "which model answers"},
    {Slash::yolo, "yolo", "", "stop asking before changes in this session, or ask again"},
    {Slash::clear, "clear", "", "begin a new conversation; what was granted with `a` ends"},
    {Slash::quit, "quit", "", "leave; what works goes on with `deputy chat --resume`"},
});

struct SlashCommand {
  Slash command;
  std::string rest;  // what stands behind the name
};

bool is_slash(std::string_view line);

/// Of a line that is one. An unknown name is an error that suggests the nearest.
Result<SlashCommand> read_slash(std::string_view line);

std::string slash_help();

}  // namespace deputy::app

// A command line from anywhere: it is read in bounded time, what parses is taken apart into commands that parse alone
// to themselves, an allow pattern for one command lets no other through, and the two readings agree: a command that the
// strict one found is in a loose one.

#include "base/command_line.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "policy/loose_readings.h"
#include "policy/policy.h"

namespace {

using namespace deputy;
using namespace deputy::policy;

const RuleSet& rules() {
  static const RuleSet compiled =
      *RuleSet::compile({Rule{"shell", {"^rm"}, {"git status", "ls( [a-z]+)*"}, {}}}, "policy.rules");
  return compiled;
}

bool is_allowed_alone(const Command& command) {
  if (command.redirects || !command.hides.empty() || command.words.empty()) return false;
  return command.text == "git status" || command.words.front() == "ls";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  Call call;
  call.tool = "shell";
  call.primary = "command";
  call.values["command"] = {std::string(line), ValueKind::command_line};
  const bool allowed = rules().allow(call).has_value();
  const bool denied = rules().deny(call).has_value();
  const auto commands = parse_command_line(line);
  if (!commands) {
    if (allowed) std::abort();
    return 0;
  }
  for (const Command& command : *commands) {
    const auto alone = parse_command_line(command.text);
    if (!alone || alone->size() != 1 || alone->front() != command) std::abort();
    if (allowed && !is_allowed_alone(command)) std::abort();
    if (!command.words.empty() && command.words.front() == "rm" && !denied) std::abort();
  }
  return 0;
}

// A command of the AWS CLI as data: taken apart without a shell, judged, and written again as the arguments of one
// program. Pure.
//
//   ecs describe-services --cluster acme-prod --services checkout
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deputy::tools::aws {

struct Command {
  std::string service;                 // "ecs"
  std::string operation;               // "describe-services"
  std::vector<std::string> arguments;  // after these two, as the program gets them; without --region and --output
  std::string region;                  // of --region; empty: not given

  bool operator==(const Command&) const = default;
};

/// Whether a command only reads is told by a list of services and operations: what is not on it may change something,
/// or show what people should be asked about first, such as the environment variables of a function.
enum class Judged { reads, may_change };

/// The error says what is never run, and why: options that lead elsewhere, files of this machine, credentials and
/// decrypted values.
Result<Command> parse_command(std::string_view text);

Judged judge(const Command& command);

/// The words of a command line as a shell would see them, without what a shell does: pipes, redirections, variables and
/// substitutions are errors.
Result<std::vector<std::string>> split_words(std::string_view text);

}  // namespace deputy::tools::aws

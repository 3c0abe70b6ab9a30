// aws_cli: one operation of AWS by the AWS CLI of this machine, never through a shell. command.h says what is run
// without asking, what asks, and what is never run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/secret.h"
#include "clients/aws/account.h"
#include "toolkit/tool.h"
#include "tools/aws/command.h"
#include "tools/aws/settings.h"

namespace deputy::tools::aws {

struct CliSetup {
  std::string program;                       // empty: not set up
  clients::aws::Account* account = nullptr;  // outlives every call
  Secret proxy = {};                         // as in network.proxy, network.no_proxy and network.ca_file
  std::string no_proxy = {};
  std::string ca_file = {};
};

std::vector<std::shared_ptr<const toolkit::Tool>> aws_tools(const CliSetup& setup);

/// Asks AWS who Deputy is, by the CLI, for `deputy doctor`.
Task<Result<std::string>> look_at_cli(CliSetup setup, std::chrono::milliseconds limit);

/// What the CLI said on its error stream as an error. Pure.
Error cli_error(const Command& command, int exit_code, std::string_view said);

}  // namespace deputy::tools::aws

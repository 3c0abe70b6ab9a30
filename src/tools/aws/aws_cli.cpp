// aws_cli = [ run ]: policy asks before it, unless the command is one that only reads
#include "tools/aws/aws_cli.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/process.h"
#include "base/text.h"
#include "toolkit/cut.h"
#include "tools/common_steps.h"

namespace deputy::tools::aws {

namespace {

using std::chrono::milliseconds;
using toolkit::Output;
using toolkit::Step;

constexpr std::string_view kWhoWeAre = "sts get-caller-identity";
constexpr std::size_t kMaxOutput = 400'000;
constexpr std::size_t kMaxErrors = 4000;
constexpr milliseconds kToTell{500};  // to end the program before the executor gives up on the handler

struct AwsCliParams {
  std::string command;
  std::string region;

  template <class Fields>
  static void fields(Fields& f) {
    using P = AwsCliParams;
    f.required(&P::command, "command",
               "Service, operation and options, without a shell: ecs describe-services --cluster acme-prod --services "
               "checkout")
        .characters(1, 4000)
        .kind(toolkit::Kind::command);
    f.optional(&P::region, "region", "The AWS region, such as eu-central-1; the one of Deputy's settings by default")
        .characters(0, 40);
  }
};

Result<Command> command_of(const AwsCliParams& params) {
  TRY(Command command, parse_command(params.command));
  if (params.region.empty()) return command;
  if (!clients::aws::is_region(params.region))
    return fail(ErrorKind::invalid_input, "`region` is not a region", "write it like eu-central-1");
  if (!command.region.empty() && command.region != params.region)
    return fail(ErrorKind::invalid_input, "`command` and `region` name two regions", "leave one of them out");
  command.region = params.region;
  return command;
}

std::optional<Command> command_in(const json::object& arguments) {
  const Result<Command> command = command_of({text_at(arguments, "command"), text_at(arguments, "region")});
  return command ? std::optional(*command) : std::nullopt;
}

/// The address that settings give for the service of a command; empty: AWS's own.
std::string endpoint_of(const clients::aws::Settings& settings, std::string_view service) {
  using S = clients::aws::Service;
  constexpr auto kOwn =
      std::to_array<std::pair<std::string_view, S>>({{"bedrock-agent-runtime", S::bedrock_agent_runtime},
                                                     {"bedrock-runtime", S::bedrock_runtime},
                                                     {"cloudwatch", S::cloudwatch},
                                                     {"ecs", S::ecs},
                                                     {"logs", S::cloudwatch_logs},
                                                     {"s3", S::s3},
                                                     {"s3api", S::s3},
                                                     {"sts", S::sts}});
  const auto* const own = std::ranges::find(kOwn, service, &std::pair<std::string_view, S>::first);
  if (own != kOwn.end()) return clients::aws::set_endpoint(settings, own->second);
  std::string_view all = settings.endpoint_url;
  while (all.ends_with('/')) all.remove_suffix(1);
  return std::string(all);
}

/// The environment of the program: credentials, and nothing of ours that could lead it elsewhere.
std::vector<std::string> environment_of(const CliSetup& setup, const net::SigningKey& key, std::string_view region) {
  std::vector<std::string> environment{"PATH=/usr/bin:/bin",
                                       "HOME=/nonexistent",
                                       "LANG=C.UTF-8",
                                       "PYTHONDONTWRITEBYTECODE=1",
                                       "AWS_CONFIG_FILE=/dev/null",
                                       "AWS_SHARED_CREDENTIALS_FILE=/dev/null",
                                       "AWS_EC2_METADATA_DISABLED=true",
                                       "AWS_PAGER=",
                                       "AWS_RETRY_MODE=standard",
                                       "AWS_MAX_ATTEMPTS=2"};
  environment.push_back(fmt::format("AWS_DEFAULT_REGION={}", region));
  environment.push_back("AWS_ACCESS_KEY_ID=" + key.access_key_id);
  environment.push_back("AWS_SECRET_ACCESS_KEY=" + key.secret.reveal());
  if (!key.session_token.empty()) environment.push_back("AWS_SESSION_TOKEN=" + key.session_token.reveal());
  if (!setup.proxy.empty()) environment.push_back("HTTPS_PROXY=" + setup.proxy.reveal());
  if (!setup.no_proxy.empty()) environment.push_back("NO_PROXY=" + setup.no_proxy);
  if (!setup.ca_file.empty()) environment.push_back("AWS_CA_BUNDLE=" + setup.ca_file);
  return environment;
}

std::vector<std::string> arguments_of(const CliSetup& setup, const Command& command, const std::string& region) {
  std::vector<std::string> arguments{setup.program, command.service, command.operation};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  for (const char* own : {"--output", "json", "--color", "off", "--no-cli-pager", "--no-cli-auto-prompt",
                          "--cli-connect-timeout", "10", "--region"})
    arguments.emplace_back(own);
  arguments.push_back(region);
  if (std::string url = endpoint_of(setup.account->settings(), command.service); !url.empty()) {
    arguments.emplace_back("--endpoint-url");
    arguments.push_back(std::move(url));
  }
  return arguments;
}

Task<Result<ProcessEnd>> run_cli(CliSetup setup, Command command, milliseconds limit, OutputSink sink = {}) {
  std::string region = command.region;
  if (region.empty()) {
    CO_TRY(region, setup.account->region());
  }
  CO_TRY(const clients::aws::Credentials credentials, co_await setup.account->credentials().get());
  ProcessSpec spec{.arguments = arguments_of(setup, command, region),
                   .environment = environment_of(setup, credentials.key, region),
                   .working_dir = "/",
                   .timeout = std::max(limit, kToTell),
                   .max_output = kMaxOutput,
                   .limits = {.file_bytes = 0}};  // it has no file to write
  Result<ProcessEnd> end = co_await run_process(std::move(spec), std::move(sink));
  if (!end && end.error().kind == ErrorKind::not_found) {
    end.error() = {ErrorKind::not_configured, fmt::format("there is no AWS CLI at {}", setup.program),
                   "install it, and set tools.aws_tools.program to where it is"};
  }
  co_return end;
}

Task<Result<Step>> run(CliSetup setup, Command command, toolkit::CallContext& context) {
  CO_TRY(const ProcessEnd end, co_await run_cli(setup, command, context.time_left() - kToTell));
  if (end.timed_out)
    co_return Error{ErrorKind::timeout, "the AWS CLI took too long and was stopped",
                    "ask for less, such as fewer items with --max-items, or run it with background: true"};
  if (end.exit_code != 0)
    co_return cli_error(command, end.exit_code,
                        toolkit::redact_or_withhold(to_valid_utf8(end.errors.substr(0, kMaxErrors)), context.redact));
  std::string text = to_valid_utf8(end.output);
  if (end.output_bytes > end.output.size())
    text += fmt::format("\n… {} more bytes are not shown; ask for less with --query or --max-items",
                        end.output_bytes - end.output.size());
  // The CLI also prints nothing when JSON breaks off or is none.
  if (trim(text).empty())
    text =
        judge(command) == Judged::reads
            ? "AWS answered nothing, or nothing that the AWS CLI could read; ask again if there should be something.\n"
            : "Done; AWS answered nothing.\n";
  co_return Output{std::move(text), {{toolkit::kExitCode, end.exit_code}}};
}

}  // namespace

Error cli_error(const Command& command, int exit_code, std::string_view said) {
  const std::string line = cut_with_mark(trim(said), 1000);
  std::string code, operation;
  RE2::PartialMatch(line, R"(An error occurred \((\w+)\) when calling the (\w+) operation)", &code, &operation);
  // Where the answer names no code, the CLI says the status: (502).
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return code.contains(word); });
  };
  const std::string message = line.empty() ? fmt::format("the AWS CLI ended with {}", exit_code) : line;
  if (has({"AccessDenied", "Unauthorized", "NotAuthorized", "403"}))
    return {ErrorKind::permission, message,
            fmt::format("allow {}:{} for the key or role that Deputy uses", command.service, operation)};
  if (has({"ExpiredToken", "InvalidClientTokenId", "UnrecognizedClient", "SignatureDoesNotMatch", "InvalidSignature",
           "AuthFailure", "InvalidAccessKeyId", "401"}))
    return {ErrorKind::authentication, fmt::format("AWS does not accept the credentials ({})", code),
            "check the AWS credentials that Deputy uses"};
  if (has({"Throttl", "RequestLimitExceeded", "TooManyRequests", "SlowDown", "429"}))
    return {ErrorKind::rate_limit, message, "wait and retry, or ask for less", true, std::chrono::seconds(1)};
  if (has({"NotFound", "NoSuch", "DoesNotExist", "Gone", "404", "410"}))
    return {ErrorKind::not_found, message, "check the name and the region"};
  if (has({"RequestTimeout", "408", "504"}) || line.contains("Read timeout"))
    return {ErrorKind::timeout, message, "ask for less, or try again later"};
  if (has({"InternalFailure", "InternalError", "ServiceUnavailable", "InternalServer", "500", "502", "503"}))
    return {ErrorKind::upstream, message, "try again later"};
  if (line.contains("Could not connect to the endpoint") || line.contains("Connect timeout") ||
      line.contains("Connection was closed") || line.contains("read, but total bytes expected") ||
      line.contains("SSL validation failed") || line.contains("Failed to connect to proxy"))
    return {ErrorKind::network, message, "check aws.region and that AWS can be reached from here"};
  if (line.contains("Unable to parse response") || has({"301", "302", "307"}))
    return {ErrorKind::upstream, message, "check aws.endpoint_url; else try again later"};
  const bool is_usage = exit_code == 252 || !code.empty();
  return {is_usage ? ErrorKind::invalid_input : ErrorKind::upstream, message,
          is_usage ? "correct the command as the message says" : "check that the AWS CLI works on this machine"};
}

Task<Result<std::string>> look_at_cli(CliSetup setup, milliseconds limit) {
  CO_TRY(const Command command, parse_command(kWhoWeAre));
  CO_TRY(const ProcessEnd end, co_await run_cli(setup, command, limit));
  if (end.timed_out) co_return std::unexpected(timeout_error(limit));
  if (end.exit_code != 0) co_return std::unexpected(cli_error(command, end.exit_code, end.errors));
  const Result<json::object> identity = parse_json_object(end.output);
  if (!identity) co_return fail(ErrorKind::upstream, "the AWS CLI did not answer with JSON");
  co_return fmt::format("{} as {}", setup.program, cut_with_mark(text_at(*identity, "Arn"), 200));
}

std::vector<std::shared_ptr<const toolkit::Tool>> aws_tools(const CliSetup& setup) {
  toolkit::ToolSpec spec{
      .name = "aws_cli",
      .version = 1,
      .description =
          "Runs one operation of the AWS CLI and returns its JSON. Commands that only read, such as ec2 "
          "describe-instances, run at once; others need a person's approval; those that return credentials "
          "or decrypted values, or work on local files, are refused. No shell: no pipes, no variables.",
      .category = "aws_tools",
      .primary_param = "command",
      .primary_is_command_line = true,
      .timeout = std::chrono::seconds(60),
      .missing = setup.program.empty() ? "tools.aws_tools.program, the path of the AWS CLI, such as /usr/bin/aws" : ""};
  spec.effect = [](const json::object& arguments) -> std::optional<toolkit::Effect> {
    const std::optional<Command> command = command_in(arguments);
    if (command && judge(*command) == Judged::reads) return toolkit::Effect::read;
    return std::nullopt;
  };
  spec.words = [](const json::object& arguments) {
    const std::optional<Command> command = command_in(arguments);
    if (!command) return toolkit::CallDescription{};
    return toolkit::CallDescription{.target = fmt::format("AWS {} {}", command->service, command->operation),
                                    .why_write = fmt::format("`{} {}` is not on the list of commands that only read",
                                                             command->service, command->operation)};
  };
  if (setup.account != nullptr) {
    spec.target = {{"program", setup.program},
                   {"region", setup.account->region().value_or("")},
                   {"url", setup.account->settings().endpoint_url}};
  }
  spec.probe = {{"command", kWhoWeAre}};
  spec.topics = {.words = {"aws cli"}, .verbs = {"aws"}, .working = "Asking AWS"};
  auto tool = toolkit::make_tool<AwsCliParams>(
      std::move(spec), [setup](const AwsCliParams& params) -> Result<toolkit::Pipeline> {
        TRY(const Command command, command_of(params));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "run",
                       .repeatable = judge(command) == Judged::reads,
                       .call = [setup, command](toolkit::CallContext& context) {
                         return as_step(run(setup, command, context));
                       }});
        return pipeline;
      });
  return {std::move(tool)};
}

}  // namespace deputy::tools::aws

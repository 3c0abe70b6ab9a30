#include "tools/aws/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "clients/aws/settings.h"

namespace deputy::tools::aws {

namespace {

constexpr std::size_t kMaxWords = 200;

// Options of the CLI itself that a command may have. Those of an operation are not listed: there are tens of thousands.
constexpr auto kOwnOptions =
    std::to_array<std::string_view>({"--max-items", "--no-cli-pager", "--no-paginate", "--output", "--page-size",
                                     "--query", "--region", "--starting-token"});

// Options of the CLI itself, and of operations, that lead to another host, to another identity or to files of this
// machine. The CLI also takes the beginning of an option for the whole.
constexpr auto kNever = std::to_array<std::string_view>(
    {"--body", "--ca-bundle", "--cli-auto-prompt", "--cli-binary-format", "--cli-connect-timeout", "--cli-input-json",
     "--cli-input-yaml", "--cli-read-timeout", "--color", "--debug", "--endpoint-url", "--generate-cli-skeleton",
     "--no-cli-auto-prompt", "--no-sign-request", "--no-verify-ssl", "--outfile", "--profile", "--template-file",
     "--version"});

// Services of the CLI that work on this machine, not in AWS.
constexpr auto kLocalServices =
    std::to_array<std::string_view>({"cli-dev", "configure", "help", "history", "login", "logout", "sso"});

struct Named {
  std::string_view service;
  std::string_view operation;
};

// Operations of the CLI that start other programs, or read or write files of this machine. Those of s3 that copy are
// among them, because either end may be a file.
constexpr auto kLocalOperations = std::to_array<Named>({{"cloudformation", "deploy"},
                                                        {"cloudformation", "package"},
                                                        {"codeartifact", "login"},
                                                        {"datapipeline", "put-pipeline-definition"},
                                                        {"deploy", "install"},
                                                        {"deploy", "push"},
                                                        {"deploy", "register"},
                                                        {"deploy", "uninstall"},
                                                        {"ec2-instance-connect", "open-tunnel"},
                                                        {"ec2-instance-connect", "ssh"},
                                                        {"ecs", "deploy"},
                                                        {"ecs", "execute-command"},
                                                        {"eks", "update-kubeconfig"},
                                                        {"emr", "get"},
                                                        {"emr", "put"},
                                                        {"emr", "socks"},
                                                        {"emr", "ssh"},
                                                        {"gamelift", "upload-build"},
                                                        {"logs", "start-live-tail"},
                                                        {"opsworks", "register"},
                                                        {"s3", "cp"},
                                                        {"s3", "mv"},
                                                        {"s3", "sync"},
                                                        {"servicecatalog", "generate"},
                                                        {"ssm", "resume-session"},
                                                        {"ssm", "start-session"}});

// Operations that write what they answer to a file of this machine: those whose answer is a stream, by the models of
// the CLI. The name of the file is a word that may stand after any option.
constexpr auto kFileOperations = std::to_array<Named>({{"apigateway", "get-export"},
                                                       {"apigateway", "get-sdk"},
                                                       {"apigatewayv2", "export-api"},
                                                       {"appconfig", "create-hosted-configuration-version"},
                                                       {"appconfig", "get-configuration"},
                                                       {"appconfig", "get-hosted-configuration-version"},
                                                       {"appconfigdata", "get-latest-configuration"},
                                                       {"appsync", "get-introspection-schema"},
                                                       {"backupstorage", "get-chunk"},
                                                       {"backupstorage", "get-object-metadata"},
                                                       {"cloudfront", "get-function"},
                                                       {"codeartifact", "get-package-version-asset"},
                                                       {"codeguruprofiler", "get-profile"},
                                                       {"ebs", "get-snapshot-block"},
                                                       {"glacier", "get-job-output"},
                                                       {"iot", "create-certificate-from-csr"},
                                                       {"iot-data", "delete-thing-shadow"},
                                                       {"iot-data", "get-thing-shadow"},
                                                       {"iot-data", "update-thing-shadow"},
                                                       {"iotwireless", "get-position-estimate"},
                                                       {"iotwireless", "get-resource-position"},
                                                       {"kinesis-video-archived-media", "get-clip"},
                                                       {"kinesis-video-archived-media", "get-media-for-fragment-list"},
                                                       {"kinesis-video-media", "get-media"},
                                                       {"lakeformation", "get-work-unit-results"},
                                                       {"lambda", "invoke"},
                                                       {"lex-runtime", "post-content"},
                                                       {"lex-runtime", "put-session"},
                                                       {"lexv2-runtime", "put-session"},
                                                       {"lexv2-runtime", "recognize-utterance"},
                                                       {"location", "get-map-glyphs"},
                                                       {"location", "get-map-sprites"},
                                                       {"location", "get-map-style-descriptor"},
                                                       {"location", "get-map-tile"},
                                                       {"medialive", "describe-input-device-thumbnail"},
                                                       {"mediastore-data", "get-object"},
                                                       {"omics", "get-read-set"},
                                                       {"omics", "get-reference"},
                                                       {"polly", "synthesize-speech"},
                                                       {"s3api", "get-object"},
                                                       {"s3api", "get-object-torrent"},
                                                       {"s3api", "select-object-content"},
                                                       {"sagemaker-geospatial", "get-tile"},
                                                       {"sagemaker-runtime", "invoke-endpoint"},
                                                       {"schemas", "get-code-binding-source"},
                                                       {"workmailmessageflow", "get-raw-message-content"}});

// Operations whose answer is a credential or something decrypted.
constexpr auto kSecretOperations = std::to_array<Named>({{"acm", "export-certificate"},
                                                         {"amplifyuibuilder", "exchange-code-for-token"},
                                                         {"apigateway", "create-api-key"},
                                                         {"apigateway", "import-api-keys"},
                                                         {"appstream", "create-streaming-url"},
                                                         {"appsync", "create-api-key"},
                                                         {"appsync", "list-api-keys"},
                                                         {"codepipeline", "get-job-details"},
                                                         {"codepipeline", "get-third-party-job-details"},
                                                         {"codepipeline", "poll-for-jobs"},
                                                         {"cognito-idp", "admin-initiate-auth"},
                                                         {"cognito-idp", "admin-respond-to-auth-challenge"},
                                                         {"cognito-idp", "associate-software-token"},
                                                         {"cognito-idp", "create-user-pool-client"},
                                                         {"cognito-idp", "describe-user-pool-client"},
                                                         {"cognito-idp", "initiate-auth"},
                                                         {"cognito-idp", "respond-to-auth-challenge"},
                                                         {"cognito-idp", "update-user-pool-client"},
                                                         {"ec2", "create-key-pair"},
                                                         {"ec2", "get-password-data"},
                                                         {"ec2", "import-key-pair"},
                                                         {"finspace-data", "reset-user-password"},
                                                         {"gamelift", "create-build"},
                                                         {"gamelift", "get-compute-access"},
                                                         {"gamelift", "get-instance-access"},
                                                         {"grafana", "create-workspace-api-key"},
                                                         {"iam", "create-access-key"},
                                                         {"iam", "create-login-profile"},
                                                         {"iam", "create-virtual-mfa-device"},
                                                         {"iot", "create-keys-and-certificate"},
                                                         {"iot", "create-provisioning-claim"},
                                                         {"iotsecuretunneling", "open-tunnel"},
                                                         {"ivs", "create-stream-key"},
                                                         {"ivs", "get-stream-key"},
                                                         {"ivs-realtime", "create-participant-token"},
                                                         {"ivschat", "create-chat-token"},
                                                         {"kinesis-video-signaling", "get-ice-server-config"},
                                                         {"kms", "derive-shared-secret"},
                                                         {"kms", "generate-mac"},
                                                         {"kms", "generate-random"},
                                                         {"lambda", "get-function"},  // a link to its code
                                                         {"lambda", "get-layer-version"},
                                                         {"lambda", "get-layer-version-by-arn"},
                                                         {"license-manager", "create-token"},
                                                         {"lightsail", "create-bucket-access-key"},
                                                         {"lightsail", "create-container-service-registry-login"},
                                                         {"lightsail", "create-key-pair"},
                                                         {"lightsail", "download-default-key-pair"},
                                                         {"lightsail", "get-bucket-access-keys"},
                                                         {"mwaa", "create-cli-token"},
                                                         {"mwaa", "create-web-login-token"},
                                                         {"opsworks", "grant-access"},
                                                         {"qldb-session", "send-command"},
                                                         {"route53domains", "retrieve-domain-auth-code"},
                                                         {"s3", "presign"},
                                                         {"secretsmanager", "get-random-password"},
                                                         {"sso-oidc", "create-token"},
                                                         {"sso-oidc", "register-client"},
                                                         {"sts", "get-access-key-info"}});

// The same by what their names have in common, in any service, unless they begin with one of kHarmless.
constexpr auto kSecretNames =
    std::to_array<std::string_view>({"access-details", "access-token",     "api-keys",
                                     "assume-",        "auth-token",       "authorization-token",
                                     "credential",     "data-key",         "decrypt",
                                     "embed-url",      "federation-token", "get-api-key",
                                     "get-login",      "get-secret-value", "get-token",
                                     "identity-token", "id-token",         "master-user-password",
                                     "open-id-token",  "presign",          "session-token",
                                     "signin-token"});

constexpr auto kHarmless =
    std::to_array<std::string_view>({"associate-", "delete-", "describe-", "disable-", "disassociate-", "import-",
                                     "list-", "modify-", "put-", "remove-", "revoke-", "tag-", "untag-", "update-"});

struct Reads {
  std::string_view service;
  std::string_view operations;  // separated by spaces; one that ends in `-` stands for all that begin so
};

constexpr auto kReads = std::to_array<Reads>({
    {"acm", "describe- list- get-certificate"},
    {"application-autoscaling", "describe-"},
    {"athena", "list- get-query-execution get-work-group"},
    {"autoscaling", "describe-"},
    {"backup", "describe- list-"},
    {"cloudformation",
     "describe-account-limits describe-change-set describe-stack- describe-stacks list- get-stack-policy "
     "get-template-summary"},
    {"cloudfront", "list-invalidations list-tags-for-resource get-invalidation"},
    {"cloudtrail", "describe- list- lookup-events get-event-selectors get-trail get-trail-status"},
    {"cloudwatch", "describe- list- get-dashboard get-metric-data get-metric-statistics"},
    {"codebuild", "list-"},
    {"codepipeline",
     "list-pipelines list-pipeline-executions list-action-executions get-pipeline-execution "
     "get-pipeline-state"},
    {"dynamodb", "describe- list-"},
    {"ec2", "describe-"},
    {"ecr", "describe- list-"},
    {"ecs", "describe- list-"},
    {"efs", "describe-"},
    {"eks", "describe- list-"},
    {"elasticache", "describe- list-"},
    {"elb", "describe-"},
    {"elbv2", "describe-"},
    {"events", "describe- list-"},
    {"firehose", "list-"},
    {"health", "describe-"},
    {"iam",
     "list- get-account-summary get-group get-instance-profile get-policy get-policy-version get-role "
     "get-role-policy get-user"},
    {"kafka", "describe- list-"},
    {"kinesis", "describe- list-"},
    {"kms", "describe-key list-"},
    {"lambda",
     "get-account-settings get-function-concurrency get-policy list-aliases list-event-source-mappings "
     "list-tags"},
    {"logs", "describe- filter-log-events get-log-events get-query-results list-tags-for-resource"},
    {"opensearch", "describe- list-"},
    {"rds", "describe- list-tags-for-resource"},
    {"redshift", "describe-"},
    {"route53", "list- get-health-check-status get-hosted-zone"},
    {"s3", "ls"},
    {"s3api", "get-bucket- get-public-access-block head-bucket head-object list-"},
    {"secretsmanager", "describe-secret list-secrets list-secret-version-ids"},
    {"service-quotas", "get-service-quota list-"},
    {"sns", "list- get-topic-attributes"},
    {"sqs", "list- get-queue-attributes get-queue-url"},
    {"ssm", "describe- list- get-parameter get-parameters get-parameters-by-path"},
    {"stepfunctions", "describe-execution describe-state-machine list-"},
    {"sts", "get-caller-identity"},
    {"wafv2", "list- get-web-acl"},
});

// They only read, but what they show may hold secrets that nobody marked as such: variables of an environment, user
// data, the keys of a tunnel. A person says yes first.
constexpr auto kShown = std::to_array<Named>({{"ec2", "describe-fleets"},
                                              {"ec2", "describe-instance-attribute"},
                                              {"ec2", "describe-launch-template-versions"},
                                              {"ec2", "describe-spot-fleet-requests"},
                                              {"ec2", "describe-spot-instance-requests"},
                                              {"ec2", "describe-verified-access-trust-providers"},
                                              {"ec2", "describe-vpn-connections"},
                                              {"autoscaling", "describe-launch-configurations"},
                                              {"ecs", "describe-task-definition"},
                                              {"ssm", "describe-document"},
                                              {"ssm", "list-command-invocations"},
                                              {"ssm", "list-commands"}});

bool is_named(const auto& list, const Command& command) {
  return std::ranges::any_of(
      list, [&](const Named& one) { return one.service == command.service && one.operation == command.operation; });
}

bool is_word(std::string_view text) {
  const auto allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return !text.empty() && is_lower(text.front()) && !text.ends_with('-') && std::ranges::all_of(text, allowed);
}

bool is_option(std::string_view word) { return word.starts_with("--") && is_word(word.substr(2)); }

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

std::unexpected<Error> never(std::string message, std::string hint) {
  return fail(ErrorKind::permission, std::move(message), std::move(hint));
}

Result<> check_option(std::string_view option) {
  if (contains(kOwnOptions, option)) return {};
  const auto begins = [&](std::string_view one) { return one.starts_with(option); };
  const bool is_never = std::ranges::any_of(kNever, begins) || std::ranges::any_of(kOwnOptions, begins);
  if (is_never || option.starts_with("--cli-"))
    return never(fmt::format("aws_cli never takes {}", option),
                 "leave it out: address, identity and output are those of Deputy's settings");
  if (option.contains("decrypt") || begins("--with-decryption"))
    return never(fmt::format("aws_cli never takes {}: it shows secrets", option), "read the value elsewhere");
  return {};
}

// The CLI may take a value that begins with a hyphen for an option. It reads a file or an address where a value names
// one, in some values also in the middle.
Result<> check_value(std::string_view value) {
  if (value.starts_with('-') && !is_number(value))
    return fail(ErrorKind::invalid_input, fmt::format("`{}` is no value", cut_with_mark(value, 60)),
                "only options begin with a hyphen, and they with two");
  const std::string lower = to_lower(trim(value));
  for (const std::string_view scheme : {"file:", "fileb:", "http:", "https:"}) {
    if (lower.starts_with(scheme))
      return never(fmt::format("no value may begin with {}", scheme), "give the value itself");
  }
  // `Key@=file://…` reads a file inside a value; `@==` compares, in a query.
  bool assigns = false;
  for (std::size_t at = value.find("@="); at != std::string_view::npos; at = value.find("@=", at + 2))
    assigns = assigns || value.substr(at + 2, 1) != "=";
  if (assigns || lower.contains("file://") || lower.contains("fileb://"))
    return never("a value names a file of this machine", "give the value itself");
  return {};
}

Result<> check_names(const Command& command) {
  if (contains(kLocalServices, command.service) || command.operation == "help" || command.operation == "wait" ||
      (command.service == "s3" && command.operation == "website"))
    return never(fmt::format("aws_cli does not run `{} {}`", command.service, command.operation),
                 "it runs single operations of AWS services: ec2 describe-instances");
  if (is_named(kLocalOperations, command))
    return never(fmt::format("`{} {}` works on this machine, not only in AWS", command.service, command.operation),
                 "aws_cli runs operations of AWS services only");
  if (is_named(kFileOperations, command))
    return never(fmt::format("`{} {}` writes its answer to a file of this machine", command.service, command.operation),
                 "a person has to do that without Deputy");
  const std::string_view operation = command.operation;
  const bool is_harmless =
      std::ranges::any_of(kHarmless, [&](std::string_view one) { return operation.starts_with(one); });
  const bool sounds_secret =
      std::ranges::any_of(kSecretNames, [&](std::string_view one) { return operation.contains(one); }) ||
      (operation.starts_with("get-") && operation.contains("password"));
  if (is_named(kSecretOperations, command) || (sounds_secret && !is_harmless))
    return never(fmt::format("`{} {}` returns credentials or something decrypted", command.service, command.operation),
                 "a person has to do that without Deputy");
  return {};
}

Result<> check_positional(const Command& command, std::string_view word) {
  // Elsewhere a word without an option is the name of a file to write.
  if (command.service == "s3" && word.starts_with("s3://")) return {};
  return never(fmt::format("`{}` is no option, and may be a file of this machine", cut_with_mark(word, 60)),
               "give values after their options; s3 takes s3:// addresses");
}

bool is_deputys(std::string_view option) { return option == "--region" || option == "--output"; }

Result<> take_deputys(Command& command, std::string_view option, std::string value) {
  if (option == "--output") {
    if (value != "json") return fail(ErrorKind::invalid_input, "the output is always JSON", "leave --output out");
    return {};
  }
  if (!clients::aws::is_region(value))
    return fail(ErrorKind::invalid_input, "--region is not a region", "write it like eu-central-1");
  command.region = std::move(value);
  return {};
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view text) {
  constexpr std::string_view kNoShell = "no shell runs it: pipes, redirections, variables and substitutions do nothing";
  constexpr std::string_view kQuote = "put a value that needs these characters into single quotes";
  const auto no_shell = [&] { return fail(ErrorKind::invalid_input, std::string(kNoShell), std::string(kQuote)); };
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n')
      return fail(ErrorKind::invalid_input, "`command` has a control character", "leave it out");
    if (quote == '\'') {
      if (c == '\'') {
        quote = '\0';
      } else {
        word += c;
      }
      continue;
    }
    if (c == '\\') {
      if (at + 1 == text.size()) return fail(ErrorKind::invalid_input, "`command` ends in a backslash", "leave it out");
      const char next = text[++at];
      if (next == '\n') continue;  // a line that goes on
      if (quote == '"' && next != '"' && next != '\\') word += c;
      word += next;
      in_word = true;
      continue;
    }
    if (c == '$' || c == '`') return no_shell();
    if (quote == '"') {
      if (c == '"') {
        quote = '\0';
      } else {
        word += c;
      }
      continue;
    }
    if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (c == '\n' && !trim(text.substr(at)).empty()) return no_shell();
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else if (std::string_view("|&;<>()").contains(c)) {
      return no_shell();
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != '\0') return fail(ErrorKind::invalid_input, "`command` has a quote that does not end", "close it");
  if (in_word) words.push_back(std::move(word));
  return words;
}

Result<Command> parse_command(std::string_view text) {
  TRY(std::vector<std::string> words, split_words(text));
  if (!words.empty() && words.front() == "aws") words.erase(words.begin());
  if (words.size() < 2 || !is_word(words[0]) || !is_word(words[1]))
    return fail(ErrorKind::invalid_input, "`command` does not begin with a service and an operation",
                "write it like: ecs describe-services --cluster acme-prod --services checkout");
  if (words.size() > kMaxWords)
    return fail(ErrorKind::invalid_input, fmt::format("`command` has more than {} words", kMaxWords), "ask for less");
  Command command{std::move(words[0]), std::move(words[1]), {}, {}};
  TRY(check_names(command));
  bool has_option = false;
  for (std::size_t at = 2; at < words.size(); ++at) {
    std::string word = std::move(words[at]);
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      const std::string option = word.substr(0, equals);
      if (!is_option(option))
        return fail(ErrorKind::invalid_input, fmt::format("`{}` is no option", cut_with_mark(option, 60)),
                    "options are lower-case words after two hyphens");
      TRY(check_option(option));
      has_option = true;
      if (equals != std::string::npos) TRY(check_value(std::string_view(word).substr(equals + 1)));
      if (!is_deputys(option)) {
        command.arguments.push_back(std::move(word));
      } else if (equals != std::string::npos) {
        TRY(take_deputys(command, option, word.substr(equals + 1)));
      } else {
        if (at + 1 == words.size()) return fail(ErrorKind::invalid_input, option + " has no value", "give it");
        TRY(take_deputys(command, option, std::move(words[++at])));
      }
      continue;
    }
    TRY(check_value(word));
    if (!has_option) TRY(check_positional(command, word));
    command.arguments.push_back(std::move(word));
  }
  return command;
}

Judged judge(const Command& command) {
  if (is_named(kShown, command)) return Judged::may_change;
  const auto* const row = std::ranges::find(kReads, command.service, &Reads::service);
  if (row == kReads.end()) return Judged::may_change;
  for (const std::string_view one : split(row->operations, " ")) {
    const bool is_it = one.ends_with('-') ? command.operation.starts_with(one) : command.operation == one;
    if (is_it) return Judged::reads;
  }
  return Judged::may_change;
}

}  // namespace deputy::tools::aws

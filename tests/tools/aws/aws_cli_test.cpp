// aws_cli with the AWS CLI itself, over a strict stand-in for AWS.
#include "tools/aws/aws_cli.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/aws_ops.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "tools/call_tool.h"

namespace deputy::tools::aws {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kProgram = "/usr/bin/aws";

class AwsCli : public testing::Test, public test::OnLoop {
 protected:
  ~AwsCli() override { EXPECT_THAT(peer_.said(), Each(StartsWith("asked"))); }

  std::shared_ptr<const toolkit::Tool> tool() { return aws_tools({kProgram, &account_}).front(); }
  Result<std::string> call(const std::string& command, json::object more = {}) {
    more["command"] = command;
    TRY(const toolkit::Output output, await(test::call_chain(*tool(), more)));
    return output.text;
  }
  toolkit::Effect effect(const std::string& command) {
    return toolkit::effect_of(tool()->spec(), {{"command", command}});
  }

  SystemClock clock_;
  test::TemporaryFolder folder_;
  test::AwsOps peer_;
  net::Client http_{loop_.get_executor(), {}};
  clients::aws::Account account_{peer_.settings(), test::aws_environment(), http_, clock_, loop_.get_executor()};
};

TEST_F(AwsCli, RunsACommandWithDeputysCredentialsAndReturnsItsJson) {
  const auto text = call(
      "aws ecs describe-services --cluster acme-prod --services checkout-svc --query "
      "'services[].[serviceName, runningCount]'");
  ASSERT_OK(text);
  EXPECT_EQ(parse_json(*text), json::parse(R"([["checkout-svc", 2]])"));
  EXPECT_THAT(peer_.said(), ElementsAre(StartsWith("asked ecs.DescribeServices")));
}

TEST_F(AwsCli, TellsReadsFromCommandsThatChangeSomething) {
  EXPECT_EQ(effect("ecs describe-services --cluster c --services s"), toolkit::Effect::read);
  EXPECT_EQ(effect("ecs update-service --service s --desired-count 0"), toolkit::Effect::write);
  EXPECT_EQ(effect("ecs describe-services | sh"), toolkit::Effect::write);
  const auto words = toolkit::words_of(tool()->spec(), {{"command", "ecs update-service --service s"}});
  EXPECT_EQ(words.target, "AWS ecs update-service");
  EXPECT_THAT(words.why_write, HasSubstr("not on the list of commands that only read"));
  EXPECT_FALSE(tool()->compose({{"command", "ecs update-service --service s"}, {"region", ""}})->links()[0].repeatable);
  EXPECT_THAT(*call("ecs update-service --service s --desired-count 0"), HasSubstr("\"desiredCount\": 0"));
}

TEST_F(AwsCli, NeverRunsWhatReturnsCredentials) {
  ASSERT_FAILS(call("secretsmanager get-secret-value --secret-id x"), permission);
  ASSERT_FAILS(call("ecs list-clusters --endpoint-url http://127.0.0.1:1"), permission);
  EXPECT_THAT(peer_.said(), testing::IsEmpty());
}

TEST_F(AwsCli, AnErrorOfAwsKeepsItsCategory) {
  const auto missing = call("ecs describe-services --cluster gone --services x");
  ASSERT_FAILS(missing, not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("ClusterNotFoundException"));
  const auto unknown = call("ecs describe-everything");
  ASSERT_FAILS(unknown, invalid_input);
}

TEST_F(AwsCli, ARegionIsThatOfTheCallElseOfSettings) {
  const auto elsewhere = call("ecs list-clusters", {{"region", "us-east-1"}});
  ASSERT_FAILS(elsewhere, authentication);  // the account is in another region
  EXPECT_THAT(peer_.said(), ElementsAre(HasSubstr("us-east-1")));
  ASSERT_FAILS(call("ecs list-clusters --region us-east-1", {{"region", "eu-central-1"}}), invalid_input);
  ASSERT_FAILS(call("ecs list-clusters", {{"region", "evil.example/"}}), invalid_input);
}

TEST_F(AwsCli, IsStoppedWhenItTakesTooLongAndSaysWhereItPrintedNothing) {
  const auto run = [&](const std::string& script) {
    const std::string program = folder_.write("aws", "#!/bin/sh\n" + script + "\n").string();
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    toolkit::CallContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
    auto chain = aws_tools({program, &account_}).front()->compose({{"command", "ecs list-clusters"}});
    auto link = std::move(*chain).take("run");
    return await(link->handler.call(context));
  };
  const toolkit::Step slow = run("sleep 60");
  ASSERT_TRUE(std::holds_alternative<Error>(slow));
  EXPECT_EQ(std::get<Error>(slow).kind, ErrorKind::timeout);
  EXPECT_THAT(std::get<Error>(slow).hint, HasSubstr("--max-items"));
  const toolkit::Step silent = run("exit 0");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(silent));
  EXPECT_THAT(std::get<toolkit::Output>(silent).text, StartsWith("AWS answered nothing, or nothing that"));
}

TEST_F(AwsCli, IsCheckedByAskingWhoDeputyIs) {
  EXPECT_EQ(must(look_at_cli({kProgram, &account_}, std::chrono::seconds(30))),
            "/usr/bin/aws as arn:aws:iam::123456789012:user/deputy");
  const auto none = await(look_at_cli({"/nonexistent/aws", &account_}, std::chrono::seconds(30)));
  ASSERT_FAILS(none, not_configured);
  EXPECT_THAT(none.error().hint, HasSubstr("tools.aws_tools.program"));
}

TEST(AwsCliErrors, HaveACategoryAndAHint) {
  const Command command{"ecs", "list-clusters", {}, {}};
  const auto of = [&](const std::string& code) {
    return cli_error(command, 254, "An error occurred (" + code + ") when calling the ListClusters operation: why");
  };
  const std::vector<std::pair<std::string, ErrorKind>> rows{{"AccessDeniedException", ErrorKind::permission},
                                                            {"UnauthorizedOperation", ErrorKind::permission},
                                                            {"ExpiredTokenException", ErrorKind::authentication},
                                                            {"UnrecognizedClientException", ErrorKind::authentication},
                                                            {"ThrottlingException", ErrorKind::rate_limit},
                                                            {"ClusterNotFoundException", ErrorKind::not_found},
                                                            {"ValidationError", ErrorKind::invalid_input},
                                                            {"InternalFailure", ErrorKind::upstream},
                                                            {"401", ErrorKind::authentication},
                                                            {"403", ErrorKind::permission},
                                                            {"404", ErrorKind::not_found},
                                                            {"410", ErrorKind::not_found},
                                                            {"GoneException", ErrorKind::not_found},
                                                            {"429", ErrorKind::rate_limit},
                                                            {"500", ErrorKind::upstream},
                                                            {"502", ErrorKind::upstream},
                                                            {"503", ErrorKind::upstream},
                                                            {"504", ErrorKind::timeout},
                                                            {"302", ErrorKind::upstream}};
  for (const auto& [code, kind] : rows) {
    EXPECT_EQ(name(of(code).kind), name(kind)) << code;
    EXPECT_FALSE(of(code).hint.empty()) << code;
  }
  EXPECT_EQ(of("AccessDenied").hint, "allow ecs:ListClusters for the key or role that Deputy uses");
  // What the CLI says of a response that breaks off, is no XML, or does not come.
  const std::vector<std::pair<std::string, ErrorKind>> said{
      {"Could not connect to the endpoint URL: \"x\"", ErrorKind::network},
      {"Connection was closed before we received a valid response from endpoint URL: \"x\".", ErrorKind::network},
      {"9 read, but total bytes expected is 900.", ErrorKind::network},
      {"SSL validation failed for x certificate verify failed", ErrorKind::network},
      {"Read timeout on endpoint URL: \"x\"", ErrorKind::timeout},
      {"Unable to parse response (no element found: line 1, column 0), invalid XML received. Further retries may "
       "succeed:\nb''",
       ErrorKind::upstream}};
  for (const auto& [line, kind] : said) {
    EXPECT_EQ(name(cli_error(command, 255, line).kind), name(kind)) << line;
    EXPECT_FALSE(cli_error(command, 255, line).hint.empty()) << line;
  }
  EXPECT_EQ(cli_error(command, 252, "aws: error: argument").kind, ErrorKind::invalid_input);
  EXPECT_EQ(cli_error(command, 1, "").kind, ErrorKind::upstream);
}

// A word of theirs after any option is the name of the file to write.
TEST(AwsCliModels, NameNoOperationWithAStreamThatDeputyWouldRun) {
  constexpr const char* kOperationsWithAStream = R"(
import glob, gzip, json, os
from awscli.botocore import __file__ as botocore, xform_name
data = os.path.join(os.path.dirname(botocore), 'data')
for service in sorted(os.listdir(data)):
    models = sorted(glob.glob(f'{data}/{service}/*/service-2.json*'))
    if not models: continue
    with (gzip.open if models[-1].endswith('.gz') else open)(models[-1]) as file: model = json.load(file)
    for name, operation in model['operations'].items():
        output = model['shapes'][operation['output']['shape']] if 'output' in operation else {}
        payload = output.get('members', {}).get(output.get('payload'))
        if payload and model['shapes'][payload['shape']]['type'] == 'blob':
            print({'s3': 's3api'}.get(service, service), xform_name(name, '-'))
)";
  test::Child models({"/usr/bin/python3", "-c", kOperationsWithAStream});
  const std::vector<std::string> operations = models.read_rest();
  EXPECT_THAT(operations, testing::Contains("s3api get-object"));
  for (const std::string& operation : operations)
    EXPECT_FAILS(parse_command(operation + " --x y /tmp/out"), permission) << operation;
}

TEST(AwsCliNotSetUp, SaysWhatToSet) {
  const auto tools = aws_tools({});
  EXPECT_THAT(tools.front()->spec().missing, HasSubstr("tools.aws_tools.program"));
  EXPECT_THAT(toolkit::check_spec(tools.front()->spec()), testing::IsEmpty());
}

}  // namespace
}  // namespace deputy::tools::aws

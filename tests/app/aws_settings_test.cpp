// The settings of what works over AWS, seen in calls made by hand and in `doctor`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/aws_ops.h"

namespace deputy {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class AwsSettingsAtWork : public testing::Test {
 protected:
  AwsSettingsAtWork() {
    for (const auto& [name, value] : test::aws_environment()) deputy_.variables[name] = value;
  }
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  /// `aws` in place of the whole account's address.
  void set(const std::string& rest, const std::string& aws = {}) {
    const std::string address = aws.empty() ? fmt::format("endpoint_url: '{}'", peer_.url()) : aws;
    deputy_.write_user(fmt::format("aws: {{region: eu-central-1, {}}}\n{}\n", address, rest));
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }

  test::Program deputy_;
  test::AwsOps peer_;
};

TEST_F(AwsSettingsAtWork, EnabledTurnsCloudWatchOn) {
  set("");
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("tools.alarm_tools.cloudwatch.enabled"));
  set("tools: {alarm_tools: {cloudwatch: {enabled: true}}}");
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("2 alarms firing: Checkout is down, checkout-cpu"));
  EXPECT_THAT(doctor(), ContainsRegex("alarms +ok +alarms and metrics in eu-central-1 can be read"));
  deputy_.variables["AWS_SECRET_ACCESS_KEY"] = "wrong";
  EXPECT_THAT(doctor(), ContainsRegex("alarms +broken .*does not accept the credentials"));
}

TEST_F(AwsSettingsAtWork, ClustersAndEcsServiceSayWhichServiceOfEcsIsMeant) {
  set("tools: {alarm_tools: {cloudwatch: {clusters: {prod: acme-prod}}}}");
  const std::string arguments = R"({"service": "checkout", "environment": "prod"})";
  EXPECT_THAT(call("get_ecs_metrics", arguments), HasSubstr("`acme-prod` has no service `checkout`"));
  EXPECT_THAT(doctor(), ContainsRegex("ecs +ok +the cluster acme-prod can be read"));
  set("tools: {alarm_tools: {cloudwatch: {clusters: {prod: acme-prod}, ecs_service: '{service}-svc'}}}");
  EXPECT_THAT(call("get_ecs_metrics", arguments), HasSubstr("checkout in prod: 2 of 3 tasks running"));
  set("tools: {alarm_tools: {cloudwatch: {ecs_service: all}}}");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("does not tell one service from another"));
}

TEST_F(AwsSettingsAtWork, ProgramSaysWhichAwsCliIsRun) {
  set("");
  EXPECT_THAT(call("aws_cli", R"({"command": "ecs list-clusters"})"), HasSubstr("tools.aws_tools.program"));
  set("tools: {aws_tools: {program: /usr/bin/aws}}");
  EXPECT_THAT(call("aws_cli", R"({"command": "ecs list-clusters"})"), HasSubstr("cluster/acme-prod"));
  EXPECT_THAT(doctor(), ContainsRegex("aws cli +ok +/usr/bin/aws as arn:aws:iam::123456789012:user/deputy"));
  set("tools: {aws_tools: {program: /nonexistent/aws}}");
  EXPECT_THAT(call("aws_cli", R"({"command": "ecs list-clusters"})"),
              HasSubstr("there is no AWS CLI at /nonexistent/aws"));
}

TEST_F(AwsSettingsAtWork, ServicesMayBeInS3) {
  set("services: {s3: 's3://acme-config/services.yaml'}");
  EXPECT_THAT(call("get_service_info", R"({"service_name": "cart"})"), HasSubstr("Checkout API"));
  EXPECT_THAT(doctor(), ContainsRegex("services +ok +1 service"));
  set("services: {s3: 's3://acme-config/none.yaml'}");
  EXPECT_THAT(doctor(), ContainsRegex("services +broken .*NoSuchKey"));
  set("services: {s3: 's3://acme-config/broken.yaml'}");
  EXPECT_THAT(doctor(), ContainsRegex("services +broken .*s3://acme-config/broken.yaml"));
  set("services: {s3: acme-config}");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("s3://bucket/some/key"));
}

TEST_F(AwsSettingsAtWork, IdSaysWhichKnowledgeBaseIsSearched) {
  const std::string arguments = R"({"query": "retry payment"})";
  set("tools: {code_tools: {bedrock_kb: {id: KB12345678}}}");
  EXPECT_THAT(call("search_code", arguments), HasSubstr("s3://acme-code/shop/payment.py"));
  EXPECT_THAT(call("get_file", R"({"repo": "shop", "path": "a"})"), HasSubstr("local repositories only"));
  EXPECT_THAT(doctor(), ContainsRegex("code \\(bedrock_kb\\) +ok +knowledge base KB12345678"));
  set("tools: {code_tools: {bedrock_kb: {id: KBUNKNOWN1}}}");
  EXPECT_THAT(call("search_code", arguments), HasSubstr("tools.code_tools.bedrock_kb.id"));
  set("tools: {code_tools: {bedrock_kb: {id: nonsense/}}}");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("not the id of a knowledge base"));
}

TEST_F(AwsSettingsAtWork, GroupsSayWhichLogGroupsAreSearched) {
  const auto groups = [&](const std::string& list) {
    set(fmt::format("tools: {{log_tools: {{cloudwatch: {{groups: [{}]}}}}}}", list));
  };
  const std::string arguments = R"({"query": "*", "service": "checkout", "environment": "prod"})";
  groups("{group: '/ecs/{environment}/{service}'}");
  EXPECT_THAT(call("search_logs", arguments), HasSubstr("Read 1 group (/ecs/prod/checkout)"));
  EXPECT_THAT(doctor(), ContainsRegex("logs +ok +CloudWatch Logs in eu-central-1: 4 log groups of 3 services"));
  groups("{group: '/lambda/nightly', environment: prod, service: jobs}");
  EXPECT_THAT(call("search_logs", R"({"query": "*", "service": "jobs", "environment": "prod"})"),
              HasSubstr("nothing of ours"));
  groups("{group: '/lambda/nightly'}");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("the group does not name the service"));
}

TEST_F(AwsSettingsAtWork, MaxScanSaysWhenALongRangeAsks) {
  const std::string rest = "cloudwatch: {groups: [{group: '/ecs/{environment}/{service}'}]}";
  const std::string arguments = R"({"query": "payment", "environment": "prod", "hours_back": 48})";
  set(fmt::format("tools: {{log_tools: {{{}}}}}", rest));
  EXPECT_THAT(call("search_logs", arguments), HasSubstr("of logs, which is charged for"));
  set(fmt::format("tools: {{log_tools: {{{}, max_scan: 72h}}}}", rest));
  EXPECT_THAT(call("search_logs", arguments), HasSubstr("3 entries with `payment`"));
}

TEST_F(AwsSettingsAtWork, EachServiceMayHaveAnAddressOfItsOwn) {
  const std::string tools =
      "tools: {alarm_tools: {cloudwatch: {enabled: true, clusters: {prod: acme-prod}, ecs_service: '{service}-svc'}}}";
  const std::string nowhere = "endpoint_url: 'http://127.0.0.1:1'";
  set(tools, nowhere);
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("CloudWatch: cannot connect to `127.0.0.1:1`"));
  set(tools, fmt::format("{}, endpoint_url_cloudwatch: '{}'", nowhere, peer_.url()));
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("2 alarms firing"));
  const std::string arguments = R"({"service": "checkout", "environment": "prod"})";
  EXPECT_THAT(call("get_ecs_metrics", arguments), HasSubstr("the number of tasks is unknown"));
  set(tools,
      fmt::format("{}, endpoint_url_cloudwatch: '{}', endpoint_url_ecs: '{}'", nowhere, peer_.url(), peer_.url()));
  EXPECT_THAT(call("get_ecs_metrics", arguments), HasSubstr("2 of 3 tasks running"));
  const std::string code = "tools: {code_tools: {bedrock_kb: {id: KB12345678}}}";
  set(code, fmt::format("{}, endpoint_url_bedrock_agent_runtime: '{}'", nowhere, peer_.url()));
  EXPECT_THAT(call("search_code", R"({"query": "retry"})"), HasSubstr("payment.py"));
  const std::string logs = "tools: {log_tools: {cloudwatch: {groups: [{group: '/ecs/{environment}/{service}'}]}}}";
  set(logs, fmt::format("{}, endpoint_url_cloudwatch_logs: '{}'", nowhere, peer_.url()));
  EXPECT_THAT(call("search_logs", R"({"query": "payment", "environment": "prod"})"), HasSubstr("3 entries with"));
}

}  // namespace
}  // namespace deputy

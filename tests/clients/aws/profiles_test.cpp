// The AWS files, endpoints and settings as data.
#include "clients/aws/profiles.h"

#include <gtest/gtest.h>

#include "clients/aws/settings.h"
#include "config/environment.h"
#include "support/results.h"

namespace deputy::clients::aws {
namespace {

struct Row {
  const char* name;
  ProfileFile file;
  const char* text;
  Sections sections;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class ProfilesFile : public testing::TestWithParam<Row> {};

TEST_P(ProfilesFile, IsRead) { EXPECT_EQ(parse_profiles(GetParam().text, GetParam().file), GetParam().sections); }

INSTANTIATE_TEST_SUITE_P(
    Rows, ProfilesFile,
    testing::Values(
        Row{"Empty", ProfileFile::config, "", {}},
        Row{"Credentials",
            ProfileFile::credentials,
            "[a]\nx = 1\n[profile b]\ny=2\n",
            {{"a", {{"x", "1"}}}, {"profile b", {{"y", "2"}}}}},
        Row{"Config",
            ProfileFile::config,
            "[default]\nx = 1\n[profile b]\ny = 2\n[c]\nz = 3\n",
            {{"default", {{"x", "1"}}}, {"b", {{"y", "2"}}}}},
        Row{"QuotedName", ProfileFile::config, "[profile \"two words\"]\nx=1\n", {{"two words", {{"x", "1"}}}}},
        Row{"Comments",
            ProfileFile::config,
            "# a\n; b\n[default] # c\nx = 1 # d\ny = a#b ; e\n",
            {{"default", {{"x", "1"}, {"y", "a#b"}}}}},
        Row{"LineEnds", ProfileFile::config, "\xEF\xBB\xBF[default]\r\nx = 1\r\n", {{"default", {{"x", "1"}}}}},
        Row{"KeysInCapitals", ProfileFile::config, "[default]\nRegion = eu\n", {{"default", {{"region", "eu"}}}}},
        Row{"NestedSettings",
            ProfileFile::config,
            "[default]\ns3 =\n  addressing_style = path\nx = 1\n",
            {{"default", {{"s3", ""}, {"x", "1"}}}}},
        Row{"Twice",
            ProfileFile::config,
            "[default]\nx = 1\ny = 1\n[default]\nx = 2\n",
            {{"default", {{"x", "2"}, {"y", "1"}}}}},
        Row{"EqualsInTheValue", ProfileFile::credentials, "[a]\nk = ab/c+d==\n", {{"a", {{"k", "ab/c+d=="}}}}}),
    [](const auto& info) { return info.param.name; });

TEST(ProfilesFileProblems, NameTheLineAndNotItsText) {
  for (const char* text : {"[default\nx = 1\n", "\nhunter2\n", "[default]\nhunter2\n"}) {
    const auto sections = parse_profiles(text, ProfileFile::credentials);
    ASSERT_FAILS(sections, invalid_input);
    EXPECT_FALSE(describe(sections.error()).contains("hunter2"));
    EXPECT_TRUE(sections.error().message.contains("line "));
  }
}

TEST(Endpoints, AreTheServicesOwnUnlessSet) {
  Settings settings;
  EXPECT_EQ(endpoint(settings, Service::bedrock_runtime, "eu-central-1"),
            "https://bedrock-runtime.eu-central-1.amazonaws.com");
  EXPECT_EQ(endpoint(settings, Service::sts, "cn-north-1"), "https://sts.cn-north-1.amazonaws.com.cn");
  EXPECT_FAILS(endpoint(settings, Service::s3, ""), not_configured);
  EXPECT_FAILS(endpoint(settings, Service::s3, "evil.example/"), not_configured);
  settings.endpoint_url = "https://all.example/";
  settings.endpoint_url_s3 = "http://localhost:9000";
  EXPECT_EQ(endpoint(settings, Service::s3, "x"), "http://localhost:9000");
  EXPECT_EQ(endpoint(settings, Service::sts, "x"), "https://all.example");
  settings.endpoint_url = "http://all.example/";
  EXPECT_FAILS(endpoint(settings, Service::sts, "x"), invalid_input);
}

TEST(AwsSettings, ComeFromTheUsualVariablesAndAreChecked) {
  const auto docs = describe_fields<Settings>();
  const std::map<std::string, std::string> expected{
      {"region", "AWS_REGION"},
      {"profile", "AWS_PROFILE"},
      {"endpoint_url", "AWS_ENDPOINT_URL"},
      {"endpoint_url_bedrock_agent_runtime", "AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME"},
      {"endpoint_url_cloudwatch", "AWS_ENDPOINT_URL_CLOUDWATCH"},
      {"endpoint_url_cloudwatch_logs", "AWS_ENDPOINT_URL_CLOUDWATCH_LOGS"},
      {"endpoint_url_ecs", "AWS_ENDPOINT_URL_ECS"},
      {"endpoint_url_bedrock_runtime", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"},
      {"endpoint_url_s3", "AWS_ENDPOINT_URL_S3"},
      {"endpoint_url_sts", "AWS_ENDPOINT_URL_STS"}};
  std::map<std::string, std::string> variables;
  for (const FieldDoc& doc : docs) variables[doc.path] = doc.variable;
  EXPECT_EQ(variables, expected);
  EXPECT_OK(parse_arguments<Settings>({{"region", "eu-central-1"}, {"endpoint_url", "http://127.0.0.1:4566"}}));
  EXPECT_FAILS(parse_arguments<Settings>({{"region", "eu_central/1"}}), invalid_input);
  EXPECT_FAILS(parse_arguments<Settings>({{"endpoint_url_s3", "http://example.com"}}), invalid_input);
  EXPECT_FAILS(parse_arguments<Settings>({{"endpoint_url_sts", "example.com"}}), invalid_input);
}

}  // namespace
}  // namespace deputy::clients::aws

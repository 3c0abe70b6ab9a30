// Where credentials come from, link by link, over real sockets where a link speaks.
#include <sys/stat.h>

#include "clients/aws/aws_fixture.h"
#include "clients/aws/metadata.h"
#include "support/held.h"

namespace deputy::clients::aws {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPlainKeys = "aws_access_key_id = AKIDPLAIN\naws_secret_access_key = secret-of-plain\n";

TEST_F(AwsTest, WithoutAnyCredentialsTheErrorSaysWhatToSet) {
  const auto found = find();
  ASSERT_FAILS(found, not_configured);
  EXPECT_THAT(found.error().hint, HasSubstr("AWS_ACCESS_KEY_ID"));
  EXPECT_THAT(peer.said(), IsEmpty());
}

TEST_F(AwsTest, TheEnvironmentComesFirst) {
  write_credentials(std::string("[default]\n") + kPlainKeys);
  around.environment.insert(
      {{"AWS_ACCESS_KEY_ID", "AKIDENV"}, {"AWS_SECRET_ACCESS_KEY", "s"}, {"AWS_SESSION_TOKEN", "t"}});
  EXPECT_EQ(shown(find()), "AKIDENV s t from the environment");
  around.environment.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_FAILS(find(), not_configured);
}

TEST_F(AwsTest, AProfileOfSettingsIsMeantAndOneOfTheEnvironmentOnlyWithoutKeys) {
  write_credentials(std::string("[ops]\n") + kPlainKeys);
  around.environment.insert({{"AWS_ACCESS_KEY_ID", "AKIDENV"}, {"AWS_SECRET_ACCESS_KEY", "s"}});
  around.settings.profile = "ops";
  EXPECT_THAT(shown(find()), HasSubstr("AKIDPLAIN"));
  around.environment["AWS_PROFILE"] = "ops";
  EXPECT_THAT(shown(find()), HasSubstr("AKIDENV"));
}

TEST_F(AwsTest, ARoleMayBeTakenOnWithTheKeysOfTheEnvironment) {
  write_config("[profile ops]\nrole_arn = arn:role/a\ncredential_source = Environment\n");
  around.environment.insert({{"AWS_ACCESS_KEY_ID", "AKIDPLAIN"}, {"AWS_SECRET_ACCESS_KEY", "secret-of-plain"}});
  around.settings.profile = "ops";
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
}

TEST_F(AwsTest, TheCredentialsFileComesBeforeTheConfigFile) {
  write_config(std::string("[default]\naws_access_key_id=AKIDCONFIG\naws_secret_access_key=c\n"));
  EXPECT_EQ(shown(find()), "AKIDCONFIG c  from the profile `default` of the AWS config file");
  write_credentials(std::string("[default]\n") + kPlainKeys);
  EXPECT_EQ(shown(find()), "AKIDPLAIN secret-of-plain  from the profile `default` of the AWS credentials file");
}

TEST_F(AwsTest, AProfileThatIsNamedMustBeThere) {
  write_credentials("[ops]\naws_access_key_id=A\naws_secret_access_key=s\n");
  around.settings.profile = "ops";
  EXPECT_EQ(shown(find()), "A s  from the profile `ops` of the AWS credentials file");
  around.settings.profile = "opps";
  EXPECT_FAILS(find(), not_configured);
}

TEST_F(AwsTest, TheFilesMayStandElsewhere) {
  around.environment["AWS_SHARED_CREDENTIALS_FILE"] =
      folder.write("keys", "[default]\n" + std::string(kPlainKeys)).string();
  EXPECT_THAT(shown(find()), HasSubstr("AKIDPLAIN"));
}

TEST_F(AwsTest, AFileThatIsNoFileIsAnErrorAndHangsNobody) {
  around.environment["AWS_SHARED_CREDENTIALS_FILE"] = (folder / "pipe").string();
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FAILS(find(), invalid_input);
  around.environment["AWS_SHARED_CREDENTIALS_FILE"] = folder.write("large", std::string(2'000'000, '#')).string();
  EXPECT_FAILS(find(), invalid_input);
}

TEST_F(AwsTest, ARoleIsTakenOnWithTheKeysOfAnotherProfile) {
  write_credentials(std::string("[base]\n") + kPlainKeys);
  write_config(
      "[default]\nrole_arn = arn:aws:iam::1:role/ops\nsource_profile = base\nexternal_id = x y\n"
      "duration_seconds = 1800\nrole_session_name = night\n");
  EXPECT_EQ(shown(find()), "ASIA1 secret-1 token/1+= from the role `arn:aws:iam::1:role/ops`");
  EXPECT_THAT(peer.said(),
              ElementsAre("sts AssumeRole arn:aws:iam::1:role/ops by AKIDPLAIN eu-central-1 night x y 1800"));
}

TEST_F(AwsTest, RolesMayFollowOneAnother) {
  write_credentials(std::string("[base]\n") + kPlainKeys);
  write_config(
      "[default]\nrole_arn = arn:role/a\nsource_profile = middle\n"
      "[profile middle]\nrole_arn = arn:role/b\nsource_profile = base\n");
  const auto found = find();
  EXPECT_THAT(shown(found), HasSubstr("ASIA2 "));
  EXPECT_EQ(found->expires, clock.now() + std::chrono::hours(1));
  EXPECT_THAT(peer.said(), ElementsAre("sts AssumeRole arn:role/b by AKIDPLAIN eu-central-1 deputy - -",
                                       "sts AssumeRole arn:role/a by ASIA1 eu-central-1 deputy - -"));
}

TEST_F(AwsTest, ARoleIsTakenOnAlsoWhereTheClockIsOff) {
  write_credentials(std::string("[base]\n") + kPlainKeys);
  write_config("[default]\nrole_arn = arn:role/a\nsource_profile = base\n");
  for (const std::chrono::hours off : {std::chrono::hours(2), std::chrono::hours(-4)}) {
    clock.advance(off);
    const auto found = find();
    ASSERT_OK(found);
    EXPECT_EQ(found->expires, clock.now() + std::chrono::hours(1));
    EXPECT_THAT(peer.said(), ElementsAre("sts AssumeRole arn:role/a by AKIDPLAIN eu-central-1 deputy - -"));
  }
}

TEST_F(AwsTest, AProfileMayBeItsOwnSource) {
  write_config(std::string("[default]\nrole_arn = arn:role/a\nsource_profile = default\n") + kPlainKeys);
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
}

TEST_F(AwsTest, ARoleTakesItsFirstKeysFromWhereItsProfileSays) {
  around.environment.insert({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", peer.url("/container")}});
  write_config("[default]\nrole_arn = arn:role/a\ncredential_source = EcsContainer\n");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA2 "));
  around.environment["AWS_EC2_METADATA_DISABLED"] = "false";
  around.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = peer.url();
  write_config("[default]\nrole_arn = arn:role/a\ncredential_source = Ec2InstanceMetadata\n");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA4 "));
}

struct WrongConfig {
  const char* name;
  const char* text;
  const char* said;
};

void PrintTo(const WrongConfig& row, std::ostream* out) { *out << row.name; }

class WrongProfile : public AwsTest, public testing::WithParamInterface<WrongConfig> {};

TEST_P(WrongProfile, IsAnErrorThatSaysWhy) {
  write_config(GetParam().text);
  around.settings.profile = "p";
  const auto found = find();
  ASSERT_FAILS(found, not_configured);
  EXPECT_THAT(describe(found.error()), HasSubstr(GetParam().said));
  EXPECT_THAT(describe(found.error()), testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(peer.said(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongProfile,
    testing::Values(
        WrongConfig{"NoSource", "[profile p]\nrole_arn = r\n", "needs either source_profile or credential_source"},
        WrongConfig{"TwoSources",
                    "[profile p]\nrole_arn = r\nsource_profile = q\ncredential_source = Environment\n[profile q]\n",
                    "needs either"},
        WrongConfig{"SourceIsNowhere", "[profile p]\nrole_arn = r\nsource_profile = q\n", "does not exist"},
        WrongConfig{"Circle",
                    "[profile p]\nrole_arn = r\nsource_profile = q\n[profile q]\nrole_arn = r\nsource_profile = p\n",
                    "circular"},
        WrongConfig{"OwnSourceWithoutKeys", "[profile p]\nrole_arn = r\nsource_profile = p\n", "circular"},
        WrongConfig{"SourceWithoutKeys", "[profile p]\nrole_arn = r\nsource_profile = q\n[profile q]\n", "has no keys"},
        WrongConfig{"UnknownSource", "[profile p]\nrole_arn = r\ncredential_source = Moon\n",
                    "unknown credential_source"},
        WrongConfig{"Device",
                    "[profile p]\nrole_arn = r\nsource_profile = q\nmfa_serial = m\n"
                    "[profile q]\naws_access_key_id = a\naws_secret_access_key = hunter2\n",
                    "MFA code"},
        WrongConfig{"SingleSignOn", "[profile p]\nsso_session = s\n[sso-session s]\nsso_start_url = u\n",
                    "single sign-on"},
        WrongConfig{"SourceWithSingleSignOn",
                    "[profile p]\nrole_arn = r\nsource_profile = q\n[profile q]\nsso_session = s\n",
                    "`q` uses single sign-on"},
        WrongConfig{"Login", "[profile p]\nlogin_session = s\n", "aws login"},
        WrongConfig{"Process", "[profile p]\ncredential_process = get hunter2\n", "credential_process"}),
    [](const auto& info) { return info.param.name; });

TEST_F(AwsTest, ARoleThatIsRefusedSaysSoWithoutAKey) {
  write_credentials(std::string("[base]\n") + kPlainKeys);
  write_config("[default]\nrole_arn = arn:role/denied\nsource_profile = base\n");
  const auto found = find();
  ASSERT_FAILS(found, permission);
  EXPECT_THAT(describe(found.error()), HasSubstr("AccessDenied"));
  EXPECT_THAT(describe(found.error()), testing::Not(HasSubstr("secret-of-plain")));
  write_config("[default]\nrole_arn = arn:role/mute\nsource_profile = base\n");
  EXPECT_FAILS(find(), upstream);
}

TEST_F(AwsTest, AWebIdentityIsSentUnsignedAndItsFileReadAnew) {
  around.environment.insert(
      {{"AWS_WEB_IDENTITY_TOKEN_FILE", folder.write("token", "first\n").string()}, {"AWS_ROLE_ARN", "arn:role/pod"}});
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
  folder.write("token", "second");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA2 "));
  EXPECT_THAT(peer.said(), ElementsAre("sts AssumeRoleWithWebIdentity arn:role/pod first",
                                       "sts AssumeRoleWithWebIdentity arn:role/pod second"));
  folder.write("token", "stale");
  EXPECT_FAILS(find(), authentication);
  folder.write("token", "");
  EXPECT_FAILS(find(), not_configured);
  around.environment.erase("AWS_ROLE_ARN");
  EXPECT_FAILS(find(), not_configured);
}

TEST_F(AwsTest, AWebIdentityMayStandInAProfile) {
  write_config(
      "[default]\nrole_arn = arn:role/pod\nweb_identity_token_file = " + folder.write("token", "jwt").string() + "\n");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
}

TEST_F(AwsTest, AProfileOfSettingsComesBeforeTheWebIdentityOfTheEnvironment) {
  write_credentials(std::string("[ops]\n") + kPlainKeys);
  around.environment.insert(
      {{"AWS_WEB_IDENTITY_TOKEN_FILE", folder.write("token", "jwt").string()}, {"AWS_ROLE_ARN", "arn:role/pod"}});
  around.settings.profile = "ops";
  EXPECT_EQ(shown(find()), "AKIDPLAIN secret-of-plain  from the profile `ops` of the AWS credentials file");
  EXPECT_THAT(peer.said(), IsEmpty());
  around.environment["AWS_PROFILE"] = "ops";
  EXPECT_THAT(shown(find()), HasSubstr("the role `arn:role/pod`"));
}

TEST_F(AwsTest, AContainerIsAskedWithItsToken) {
  around.environment.insert({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", peer.url("/container")},
                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "by variable"}});
  EXPECT_EQ(shown(find()), "ASIA1 secret-1 token/1+= from the container's credentials endpoint");
  around.environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = folder.write("token", "by file").string();
  EXPECT_THAT(shown(find()), HasSubstr("ASIA2 "));
  folder.write("token", "by file again");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA3 "));
  EXPECT_THAT(peer.said(), ElementsAre("container /container by variable", "container /container by file",
                                       "container /container by file again"));
  folder.write("token", "by file\r\nX-Evil: yes");
  EXPECT_FAILS(find(), not_configured);
  folder.write("token", "wrong");
  EXPECT_FAILS(find(), authentication);
}

TEST_F(AwsTest, AContainerThatStumblesIsAskedThreeTimes) {
  around.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = peer.url("/container/stumbles");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
  EXPECT_EQ(peer.said().size(), 3U);
  around.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = peer.url("/container/broken");
  EXPECT_FAILS(find(), upstream);
}

TEST(ContainerAddress, IsHttpsOrThisMachineOrOneOfTheList) {
  const auto address = [](const char* uri) {
    const auto url = container_address({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", uri}});
    return url ? (*url)->text : std::string(name(url.error().kind));
  };
  for (const char* uri : {"https://example.com/x", "http://127.0.0.1:81/x", "http://localhost/x", "http://[::1]/x",
                          "http://169.254.170.2/x", "http://169.254.170.23/x", "http://[fd00:ec2::23]/x"}) {
    EXPECT_EQ(address(uri), uri);
  }
  for (const char* uri :
       {"http://example.com/x", "http://169.254.169.254/x", "http://169.254.170.2.example.com/x",
        "http://localhost.example.com/", "http://10.0.0.1/", "ftp://localhost/", "x", "http://u@localhost/"}) {
    EXPECT_EQ(address(uri), "not_configured");
  }
  const auto relative = [](const char* uri) {
    return container_address({{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", uri}});
  };
  EXPECT_EQ(test::held(*relative("/v2/credentials/x")).text, "http://169.254.170.2/v2/credentials/x");
  EXPECT_FAILS(relative("@evil.example/"), not_configured);
  EXPECT_FAILS(relative(".evil.example/"), not_configured);
  EXPECT_EQ(*container_address({}), std::nullopt);
}

TEST_F(AwsTest, AnInstanceIsAskedForATokenFirst) {
  around.environment["AWS_EC2_METADATA_DISABLED"] = "false";
  around.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = peer.url("/");
  EXPECT_EQ(shown(find()), "ASIA1 secret-1 token/1+= from the instance's metadata service");
  EXPECT_THAT(peer.said(),
              ElementsAre("instance PUT /latest/api/token -",
                          "instance GET /latest/meta-data/iam/security-credentials/ instance-token",
                          "instance GET /latest/meta-data/iam/security-credentials/ops-role instance-token"));
}

TEST_F(AwsTest, AnOldInstanceHasNoTokens) {
  around.environment["AWS_EC2_METADATA_DISABLED"] = "false";
  around.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = peer.url("/old-instance");
  EXPECT_THAT(shown(find()), HasSubstr("ASIA1 "));
  around.environment["AWS_EC2_METADATA_V1_DISABLED"] = "true";
  EXPECT_FAILS(find(), not_configured);
}

TEST_F(AwsTest, AnInstanceThatFailsOrSaysNothingIsNone) {
  around.environment["AWS_EC2_METADATA_DISABLED"] = "false";
  for (const char* path : {"/no-instance", "/silent-instance"}) {
    around.environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = peer.url(path);
    EXPECT_FAILS(find(), not_configured);
    EXPECT_THAT(peer.said(), ElementsAre("instance PUT /latest/api/token -"));
  }
}

TEST_F(AwsTest, TheRegionIsTheSettingsElseTheVariablesElseTheProfiles) {
  EXPECT_EQ(find_region(around.environment, around.settings), "eu-central-1");
  around.settings.region.clear();
  EXPECT_FAILS(find_region(around.environment, around.settings), not_configured);
  write_config("[default]\nregion = us-west-2\n");
  EXPECT_EQ(find_region(around.environment, around.settings), "us-west-2");
  around.environment["AWS_DEFAULT_REGION"] = "sa-east-1";
  EXPECT_EQ(find_region(around.environment, around.settings), "sa-east-1");
  around.environment["AWS_DEFAULT_REGION"] = "evil.example/";
  EXPECT_FAILS(find_region(around.environment, around.settings), not_configured);
}

}  // namespace
}  // namespace deputy::clients::aws

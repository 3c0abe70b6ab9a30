// Signed requests and S3, over real sockets against a peer that checks signatures.
#include "clients/aws/s3.h"

#include "clients/aws/aws_fixture.h"
#include "support/vendor_errors.h"

namespace deputy::clients::aws {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class GivenCredentials final : public CredentialSource {
 public:
  explicit GivenCredentials(std::vector<net::SigningKey> keys) : keys_(std::move(keys)) {}

  Task<Result<Credentials>> get() override { co_return Credentials{keys_.front(), {}, "a test"}; }
  void refused(const Credentials& credentials) override {
    if (keys_.size() > 1 && keys_.front().access_key_id == credentials.key.access_key_id) keys_.erase(keys_.begin());
  }

 private:
  std::vector<net::SigningKey> keys_;
};

const net::SigningKey kPlain{"AKIDPLAIN", Secret("secret-of-plain"), {}};
const net::SigningKey kOld{"AKIDOLD", Secret("secret-of-old"), Secret("old")};

class S3Test : public AwsTest {
 protected:
  Result<std::string> get(const std::string& url, std::size_t most = 1000) {
    const auto object = parse_s3_url(url);
    if (!object) return std::unexpected(object.error());
    return test::run_on(loop, get_object(client, around.settings, "us-east-1", *object, most));
  }

  GivenCredentials credentials{{kPlain}};
  SignedClient client{http, credentials, clock};
};

TEST_F(S3Test, AnObjectIsRead) {
  EXPECT_EQ(get("s3://bucket/prompts/a.txt"), "the object at /prompts/a.txt");
  EXPECT_THAT(peer.said(), ElementsAre("s3 GET /bucket/prompts/a.txt by AKIDPLAIN us-east-1"));
}

TEST_F(S3Test, AKeyMayHoldAnything) {
  for (const char* key : {"a b:c.txt", "a/../b", "./x", "a//b/", "grün/ü", "100%/+&=?#", "~-_.!*'()"}) {
    EXPECT_EQ(get(std::string("s3://bucket/") + key), std::string("the object at /") + key);
  }
}

TEST_F(S3Test, ABucketElsewhereIsAskedForThereOnce) {
  EXPECT_EQ(get("s3://elsewhere/a"), "the object at /a");
  EXPECT_THAT(peer.said(),
              ElementsAre("s3 GET /elsewhere/a by AKIDPLAIN us-east-1", "s3 GET /elsewhere/a by AKIDPLAIN eu-west-1"));
  EXPECT_FALSE(get("s3://nowhere/a").has_value());
  EXPECT_EQ(peer.said().size(), 2U);
}

TEST_F(S3Test, ARefusalIsASentenceWithAHint) {
  const auto missing = get("s3://bucket/none");
  ASSERT_FAILS(missing, not_found);
  EXPECT_EQ(
      describe(missing.error()),
      "S3, asked for s3://bucket/none, refused with 404 NoSuchKey: The specified key does not exist. (check the key "
      "of the object)");
  const auto denied = get("s3://denied/a");
  ASSERT_FAILS(denied, permission);
  EXPECT_THAT(denied.error().hint, HasSubstr("s3:GetObject"));
}

TEST_F(S3Test, AnObjectThatIsTooLargeIsRefused) {
  EXPECT_FAILS(get("s3://bucket/large"), upstream);
  EXPECT_EQ(get("s3://bucket/large", 100'000)->size(), 100'000U);
}

TEST_F(S3Test, AClockThatIsOffIsCorrectedByTheirs) {
  clock.advance(3h);
  EXPECT_EQ(get("s3://bucket/a"), "the object at /a");
  EXPECT_EQ(get("s3://bucket/b"), "the object at /b");
  clock.advance(-6h);
  EXPECT_EQ(get("s3://bucket/c"), "the object at /c");
}

TEST_F(S3Test, ExpiredCredentialsAreRenewedOnce) {
  GivenCredentials renewed({kOld, kPlain});
  SignedClient once(http, renewed, clock);
  EXPECT_EQ(test::run_on(loop, get_object(once, around.settings, "us-east-1", {"bucket", "a"}, 1000)),
            "the object at /a");
  GivenCredentials expired({kOld});
  SignedClient never(http, expired, clock);
  EXPECT_FAILS(test::run_on(loop, get_object(never, around.settings, "us-east-1", {"bucket", "a"}, 1000)),
               authentication);
}

TEST_F(S3Test, AStreamIsOpenedOrItsRefusalRead) {
  const net::SigningOptions signing{.path = net::CanonicalPath::as_sent, .payload_hash = net::PayloadHash::in_a_header};
  GivenCredentials renewed({kOld, kPlain});
  SignedClient once(http, renewed, clock);
  const auto opened =
      test::run_on(loop, once.open({.url = peer.url("/bucket/a"), .headers = {}}, {"eu", "s3"}, signing));
  ASSERT_OK(opened);
  EXPECT_EQ(opened->status, 200);
  EXPECT_EQ(test::run_on(loop, opened->stream->read()), "the object at /a");
  const auto refused =
      test::run_on(loop, once.open({.url = peer.url("/bucket/none"), .headers = {}}, {"eu", "s3"}, signing));
  ASSERT_OK(refused);
  EXPECT_EQ(refused->status, 404);
  EXPECT_THAT(refused->refusal, HasSubstr("NoSuchKey"));
  EXPECT_EQ(refused->stream, nullptr);
}

TEST(S3Errors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  GivenCredentials credentials{{kPlain}};
  Settings settings;
  settings.endpoint_url = "https://s3.example";
  const auto xml = [](const std::string& code) {
    return "<Error><Code>" + code + "</Code><Message>why</Message></Error>";
  };
  test::expect_vendor_errors(
      [&](net::HttpClient& http) -> Task<Result<>> {
        SignedClient client(http, credentials, clock);
        CO_TRY(co_await get_object(client, settings, "us-east-1", {"bucket", "a"}, 1000));
        co_return Result<>{};
      },
      {{"Http403", test::ScriptedResponse{.status = 403}, ErrorKind::permission, "s3:GetObject"},
       {"Malformed", test::ScriptedResponse{.status = 404, .pieces = {"<Error><Code>NoSu"}}, ErrorKind::not_found},
       {"SignInPage", test::ScriptedResponse{.status = 503, .pieces = {"<!doctype html><title>Sign in</title>"}},
        ErrorKind::upstream},
       {"TooLarge", Error{ErrorKind::upstream, "the response is larger than 8 bytes"}, ErrorKind::upstream, "smaller"},
       {"LargerThanAskedFor", test::ScriptedResponse{.pieces = {std::string(1001, 'x')}}, ErrorKind::upstream,
        "smaller"},
       {"SlowDown", test::ScriptedResponse{.status = 503, .pieces = {xml("SlowDown")}}, ErrorKind::rate_limit, "wait"},
       {"NoBucket", test::ScriptedResponse{.status = 404, .pieces = {xml("NoSuchBucket")}}, ErrorKind::not_found,
        "the name of the bucket"},
       {"Expired", test::ScriptedResponse{.status = 400, .pieces = {xml("ExpiredToken")}}, ErrorKind::authentication,
        "get new credentials"}});
}

TEST(S3Names, AreReadAndMadeIntoUrls) {
  EXPECT_EQ(parse_s3_url("s3://my-bucket/a/b c"), (S3Object{"my-bucket", "a/b c"}));
  for (const char* url : {"", "s3://", "s3://bucket", "s3://bucket/", "https://bucket/x", "s3://b/x", "s3://bu cket/x",
                          "s3://evil.example#/x", "s3://a..b/x", "s3://bucket/\xFF"}) {
    EXPECT_FAILS(parse_s3_url(url), invalid_input) << url;
  }
  Settings settings;
  EXPECT_EQ(object_url(settings, "eu-central-1", {"my-bucket", "dir/a b:c.txt"}),
            "https://my-bucket.s3.eu-central-1.amazonaws.com/dir/a%20b%3Ac.txt");
  EXPECT_EQ(object_url(settings, "eu-central-1", {"my.bucket", "a"}),
            "https://s3.eu-central-1.amazonaws.com/my.bucket/a");
  EXPECT_EQ(object_url(settings, "eu-central-1", {"My_Bucket", "a"}),
            "https://s3.eu-central-1.amazonaws.com/My_Bucket/a");
  EXPECT_FAILS(object_url(settings, "", {"my-bucket", "a"}), not_configured);
  settings.endpoint_url_s3 = "http://localhost:9000/";
  EXPECT_EQ(object_url(settings, "eu-central-1", {"my-bucket", "a"}), "http://localhost:9000/my-bucket/a");
}

}  // namespace
}  // namespace deputy::clients::aws

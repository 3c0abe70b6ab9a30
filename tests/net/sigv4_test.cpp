// Signatures against vectors that others computed. Where DEPUTY_SIGV4_CASES names a folder with AWS's own cases, all of
// them are run too.
#include "net/sigv4.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json.h"
#include "base/text.h"
#include "net/client_fixture.h"

namespace deputy::net {
namespace {

const SigningKey kKey{"AKIDEXAMPLE", Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"), {}};

Timestamp at(std::string_view text) { return *parse_timestamp(text); }

// Computed with botocore and again by hand; 2025-01-02T03:04:05Z, us-east-1.
struct Vector {
  const char* name;
  Request request;
  const char* service;
  const char* token;
  SigningOptions options;
  const char* signed_headers;
  const char* signature;
};

void PrintTo(const Vector& row, std::ostream* out) { *out << row.name; }

class SigV4Vector : public testing::TestWithParam<Vector> {};

TEST_P(SigV4Vector, IsSignedAsOthersDo) {
  Request request = GetParam().request;
  SigningKey key = kKey;
  key.session_token = Secret(GetParam().token);
  const SigningScope scope{"us-east-1", GetParam().service};
  ASSERT_OK(sign(request, key, scope, at("2025-01-02T03:04:05Z"), GetParam().options));
  EXPECT_EQ(find_header(request.headers, "authorization"),
            fmt::format("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20250102/us-east-1/{}/aws4_request, SignedHeaders={}, "
                        "Signature={}",
                        GetParam().service, GetParam().signed_headers, GetParam().signature));
  EXPECT_EQ(find_header(request.headers, "x-amz-date"), "20250102T030405Z");
  const Request once = request;
  ASSERT_OK(sign(request, key, scope, at("2025-01-02T03:04:05Z"), GetParam().options));
  EXPECT_EQ(request.headers, once.headers);  // signing twice is as good as once
  EXPECT_EQ(request.url, GetParam().request.url);
  EXPECT_EQ(request.path, UrlPath::as_is);
}

const SigningOptions kS3{.path = CanonicalPath::as_sent, .payload_hash = PayloadHash::in_a_header};

INSTANTIATE_TEST_SUITE_P(
    Rows, SigV4Vector,
    testing::Values(Vector{"Bedrock",
                           {.method = "POST",
                            .url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
                                   "us.anthropic.claude-sonnet-4-20250514-v1%3A0/invoke",
                            .headers = {{"Accept", "application/json"}, {"Content-Type", "application/json"}},
                            .body = R"({"anthropic_version":"bedrock-2023-05-31","max_tokens":10,)"
                                    R"("messages":[{"role":"user","content":"hi"}]})"},
                           "bedrock",
                           "",
                           {},
                           "accept;content-type;host;x-amz-date",
                           "26ce6d8727d32df5f788accbb2a55c29fd59651cc93d6a8a278dbce877aa8a5d"},
                    Vector{"Logs",
                           {.method = "POST",
                            .url = "https://logs.us-east-1.amazonaws.com/",
                            .headers = {{"Content-Type", "application/x-amz-json-1.1"},
                                        {"X-Amz-Target", "Logs_20140328.GetQueryResults"}},
                            .body = R"({"queryId":"x"})"},
                           "logs",
                           "TOKEN",
                           {},
                           "content-type;host;x-amz-date;x-amz-security-token;x-amz-target",
                           "48329869d67692b779cc1a6e6f593f3d4b6d8f6cca5e620ed6cab9e7be2f84d2"},
                    Vector{"S3",
                           {.url = "https://my-bucket.s3.us-east-1.amazonaws.com/dir/a%20b%3Ac.txt", .headers = {}},
                           "s3",
                           "",
                           kS3,
                           "host;x-amz-content-sha256;x-amz-date",
                           "6b023ae47566cc77e57d9b8892e6176b5ef8210ee268d7fcbd02eb3c271cff54"}),
    [](const auto& info) { return info.param.name; });

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// A request as a file of the cases has it: a first line, headers (a line that begins with a space goes on with the one
// before), an empty line, the body.
Signable read_request(std::string_view text) {
  Signable request;
  const std::size_t end = text.find("\n\n");
  const std::string_view body = end == std::string_view::npos ? "" : text.substr(end + 2);
  const auto lines = split(text.substr(0, end), "\n");
  const std::string_view first = lines.front();
  const std::size_t method = first.find(' ');
  const std::string_view target = first.substr(method + 1, first.rfind(' ') - method - 1);
  request.method = first.substr(0, method);
  request.path = target.substr(0, target.find('?'));
  if (target.contains('?')) request.query = target.substr(target.find('?') + 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].starts_with(' ')) {
      request.headers.back().value += "\n" + std::string(lines[i]);
    } else if (lines[i].contains(':')) {
      const std::size_t colon = lines[i].find(':');
      request.headers.push_back({std::string(lines[i].substr(0, colon)), std::string(lines[i].substr(colon + 1))});
    }
  }
  request.payload_hash = sha256_hex(body);
  return request;
}

bool flag(const json::object& context, std::string_view name) {
  const json::value* found = context.if_contains(name);
  return found != nullptr && found->is_bool() && found->get_bool();
}

void check_case(const std::filesystem::path& folder) {
  const json::object context = *parse_json_object(file_text(folder / "context.json"));
  const json::object& credentials = context.at("credentials").as_object();
  const SigningKey key{text_at(credentials, "access_key_id"), Secret(text_at(credentials, "secret_access_key")),
                       Secret(text_at(credentials, "token"))};
  const SigningScope scope{text_at(context, "region"), text_at(context, "service")};
  const Timestamp now = at(text_at(context, "timestamp"));
  Signable request = read_request(file_text(folder / "request.txt"));
  std::string stamp = text_at(context, "timestamp");
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  request.headers.push_back({"X-Amz-Date", stamp});
  if (!key.session_token.empty() && !flag(context, "omit_session_token")) {
    request.headers.push_back({"X-Amz-Security-Token", key.session_token.reveal()});
  }
  if (flag(context, "sign_body")) request.headers.push_back({"x-amz-content-sha256", request.payload_hash});
  const auto form = flag(context, "normalize") ? CanonicalPath::normal : CanonicalPath::encoded;
  const std::string canonical = canonical_request(request, form);
  EXPECT_EQ(canonical, file_text(folder / "header-canonical-request.txt")) << folder;
  const std::string text = string_to_sign(canonical, scope, now);
  EXPECT_EQ(text, file_text(folder / "header-string-to-sign.txt")) << folder;
  EXPECT_EQ(signature(text, key, scope, now), trim(file_text(folder / "header-signature.txt"))) << folder;
  EXPECT_TRUE(file_text(folder / "header-signed-request.txt")
                  .contains("SignedHeaders=" + signed_headers(request.headers) + ", "))
      << folder;
}

TEST(SigV4, AgreesWithAllCasesOfTheGivenFolder) {
  const char* folder = std::getenv("DEPUTY_SIGV4_CASES");
  if (folder == nullptr || *folder == '\0') {
    GTEST_SKIP() << "DEPUTY_SIGV4_CASES names no folder; the vectors of the project were checked";
  }
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "context.json")) continue;
    check_case(entry.path());
    ++cases;
  }
  EXPECT_GE(cases, 38);
}

TEST(SigV4, ThePathOfAServiceIsEncodedTwiceAndThatOfS3AsItIs) {
  const Signable request{"GET", "/a%3Ab/../c//d/./e/", "b=2&a=%2F&a&c=x+y", {{"host", "h"}}, "hash"};
  const auto line = [&](CanonicalPath form) { return std::string(split(canonical_request(request, form), "\n")[1]); };
  EXPECT_EQ(line(CanonicalPath::normal), "/c/d/e/");
  EXPECT_EQ(line(CanonicalPath::encoded), "/a%253Ab/../c//d/./e/");
  EXPECT_EQ(line(CanonicalPath::as_sent), "/a%3Ab/../c//d/./e/");
  EXPECT_EQ(split(canonical_request(request, CanonicalPath::normal), "\n")[2], "a=&a=%2F&b=2&c=x%2By");
}

TEST(SigV4, HeadersThatChangeOnTheWayAreNotSigned) {
  EXPECT_EQ(signed_headers({{"User-Agent", "x"},
                            {"Host", "h"},
                            {"Connection", "x"},
                            {"X-Amzn-Trace-Id", "x"},
                            {"Expect", "x"},
                            {"Transfer-Encoding", "x"},
                            {"Authorization", "x"},
                            {"A", "1"}}),
            "a;host");
}

TEST(SigV4, WithoutARegionOrAKeyNothingIsSigned) {
  Request request{.url = "https://example.com/", .headers = {}};
  EXPECT_FAILS(sign(request, kKey, {"", "s3"}, from_millis(0)), not_configured);
  EXPECT_FAILS(sign(request, kKey, {"a/b", "s3"}, from_millis(0)), not_configured);
  EXPECT_FAILS(sign(request, {"", Secret("x"), {}}, {"eu", "s3"}, from_millis(0)), authentication);
  EXPECT_FAILS(sign(request, {"AKID", {}, {}}, {"eu", "s3"}, from_millis(0)), authentication);
  EXPECT_TRUE(request.headers.empty());
}

TEST_F(ClientTest, TheSignedPathIsTheOneOnTheWire) {
  const test::HttpPeer peer("plain");
  for (const char* path : {"/echo?x=%3A", "/a%3Ab%2Fc/../d/./e", "//x//y%20z", "/%2e%2E/%2e/a%7e~!$&'()*+,;=:@",
                           "/model/arn%3aaws%3Abedrock%2Fx/invoke"}) {
    Request request{.url = peer.url(path), .headers = {}};
    ASSERT_OK(net::sign(request, kKey, {"eu-central-1", "bedrock"}, from_millis(0)));
    const Result<Response> response = send(request);
    ASSERT_OK(response);
    EXPECT_EQ(header(*response, "x-target"), path);
  }
}

}  // namespace
}  // namespace deputy::net

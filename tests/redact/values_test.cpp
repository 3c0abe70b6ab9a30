#include "redact/values.h"

#include <gtest/gtest.h>

#include "redact/http_credentials.h"

namespace deputy::redact {
namespace {

using Form = NamedValue::Form;

constexpr NamedValue kEquals{.name = NameKind::secret, .form = Form::equals};
constexpr NamedValue kPasswordEquals{.name = NameKind::password, .form = Form::equals};
constexpr NamedValue kQuoted{.name = NameKind::secret, .form = Form::colon, .quoted = true, .structured = true};
constexpr NamedValue kPassphrase{.name = NameKind::passphrase, .form = Form::colon, .quoted = true, .structured = true};
constexpr NamedValue kLine{.name = NameKind::secret, .form = Form::colon, .alone = true, .first = true};
constexpr NamedValue kMidLine{.name = NameKind::secret, .form = Form::colon};
constexpr NamedValue kPasswordEndsLine{.name = NameKind::password, .form = Form::colon, .alone = true};
constexpr NamedValue kCode{.name = NameKind::secret, .form = Form::spaced_equals, .alone = true, .first = true};
constexpr NamedValue kFlag{.name = NameKind::secret, .form = Form::flag};
constexpr NamedValue kProse{.name = NameKind::password, .form = Form::prose};
constexpr NamedValue kBeside{.name = NameKind::secret, .form = Form::beside};
constexpr NamedValue kPasswordFirstBeside{
    .name = NameKind::password, .form = Form::beside, .alone = true, .first = true};
constexpr NamedValue kPasswordBeside{.name = NameKind::password, .form = Form::beside, .alone = true};
constexpr NamedValue kPasswordMidLine{.name = NameKind::password, .form = Form::spaced_equals};
constexpr NamedValue kQuotedAtEnd{.name = NameKind::password, .form = Form::colon, .quoted = true, .alone = true};
constexpr NamedValue kPlainPassphrase{.name = NameKind::passphrase, .form = Form::colon, .alone = true, .first = true};
constexpr NamedValue kHint{.name = NameKind::hint, .form = Form::equals};
constexpr NamedValue kHintBeside{.name = NameKind::hint, .form = Form::beside};
constexpr NamedValue kApart{.name = NameKind::secret, .form = Form::apart};
constexpr NamedValue kPasswordApart{.name = NameKind::password, .form = Form::apart};
constexpr NamedValue kFaint{.name = NameKind::faint, .form = Form::equals};
constexpr NamedValue kPassEquals{.name = NameKind::pass, .form = Form::equals};
constexpr NamedValue kPassColon{.name = NameKind::pass, .form = Form::colon, .alone = true, .first = true};
constexpr NamedValue kPassQuoted{.name = NameKind::pass, .form = Form::colon, .quoted = true, .structured = true};
constexpr NamedValue kReference{.name = NameKind::reference, .form = Form::colon, .alone = true, .first = true};
constexpr NamedValue kReferenceEquals{.name = NameKind::reference, .form = Form::equals};

struct Row {
  NamedValue setting;
  std::string_view value;
  bool secret;
};

constexpr Row kRows[] = {
    {kEquals, "abc", true},
    {kEquals, "hunter2", true},
    {kEquals, "600", false},
    {kEquals, "true", false},
    {kEquals, "None", false},
    {kEquals, "${TOKEN}", false},
    {kEquals, "$TOKEN", false},
    {kEquals, "<token>", false},
    {kEquals, "<p@ss1", true},
    {kEquals, "env:TOKEN", false},
    {kEquals, "file:/run/secrets/token", false},
    {kEquals, "******", false},
    {kEquals, "self.token", false},
    {kEquals, "get_token()", false},
    {kEquals, "/run/secrets/token", false},
    {kEquals, "/r8Tn2Kq9/Zx81LmPq", true},
    {kPasswordEquals, "123456", true},
    {kPasswordEquals, "5", false},
    {kPasswordEquals, "supersecret", true},
    {kQuoted, "abc", true},
    {kQuoted, "two words", true},
    {kQuoted, "", false},
    {kQuoted, "expired", false},
    {kQuoted, "must be at least 8 characters", false},
    {kPassphrase, "the cat is on the mat", true},
    {kLine, "letmein", true},
    {kLine, "please", true},
    {kLine, "AwsCredentials", false},
    {kLine, "string", false},
    {kMidLine, "please", false},
    {kMidLine, "f3Gh7Kp0Zq", true},
    {kMidLine, "v1.2.3-beta4", false},
    {kMidLine, "2026-01-04T10:11:12Z", false},
    {kPasswordEndsLine, "hunter2", true},
    {kPasswordEndsLine, "forgotten", false},
    {kCode, "next", false},
    {kCode, "lexer.next", false},
    {kCode, "hunter2", true},
    {kFlag, "abcdef", true},
    {kFlag, "when", false},
    {kProse, "hunter22", true},
    {kProse, "wrong", false},
    {kBeside, "expired", false},
    {kBeside, "550e8400-e29b-41d4-a716-446655440000", false},
    {kBeside, "q8Zr2LmX0pVt7NcY4sKd", true},
    {kBeside, "9f86d081884c7d659a2feaa0c55ad015", true},
    {kHintBeside, "9f86d081884c7d659a2feaa0c55ad015", true},
    {kHintBeside, "00dead12beef34cafe56deed78babe90", true},
    {kHintBeside, "rotation", false},
    {kApart, "9f86d081884c7d659a2feaa0c55ad015", true},
    {kApart, "orders-tls-9f8d7c2a", false},
    {kApart, "f3Gh7Kp0Zq", false},
    {kPasswordApart, "hunter2", true},
    {kPasswordApart, "t!ger&Lily9", true},
    {kPasswordApart, "rotated", false},
    {kPasswordApart, "varchar2(64)", false},
    {kPasswordApart, "WINTER2024", true},
    {kPasswordApart, "CHG0012345x", true},
    {kPasswordApart, "rotated2024", true},
    {kPasswordEquals, "1password", true},
    {kPasswordEquals, "CHG0012345", true},
    {kPasswordEquals, "Winter[2024]!", true},
    {kPasswordEquals, "my-secret-pw-2024!", true},
    {kPasswordEquals, "my-secret", false},
    {kPasswordEquals, "app.Sommer2024!", true},
    {kPasswordEquals, "app.password", false},
    {kPasswordEquals, "{Tr0ub4dor&3}", true},
    {kPasswordEquals, "{password}", false},
    {kPasswordEquals, "$Tr0ub4dor", true},
    {kPasswordEquals, "$OAUTH2_SECRET", false},
    {kPasswordEquals, "your-p4ssw0rd-here", false},
    {kPasswordEndsLine, "98765432", true},
    {kPasswordEndsLine, "2026-01-04", false},
    {kPasswordMidLine, "hunter2", true},
    {kPasswordMidLine, "base64", false},
    {kPasswordMidLine, "forgotten", false},
    {kPasswordFirstBeside, "hunter2", true},
    {kPasswordFirstBeside, "incorrect", false},
    {kPasswordFirstBeside, "reset/rotation", false},
    {kPasswordBeside, "hunter2", false},
    {kPasswordBeside, "Tr0ub4dor&3", true},
    {kQuotedAtEnd, "summer", true},
    {kPlainPassphrase, "correct horse battery staple", true},
    {kPlainPassphrase, "ask Bo for it", false},
    {kHint, "orders", false},
    {kHint, "orders-eu-west-1-blue", false},
    {kHint, "9f86d081884c7d659a2feaa0c55ad015", true},
    {kHint, "q8Zr2LmX0pVt7NcY4sKd", true},
    {kFaint, "9f86d081884c7d659a2feaa0c55ad015", false},
    {kFaint, "q8Zr2LmX0pVt7NcY4sKd", true},
    {kFaint, "K8sNodeNotReady2026Alert", false},
    {kPassEquals, "summer", true},
    {kPassEquals, "12", false},
    {kPassColon, "summer", false},
    {kPassColon, "hunter2", true},
    {kPassColon, "TestTokenRefresh2", false},
    {kPassQuoted, "summer", true},
    {kReference, "prod/orders/db", false},
    {kReference, "orders-tls-9f8d7c2a", false},
    {kReference, "9f8d7c2a-4b1e", true},
    {kReference, "summer", true},
    {kReferenceEquals, "prod/orders/db", true},
    {{}, "q8Zr2LmX0pVt7NcY4sKd", false},
};

TEST(Values, AreJudgedByTheirFormAndTheirName) {
  for (const Row& row : kRows) {
    EXPECT_EQ(is_secret_value(row.setting, row.value), row.secret) << row.value << ", row " << &row - kRows;
  }
}

TEST(Values, NamesOfTestsAreSmallWordsInParts) {
  for (const std::string_view name : {"test_login2", "tests/auth/oauth2.test.js", "auth::oauth2", "test_x[oauth2]"})
    EXPECT_TRUE(is_name_of_test(name)) << name;
  for (const std::string_view name : {"", "hunter2", "hunter2.", "Blue_Whale22", "x9k2j4_h8sd7f", "2nd_pass"})
    EXPECT_FALSE(is_name_of_test(name)) << name;
}

TEST(Values, BasicCredentialsAreBase64WithAColon) {
  EXPECT_TRUE(is_basic_value("dXNlcjpwYXNz"));
  EXPECT_TRUE(is_basic_value("YWRtaW46aHVudGVyMg=="));
  EXPECT_FALSE(is_basic_value("authentication"));
  EXPECT_FALSE(is_basic_value("realm"));
}

TEST(Values, CookiesMadeByAMachineCount) {
  const std::string_view cookies = "theme=dark; sid=0f3a9c1b2d4e5f60718293a4; Expires=Wed, 21 Oct 2026 07:28:00 GMT";
  const std::vector<Range> found = secret_cookies(cookies);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].of(cookies), "0f3a9c1b2d4e5f60718293a4");
}

TEST(Values, InAHeaderEveryWordIsACredentialButThoseThatSpeakOfOne) {
  EXPECT_TRUE(is_header_value("abcdefghijklmnop"));
  EXPECT_FALSE(is_header_value("authentication"));
  EXPECT_FALSE(is_header_value("<access-token>"));
}

TEST(Values, BearerCredentialsAreNoWords) {
  EXPECT_TRUE(is_bearer_value("mF_9.B5f-4.1JqM"));
  EXPECT_TRUE(is_bearer_value("abcdefghijklmnopqrstuvwxyz"));
  EXPECT_FALSE(is_bearer_value("authentication"));
  EXPECT_FALSE(is_bearer_value("token"));
}

}  // namespace
}  // namespace deputy::redact

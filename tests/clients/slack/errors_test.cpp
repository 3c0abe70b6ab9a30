#include "clients/slack/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::clients::slack {
namespace {

using testing::HasSubstr;
using testing::Not;

const Method kPost = *find_method("chat.postMessage");
const Method kRead = *find_method("conversations.replies");

struct CodeRow {
  std::string code;
  ErrorKind kind;
  std::string hint;
};
class SlackErrors : public testing::TestWithParam<CodeRow> {};

TEST_P(SlackErrors, HaveAHintToActOn) {
  const auto& [code, kind, hint] = GetParam();
  const Error error = error_of(kPost, {{"ok", false}, {"error", code}, {"needed", "chat:write"}});
  EXPECT_EQ(error.kind, kind);
  EXPECT_THAT(error.message, HasSubstr(code));
  EXPECT_THAT(error.hint, HasSubstr(hint));
  EXPECT_FALSE(error.retryable);
}
INSTANTIATE_TEST_SUITE_P(Codes, SlackErrors,
                         testing::Values(CodeRow{"channel_not_found", ErrorKind::not_found,
                                                 "check the name or use an ID"},
                                         CodeRow{"not_in_channel", ErrorKind::permission, "/invite"},
                                         CodeRow{"invalid_auth", ErrorKind::authentication, "new token"},
                                         CodeRow{"token_revoked", ErrorKind::authentication, "new token"},
                                         CodeRow{"not_authed", ErrorKind::authentication, "new token"},
                                         CodeRow{"account_inactive", ErrorKind::authentication, "new token"},
                                         CodeRow{"team_disabled", ErrorKind::authentication, "new token"},
                                         CodeRow{"no_text", ErrorKind::invalid_input, "text"},
                                         CodeRow{"msg_too_long", ErrorKind::invalid_input, "shorten"},
                                         CodeRow{"missing_scope", ErrorKind::permission, "chat:write"},
                                         CodeRow{"thread_not_found", ErrorKind::not_found, "thread_ts"},
                                         CodeRow{"unknown_method", ErrorKind::not_configured, ""},
                                         CodeRow{"something_new", ErrorKind::upstream, ""}),
                         [](const auto& row) { return row.param.code; });

TEST(SlackErrorsOfSlack, LeaveThePostInDoubtAndMayBeReadAgain) {
  const json::object reply{{"ok", false}, {"error", "internal_error"}};
  EXPECT_EQ(error_of(kPost, reply).kind, ErrorKind::network);
  EXPECT_EQ(error_of(kRead, reply).kind, ErrorKind::upstream);
  EXPECT_TRUE(error_of(kRead, reply).retryable);
}

TEST(SlackErrorsOfSlack, SayWhichBlockIsWrong) {
  const json::object reply{{"ok", false},
                           {"error", "invalid_blocks"},
                           {"response_metadata", {{"messages", {"[ERROR] must be less than 3001 characters"}}}}};
  EXPECT_THAT(error_of(kPost, reply).hint, HasSubstr("3001"));
}

}  // namespace
}  // namespace deputy::clients::slack

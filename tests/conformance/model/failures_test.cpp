// What a provider makes of what goes wrong, before a stream and inside it.
#include "conformance/model/provider_suite.h"

namespace deputy::model {
namespace {

using test::Scenario;
using namespace std::chrono_literals;

enum class Again { helps, does_not };

void expect_failure(const Heard& heard, ErrorKind kind, Again again) {
  ASSERT_FALSE(heard.reply);
  const Error& error = heard.reply.error();
  EXPECT_EQ(name(error.kind), name(kind)) << describe(error);
  EXPECT_EQ(error.retryable, again == Again::helps) << describe(error);
  EXPECT_FALSE(error.message.empty());
}

TEST_P(ProviderTest, SortsErrorsByWhatHelps) {
  struct Row {
    std::string error;
    ErrorKind kind;
    Again again;
  };
  const std::vector<Row> rows{
      {"authentication", ErrorKind::authentication, Again::does_not},
      {"permission", ErrorKind::permission, Again::does_not},
      {"not_found", ErrorKind::not_found, Again::does_not},
      {"rate_limit", ErrorKind::rate_limit, Again::helps},
      {"api", ErrorKind::upstream, Again::helps},
      {"overloaded", ErrorKind::upstream, Again::helps},
      {"timeout", ErrorKind::upstream, Again::helps},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.error);
    Talk talk(GetParam(), Scenario().refuses(row.error));
    const Heard heard = talk.hear();
    expect_failure(heard, row.kind, row.again);
    EXPECT_EQ(heard.streamed, "");
    EXPECT_EQ(talk.peer().count(), 1) << "a provider makes one attempt";
  }
}

TEST_P(ProviderTest, TryingAgainDoesNotMendARequest) {
  Talk talk(GetParam(), Scenario().refuses("invalid_request"));
  const Heard heard = talk.hear();
  ASSERT_FALSE(heard.reply);
  EXPECT_FALSE(heard.reply.error().retryable);
}

TEST_P(ProviderTest, PeopleAreToldWhatToDoAboutAKeyOrAName) {
  for (const std::string error : {"authentication", "permission", "not_found"}) {
    SCOPED_TRACE(error);
    Talk talk(GetParam(), Scenario().refuses(error));
    const Heard heard = talk.hear();
    ASSERT_FALSE(heard.reply);
    EXPECT_FALSE(heard.reply.error().hint.empty());
  }
}

TEST_P(ProviderTest, AnErrorTellsNoSecret) {
  const std::string& key = GetParam().key;
  if (key.empty()) GTEST_SKIP() << GetParam().name << " is not sent its key";
  for (const std::string error : {"authentication", "permission", "invalid_request", "api"}) {
    SCOPED_TRACE(error);
    Talk talk(GetParam(), Scenario().refuses(error).saying("Incorrect API key provided: " + key + "."));
    const Heard heard = talk.hear();
    ASSERT_FALSE(heard.reply);
    EXPECT_EQ(describe(heard.reply.error()).find(key), std::string::npos) << describe(heard.reply.error());
  }
}

TEST_P(ProviderTest, ARateLimitSaysForHowLong) {
  Talk talk(GetParam(), Scenario().refuses("rate_limit").retry_after("2").then().text("at last"));
  const Heard limited = talk.hear();
  expect_failure(limited, ErrorKind::rate_limit, Again::helps);
  ASSERT_FALSE(limited.reply);
  EXPECT_EQ(limited.reply.error().retry_after, 2s);
  const Heard after = talk.hear();
  ASSERT_OK(after.reply);
  EXPECT_EQ(text_of(*after.reply), "at last");
}

TEST_P(ProviderTest, AfterAnOverloadTheSameRequestIsAnswered) {
  Talk talk(GetParam(), Scenario().refuses("overloaded").then().text("at last"));
  expect_failure(talk.hear(), ErrorKind::upstream, Again::helps);
  const Heard after = talk.hear();
  ASSERT_OK(after.reply);
  EXPECT_EQ(text_of(*after.reply), "at last");
  EXPECT_EQ(talk.peer().count(), 2);
}

TEST_P(ProviderTest, AnErrorInsideAStreamKeepsWhatWasTold) {
  if (!GetParam().streams) GTEST_SKIP() << GetParam().name << " does not stream";
  for (const auto& [error, kind] : {std::pair{"overloaded", ErrorKind::upstream}, std::pair{"api", ErrorKind::upstream},
                                    std::pair{"rate_limit", ErrorKind::rate_limit}}) {
    SCOPED_TRACE(error);
    Talk talk(GetParam(), Scenario().text("so ").text("far").fails(error).text("never"));
    const Heard heard = talk.hear();
    expect_failure(heard, kind, Again::helps);
    EXPECT_EQ(heard.streamed, "so far");
  }
}

TEST_P(ProviderTest, AStreamThatBreaksOffMayBeAskedForAgain) {
  Talk broken(GetParam(), Scenario().text("so far").breaks_off());
  const Heard heard = broken.hear();
  expect_failure(heard, ErrorKind::network, Again::helps);

  for (const auto& scenario :
       {Scenario().text("so far").ends_early(), Scenario().ends_early(), Scenario().call("list_alarms").ends_early()}) {
    Talk talk(GetParam(), scenario);
    const Heard early = talk.hear();
    ASSERT_FALSE(early.reply) << "a reply that did not end is no reply";
    EXPECT_TRUE(early.reply.error().retryable) << describe(early.reply.error());
  }
}

TEST_P(ProviderTest, AReplyThatIsNoneMayBeAskedForAgain) {
  Talk talk(GetParam(), Scenario().text("so far").garbage());
  expect_failure(talk.hear(), ErrorKind::upstream, Again::helps);
}

TEST_P(ProviderTest, ASilentEndBeforeAnyAnswerIsTheNetworks) {
  Talk talk(GetParam(), Scenario().breaks_off());
  expect_failure(talk.hear(), ErrorKind::network, Again::helps);
}

}  // namespace
}  // namespace deputy::model

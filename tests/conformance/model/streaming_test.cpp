// What a provider makes of a stream: however it is cut, as soon as it comes, until nobody wants it any more.
#include "conformance/model/provider_suite.h"
#include "support/cut_client.h"

namespace deputy::model {
namespace {

using test::Scenario;

// Characters of one to four bytes, and one that is several joined.
constexpr std::string_view kText = "Zürich, 世界 🚀👩‍🚒 ok";

Scenario everything() {
  return Scenario()
      .text("Zürich, ")
      .ping()
      .text("世界 ")
      .news()
      .text("🚀👩‍🚒")
      .text(" ok")
      .call("recent_errors", {{"service", "注文"}})
      .ping()
      .call("list_alarms")
      .uses({7, 9, 5, 0})
      .repeat();
}

Reply expected() {
  return {{Text{std::string(kText)}, Call{"call_1", "recent_errors", {{"service", "注文"}}},
           Call{"call_2", "list_alarms", {}}},
          Stop::calls,
          {7, 9, 5, 0}};
}

void expect_everything(const Heard& heard) {
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->blocks, expected().blocks);
  EXPECT_EQ(heard.reply->stop, Stop::calls);
  EXPECT_EQ(heard.reply->usage, expected().usage);
  EXPECT_EQ(heard.streamed, kText);
}

TEST_P(ProviderTest, ReadsPiecesOfAnySize) {
  Talk talk(GetParam(), everything());
  test::CutClient cut(talk.http());
  const auto provider = GetParam().make(cut, talk.clock(), talk.peer().url());
  for (int bytes = 1; bytes <= 64; ++bytes) {
    SCOPED_TRACE(bytes);
    talk.peer().chunk(bytes);
    expect_everything(talk.hear());
    cut.cut(test::every(static_cast<std::size_t>(bytes)));
    expect_everything(talk.hear_by(*provider));
    if (HasFailure()) return;
  }
}

// As little as there is of everything, because each place of it is a case: what came over the socket is played again,
// cut there.
TEST_P(ProviderTest, ReadsAStreamThatIsCutAnywhere) {
  const Scenario scenario = Scenario().text("é世🚀").call("list_alarms", {{"é", "🚀"}});
  const std::vector<Block> blocks{Text{"é世🚀"}, Call{"call_1", "list_alarms", {{"é", "🚀"}}}};
  const Request request{.turns = {{Role::user, {Text{"hi"}}}}, .max_tokens = 10};
  Talk talk(GetParam(), scenario);
  test::CutClient cut(talk.http());
  const auto provider = GetParam().make(cut, talk.clock(), talk.peer().url());
  EXPECT_OK(talk.hear_by(*provider, request).reply);
  cut.play_again();
  const std::size_t length = cut.seen().size();
  EXPECT_GT(length, GetParam().streams ? 500U : 200U);
  for (std::size_t at = 1; at < length; ++at) {
    SCOPED_TRACE(at);
    cut.cut(test::once_at(at));
    const Heard heard = talk.hear_by(*provider, request);
    ASSERT_OK(heard.reply);
    ASSERT_EQ(heard.reply->blocks, blocks);
    ASSERT_EQ(heard.reply->stop, Stop::calls);
    ASSERT_EQ(heard.streamed, "é世🚀");
  }
}

TEST_P(ProviderTest, ReadsUnicodeThatIsEscaped) {
  Talk talk(GetParam(), everything().escapes().chunk(1));
  expect_everything(talk.hear());
}

TEST_P(ProviderTest, StreamsWholeCharacters) {
  if (!GetParam().streams) GTEST_SKIP() << GetParam().name << " does not stream";
  Talk talk(GetParam(), everything().chunk(1));
  const auto provider = GetParam().make(talk.http(), talk.clock(), talk.peer().url());
  std::vector<std::string> parts;
  const auto reply = test::run_on(
      talk.loop(), with_timeout(std::chrono::seconds(30),
                                provider->attempt(asking(), [&](std::string_view part) { parts.emplace_back(part); })));
  ASSERT_OK(reply);
  EXPECT_EQ(parts, (std::vector<std::string>{"Zürich, ", "世界 ", "🚀👩‍🚒", " ok"}));
}

TEST_P(ProviderTest, TellsTheFirstTextBeforeTheLastIsSent) {
  if (!GetParam().streams) GTEST_SKIP() << GetParam().name << " does not stream";
  Talk talk(GetParam(), Scenario().text("first, ").hold().text("last"));
  const auto provider = GetParam().make(talk.http(), talk.clock(), talk.peer().url());
  // The stand-in sends the last only when the first has been told: one that waits for the end would wait in vain.
  std::string streamed;
  const auto reply = test::run_on(
      talk.loop(), with_timeout(std::chrono::seconds(30), provider->attempt(asking(), [&](std::string_view part) {
        streamed += part;
        if (streamed == "first, ") talk.peer().go_on();
      })));
  ASSERT_OK(reply);
  EXPECT_EQ(streamed, "first, last");
}

TEST_P(ProviderTest, HearsCancellationWhileNothingComes) {
  Talk talk(GetParam(), Scenario().text("never").silent());
  EXPECT_EQ(talk.cancel_when("waiting"), "");
}

TEST_P(ProviderTest, HearsCancellationInTheMiddleOfAStream) {
  Talk talk(GetParam(), Scenario().text("so far").hold().text("never"));
  const std::string streamed = talk.cancel_when("waiting");
  EXPECT_TRUE(streamed.empty() || streamed == "so far") << streamed;
}

}  // namespace
}  // namespace deputy::model

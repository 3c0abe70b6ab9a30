// Thinking that goes back to the model that wrote it: in its place while all before it is the same, else not at all.
// The stand-ins sign it over the model, the key and the conversation before it, and break the test for a block that
// does not fit.
#include "model/thinking.h"

#include "conformance/model/provider_suite.h"
#include "conformance/model/suite.h"
#include "model/reliable.h"

namespace deputy::model {
namespace {

using test::Scenario;

const json::object kService{{"service", "checkout-api"}};

/// A conversation with a model that thinks: what it replies becomes its next turn, and every call gets a result.
class Thinker {
 public:
  Thinker(const Vendor& vendor, const Scenario& scenario)
      : talk_(vendor, scenario),
        model_({{.provider = vendor.make(talk_.http(), talk_.clock(), talk_.peer().url())}}, talk_.clock()) {}

  Reply ask() {
    OnText on_text([&](std::string_view part) { streamed += part; });
    if (listens) on_text.thinking = [&](std::string_view part) { thought += part; };
    const Result<Reply> reply =
        test::run_on(talk_.loop(), with_timeout(std::chrono::seconds(30), model_.ask(request, on_text)));
    EXPECT_OK(reply);
    if (!reply) return {};
    request.turns.push_back({Role::assistant, reply->blocks});
    Turn told{Role::user, {}};
    for (const Call& call : calls_of(*reply)) told.blocks.emplace_back(CallResult{call.id, "nothing", false});
    if (told.blocks.empty()) told.blocks.emplace_back(Text{"And now?"});
    request.turns.push_back(std::move(told));
    return *reply;
  }

  /// How many blocks of thinking the n-th request held.
  std::size_t thinking_in(std::size_t n) {
    const std::string body = text_at(talk_.peer().requests().at(n), "body");
    std::size_t count = 0;
    for (const std::string_view mark :
         {R"("signature":)", R"("redacted_thinking")", R"("redactedContent")", R"("encrypted_content":)"}) {
      for (std::size_t at = body.find(mark); at != std::string::npos; at = body.find(mark, at + 1)) ++count;
    }
    return count;
  }

  int count() { return talk_.peer().count(); }

  Request request = asking();
  bool listens = false;
  std::string streamed;
  std::string thought;

 private:
  Talk talk_;
  ReliableModel model_;
};

std::size_t thoughts_of(const Reply& reply) {
  return static_cast<std::size_t>(
      std::ranges::count_if(reply.blocks, [](const Block& block) { return std::holds_alternative<Thinking>(block); }));
}

Scenario thinking_everywhere() {
  return Scenario()
      .thinks("Where to look?")
      .text("Let me look.")
      .call("recent_errors", kService)
      .then()
      .thinks("Nothing there.")
      .call("list_alarms")
      .thinks("And the incidents?")
      .call("list_incidents")
      .thinks_hidden("a secret plan")
      .text("Both at once.")
      .then()
      .text("All is quiet.");
}

TEST_P(ProviderTest, ThinkingGoesBackInItsPlace) {
  if (!GetParam().takes_thinking_back) GTEST_SKIP() << GetParam().name << " takes none back";
  Thinker thinker(GetParam(), thinking_everywhere());
  EXPECT_EQ(thoughts_of(thinker.ask()), 1U);
  const Reply second = thinker.ask();
  EXPECT_EQ(thoughts_of(second), 3U);
  EXPECT_EQ(calls_of(second).size(), 2U);
  const Reply last = thinker.ask();
  EXPECT_EQ(text_of(last), "All is quiet.");
  EXPECT_EQ(thinker.thinking_in(0), 0U);
  EXPECT_EQ(thinker.thinking_in(1), 1U);
  EXPECT_EQ(thinker.thinking_in(2), 4U);
  EXPECT_EQ(thinker.streamed, "Let me look.Both at once.All is quiet.") << "thinking is no answer";
}

TEST_P(ProviderTest, NobodyElseIsToldWhatAModelThought) {
  Thinker thinker(GetParam(), thinking_everywhere());
  EXPECT_EQ(text_of(thinker.ask()), "Let me look.");
  EXPECT_EQ(text_of(thinker.ask()), "Both at once.");
  EXPECT_EQ(thinker.streamed, "Let me look.Both at once.");
  EXPECT_EQ(thinker.thought, "");
}

TEST_P(ProviderTest, ASummaryOfItIsToldToWhoListens) {
  if (!GetParam().streams || !GetParam().tells_summaries) GTEST_SKIP() << GetParam().name << " tells none";
  Thinker thinker(GetParam(), thinking_everywhere());
  thinker.listens = true;
  thinker.ask();
  EXPECT_EQ(thinker.thought, "Where to look?");
  EXPECT_EQ(thinker.streamed, "Let me look.");
}

TEST_P(ProviderTest, ThinkingBehindAChangedBeginningIsLeftOut) {
  if (!GetParam().takes_thinking_back) GTEST_SKIP() << GetParam().name << " takes none back";
  const auto changed_tools = [](void (*change)(std::vector<ToolDescription>&)) {
    return [change](Request& request) {
      std::vector<ToolDescription> tools(request.tools.begin(), request.tools.end());
      change(tools);
      request.tools = std::move(tools);
    };
  };
  const std::vector<std::pair<std::string, std::function<void(Request&)>>> changes{
      {"another system prompt", [](Request& request) { request.system += " Be brief."; }},
      {"a tool fewer", changed_tools([](std::vector<ToolDescription>& tools) { tools.pop_back(); })},
      {"a tool's description",
       changed_tools([](std::vector<ToolDescription>& tools) { tools.front().description += "!"; })},
      {"the first message", [](Request& request) { std::get<Text>(request.turns[0].blocks[0]).text += "?"; }},
      {"a summary in place of turns",
       [](Request& request) { request.turns.erase(request.turns.begin() + 1, request.turns.begin() + 3); }},
  };
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    Thinker thinker(GetParam(), thinking_everywhere());
    thinker.ask();
    thinker.ask();
    change(thinker.request);
    thinker.ask();
    EXPECT_EQ(thinker.thinking_in(2), 0U);
  }
}

// What was thought behind a change stands behind what was really sent, and goes back again.
TEST_P(ProviderTest, ThinkingAfterAChangeGoesBackAgain) {
  if (!GetParam().takes_thinking_back) GTEST_SKIP() << GetParam().name << " takes none back";
  Thinker thinker(GetParam(), thinking_everywhere());
  thinker.ask();
  std::get<CallResult>(thinker.request.turns.back().blocks.front()).text = "shorter";
  std::get<Text>(thinker.request.turns[0].blocks[0]).text += "?";
  thinker.ask();
  thinker.ask();
  EXPECT_EQ(thinker.thinking_in(1), 0U);
  EXPECT_EQ(thinker.thinking_in(2), 3U);
}

TEST_P(ProviderTest, RefusedThinkingIsAskedWithoutOnce) {
  if (!GetParam().takes_thinking_back) GTEST_SKIP() << GetParam().name << " takes none back";
  for (const std::string refusal : {"signature", "signature_429"}) {
    SCOPED_TRACE(refusal);
    Thinker thinker(GetParam(), Scenario()
                                    .thinks("Where to look?")
                                    .call("recent_errors", kService)
                                    .then()
                                    .refuses(refusal)
                                    .then()
                                    .thinks("Again.")
                                    .call("list_alarms")
                                    .then()
                                    .text("All is quiet."));
    EXPECT_FALSE(thinker.ask().thinking_was_refused);
    const Reply second = thinker.ask();
    EXPECT_TRUE(second.thinking_was_refused);
    EXPECT_EQ(thinker.count(), 3);
    EXPECT_EQ(thinker.thinking_in(1), 1U);
    EXPECT_EQ(thinker.thinking_in(2), 0U);
    // Whoever keeps the conversation sends the older one no more, and the newer one goes back.
    std::erase_if(thinker.request.turns[1].blocks,
                  [](const Block& block) { return std::holds_alternative<Thinking>(block); });
    EXPECT_EQ(text_of(thinker.ask()), "All is quiet.");
    EXPECT_EQ(thinker.count(), 4);
    EXPECT_EQ(thinker.thinking_in(3), 1U);
  }
}

TEST_P(ProviderTest, AnOptionalFieldThatIsRefusedIsLeftOut) {
  const std::vector<std::string> fields{
      "temperature",      "output_config.effort", "output_config.format", "thinking",        "reasoning.effort",
      "reasoning_effort", "text.format",          "reasoning.summary",    "response_format", "cache_control"};
  for (const std::string& field : fields) {
    SCOPED_TRACE(field);
    Talk talk(GetParam(), Scenario().text("{}").repeat().with("refuses", json::array{field}));
    Request request = asking();
    request.format = json::object{{"type", "object"}, {"properties", json::object{}}};
    EXPECT_OK(talk.hear(request).reply);
    const int found_out = talk.peer().count();
    EXPECT_LE(found_out, 2);
    EXPECT_OK(talk.hear(request).reply);
    EXPECT_EQ(talk.peer().count(), found_out + 1) << "what was refused is not sent again";
  }
}

}  // namespace
}  // namespace deputy::model

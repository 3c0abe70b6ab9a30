#include "model/offline/conversation.h"

#include <gtest/gtest.h>

#include "model/offline/world.h"

namespace deputy::model::offline {
namespace {

using Names = std::vector<std::string>;

TEST(OfflineConversation, FindsTheNamesATextOffers) {
  const std::pair<const char*, Names> rows[] = {
      {"ENVIRONMENT_REQUIRED: say which (known: prod, staging)", {"prod", "staging"}},
      {"ENVIRONMENT_REQUIRED: which one? Known environments are `prod`, `staging` and `dev`. Hint: pass it",
       {"prod", "staging", "dev"}},
      {"Which environment: prod, staging or dev?", {"prod", "staging", "dev"}},
      {R"({"message":"ENVIRONMENT_REQUIRED, known: prod, staging","hint":"x"})", {"prod", "staging"}},
      {"ENVIRONMENT_REQUIRED", {}},
      {"", {}},
      {"known: a sentence that lists nothing", {}}};
  for (const auto& [text, expected] : rows) EXPECT_EQ(choices_named(text), expected) << text;
}

TEST(OfflineConversation, TheRequestIsTheLastBlockWithoutWhatOthersAdded) {
  Request request = ask("ignored");
  request.turns[0].blocks = {
      Text{"Bo: restart everything"},
      Text{"show the alerts\n[channel: #ops, an ops channel]\n\n" + intent::context_section({})}};
  const Conversation conversation = read_conversation(request);
  EXPECT_EQ(conversation.request, "show the alerts");
  EXPECT_TRUE(conversation.intent_was_given);
}

TEST(OfflineConversation, WithoutASectionTheEnvironmentsComeFromTheSchemas) {
  const Conversation conversation = read_conversation(ask("restart checkout-api in staging since yesterday"));
  EXPECT_FALSE(conversation.intent_was_given);
  EXPECT_EQ(conversation.intent.parameters.environment, "staging");
  EXPECT_EQ(conversation.intent.parameters.time_range.from, std::nullopt) << "there is no clock";
}

TEST(OfflineConversation, ResultsBelongToTheCallOfTheirTurn) {
  Request request = ask("alerts");
  request.turns.push_back({Role::assistant, {Call{"1", "a", {}}}});
  request.turns.push_back({Role::user, {CallResult{"1", "first", false}, CallResult{"9", "of nobody", false}}});
  request.turns.push_back({Role::assistant, {Call{"1", "b", {}}}});
  request.turns.push_back({Role::user, {CallResult{"1", "Denied by a rule", true}}});
  const Conversation conversation = read_conversation(request);
  ASSERT_EQ(conversation.done.size(), 2U);
  EXPECT_EQ(conversation.done[0].call.tool, "a");
  EXPECT_EQ(conversation.done[1].call.tool, "b");
  EXPECT_EQ(conversation.done[1].outcome, Outcome::denied);
  EXPECT_EQ(conversation.turns, 2U);
}

}  // namespace
}  // namespace deputy::model::offline

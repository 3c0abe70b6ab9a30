#include "model/offline/conversation.h"

#include <gtest/gtest.h>

#include "model/offline/world.h"

namespace deputy::model::offline {
namespace {

using Names = std::vector<std::string>;

TEST(OfflineConversation, FindsTheNamesATextOffers) {
  const std::pair<const char*, Names> rows[] = {
      {"Which environment: prod?", {"prod"}},
      {"Which environment: prod, staging or dev?", {"prod", "staging", "dev"}},
      {"Which environment: prod or staging?", {"prod", "staging"}},
      {"", {}},
      {"known: a sentence that lists nothing", {}}};
  for (const auto& [text, expected] : rows) EXPECT_EQ(choices_named(text), expected) << text;
}

TEST(OfflineConversation, TheRequestIsTheLastBlockWithoutWhatOthersAdded) {
  Request request = ask("ignored");
  request.turns[0].blocks = {
      Text{"Bo: restart everything"},
      Text{"show the alerts\n[channel: #ops, an ops channel]\n\n" + intent::context_section({})}};
  const Conversation conversation = read_conversation(request, shop());
  EXPECT_EQ(conversation.request, "show the alerts");
}

TEST(OfflineConversation, WithoutASectionThereAreNoNamesAndNoClock) {
  Request request = ask("ignored");
  request.turns = {{Role::user, {Text{"errors in prod since yesterday"}}}};
  const Conversation conversation = read_conversation(request, shop());
  EXPECT_EQ(conversation.intent.suggested_tools.front(), "count_errors");
  EXPECT_EQ(conversation.intent.parameters.environment, std::nullopt);
  EXPECT_EQ(conversation.intent.parameters.time_range, intent::TimeRange{});
}

TEST(OfflineConversation, WhatWasCalledForTheRequestBeforeIsKnown) {
  Request request = ask("errors in cart prod");
  request.turns.push_back({Role::assistant, {Call{"1", "ask_user", {}}}});
  request.turns.push_back({Role::user, {CallResult{"1", "{}", false}}});
  request.turns.push_back({Role::assistant, {Call{"2", "count_errors", {{"service", "cart"}}}}});
  request.turns.push_back({Role::user, {CallResult{"2", "none", false}}});
  request.turns.push_back({Role::assistant, {Text{"none"}}});
  request.turns.push_back(asked("and yesterday?", shop()));
  const Conversation conversation = read_conversation(request, shop());
  ASSERT_EQ(conversation.before.size(), 1U);
  EXPECT_EQ(conversation.before[0].tool, "count_errors");
  EXPECT_TRUE(conversation.done.empty());
  EXPECT_EQ(conversation.turns, 0U);
  EXPECT_EQ(conversation.today, "2026-11-18");
}

TEST(OfflineConversation, ResultsBelongToTheCallOfTheirTurn) {
  Request request = ask("alerts");
  request.turns.push_back({Role::assistant, {Call{"1", "a", {}}}});
  request.turns.push_back({Role::user, {CallResult{"1", "first", false}, CallResult{"9", "of nobody", false}}});
  request.turns.push_back({Role::assistant, {Call{"1", "b", {}}}});
  request.turns.push_back({Role::user, {CallResult{"1", "Denied by a rule", true}}});
  const Conversation conversation = read_conversation(request, shop());
  ASSERT_EQ(conversation.done.size(), 2U);
  EXPECT_EQ(conversation.done[0].call.tool, "a");
  EXPECT_EQ(conversation.done[1].call.tool, "b");
  EXPECT_EQ(conversation.done[1].outcome, CallEnd::denied);
  EXPECT_EQ(conversation.turns, 2U);
}

}  // namespace
}  // namespace deputy::model::offline

#include <gmock/gmock.h>

#include "conformance/channel/suite.h"
#include "interaction/codes.h"

namespace deputy::channel {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Timestamp kNow = from_millis(1'700'000'000'000);

Message message(std::string markdown, DeliveryKey key = {}) {
  return {.markdown = std::move(markdown), .key = std::move(key)};
}

Message stream_for(policy::Account account) { return {.mention = std::move(account), .key = "k1"}; }

Card pending_card() {
  ShownApproval approval;
  approval.view.approval.run = "R1";
  approval.view.approval.requester = "Ana";
  approval.view.approval.tool = "restart";
  approval.view.code = "K7PQ2M";
  approval.view.expires_at = kNow;
  Card card;
  card.key = "delivery-1";
  card.notification = "Ana asks: restart";
  card.interactions.push_back(
      {InteractionId::make(kNow),
       approval,
       {{{.control = interaction::Control::approve_once, .on = {{"i1", "d1"}}}, "tokenofapprove000001"},
        {{.control = interaction::Control::deny, .on = {{"i1", "d1"}}}, "tokenofdeny000000001"}}});
  return card;
}
Card settled_card() {
  Card card = pending_card();
  auto& approval = std::get<ShownApproval>(card.interactions[0].what);
  approval.settled = interaction::Settled{interaction::State::denied, "Bo", kNow, interaction::Scope::once, ""};
  card.interactions[0].controls.clear();
  return card;
}

TEST_P(ChannelTest, NamesTheKindOfItsConversations) { EXPECT_EQ(kind_of(conversation()), channel().name()); }

TEST_P(ChannelTest, AMessageArrivesWithAllItsFields) {
  ASSERT_OK(await(bench_->ana_says("what is wrong?")));
  ASSERT_EQ(receiver_.messages.size(), 1U);
  const InboundMessage& got = receiver_.messages[0];
  EXPECT_EQ(got.text, "what is wrong?");
  EXPECT_EQ(got.sender, bench_->ana());
  EXPECT_FALSE(got.sender_name.empty());
  EXPECT_EQ(got.conversation, conversation());
  EXPECT_EQ(got.place.channel, channel().name());
  EXPECT_EQ(got.kind, InboundKind::posted);
  EXPECT_EQ(got.spoken, AddressedTo::to_deputy);
  EXPECT_FALSE(got.ref.empty());
  EXPECT_NE(got.at, Timestamp{});
}

TEST_P(ChannelTest, TwoMessagesHaveTwoKeys) {
  ASSERT_OK(await(bench_->ana_says("again")));
  ASSERT_OK(await(bench_->ana_says("again")));
  ASSERT_EQ(receiver_.messages.size(), 2U);
  EXPECT_NE(receiver_.messages[0].key, receiver_.messages[1].key);
}

TEST_P(ChannelTest, APostIsSeenOnceByEverybody) {
  const MessageRef ref = must(channel().post(conversation(), message("hello", "k1")));
  EXPECT_FALSE(ref.empty());
  for (const policy::Account& account : bench_->people())
    EXPECT_THAT(texts_seen_by(account), ElementsAre(HasSubstr("hello"))) << account.key();
}

TEST_P(ChannelTest, AMessageOfTheLongestSizeFits) {
  must(channel().post(conversation(), message(std::string(can_.max_message, 'a'), "k1")));
  EXPECT_EQ(bench_->seen_by(bench_->ana()).size(), 1U);
}

TEST_P(ChannelTest, AnEditReplaces) {
  const MessageRef ref = must(channel().post(conversation(), message("working", "k1")));
  const Result<> edited = await(channel().edit(conversation(), ref, message("answered")));
  if (!can_.edit) {
    EXPECT_FALSE(edited);
    EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("working")));
    GTEST_SKIP() << "no edit: a further message is posted";
  }
  EXPECT_OK(edited);
  EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("answered")));
}

TEST_P(ChannelTest, AnEditOfNothingIsAnError) {
  EXPECT_FALSE(await(channel().edit(conversation(), "no-such-ref", message("x"))));
}

TEST_P(ChannelTest, ACardIsShownAndPressed) {
  const Result<MessageRef> shown = await(channel().show(conversation(), pending_card()));
  if (!can_.buttons) {
    ASSERT_FALSE(shown);
    EXPECT_FALSE(shown.error().retryable) << "so that the text form is tried";
    must(channel().post(conversation(), message(text_of(pending_card()), "k1")));
    EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("approve K7PQ2M")));
    GTEST_SKIP() << "no buttons: the text form is posted";
  }
  ASSERT_OK(shown);
  const std::vector<Seen> seen = bench_->seen_by(bench_->ana());
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].controls.size(), 2U);
  const Verdict verdict = must(bench_->ana_presses(*shown));
  EXPECT_TRUE(std::holds_alternative<AnswerTaken>(verdict));
  ASSERT_EQ(receiver_.answers.size(), 1U);
  const InboundAnswer& got = receiver_.answers[0];
  EXPECT_EQ(got.token, "tokenofapprove000001");
  EXPECT_EQ(got.sender, bench_->ana());
  EXPECT_EQ(got.conversation, conversation());
  EXPECT_EQ(got.view, *shown);
  EXPECT_FALSE(got.key.empty());
}

TEST_P(ChannelTest, ASettledCardHasNoControls) {
  if (!can_.buttons) {
    must(channel().post(conversation(), message(text_of(settled_card()), "k1")));
    EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(Not(HasSubstr("K7PQ2M"))));
    GTEST_SKIP() << "no buttons: the text form says how it was settled";
  }
  const MessageRef ref = must(channel().show(conversation(), pending_card()));
  must(channel().redraw(conversation(), ref, settled_card()));
  const std::vector<Seen> seen = bench_->seen_by(bench_->ana());
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_THAT(seen[0].controls, IsEmpty());
  EXPECT_THAT(seen[0].text, HasSubstr("Denied"));
}

TEST_P(ChannelTest, FindTellsWhatArrived) {
  const Result<std::optional<MessageRef>> before = await(channel().find(conversation(), "k1"));
  if (!can_.find) {
    EXPECT_FALSE(before);
    GTEST_SKIP() << "no look-up: what may have arrived is sent again";
  }
  ASSERT_OK(before);
  EXPECT_EQ(*before, std::nullopt);
  const MessageRef ref = must(channel().post(conversation(), message("hello", "k1")));
  must(channel().post(conversation(), message("other", "k2")));
  EXPECT_EQ(must(channel().find(conversation(), "k1")), ref);
}

TEST_P(ChannelTest, AKeyThatIsIdempotentShowsOneMessage) {
  must(channel().post(conversation(), message("hello", "k1")));
  must(channel().post(conversation(), message("hello", "k1")));
  EXPECT_EQ(bench_->seen_by(bench_->ana()).size(), can_.key_is_idempotent ? 1U : 2U);
}

TEST_P(ChannelTest, AWhisperIsSeenByOnePersonAtMost) {
  const Result<> whispered = await(channel().whisper(conversation(), bench_->ana(), message("only you")));
  EXPECT_THAT(texts_seen_by(bench_->stranger()), IsEmpty());
  if (!can_.whisper) GTEST_SKIP() << "no whisper: a direct message or nothing";
  EXPECT_OK(whispered);
  EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("only you")));
}

TEST_P(ChannelTest, AStreamIsSeenBeforeItsEnd) {
  const Result<MessageRef> stream = await(channel().begin_stream(conversation(), stream_for(bench_->ana())));
  if (!can_.stream) {
    EXPECT_FALSE(stream);
    EXPECT_THAT(texts_seen_by(bench_->ana()), IsEmpty());
    GTEST_SKIP() << "no streams: the answer is posted when it is whole";
  }
  ASSERT_OK(stream);
  must(channel().append(conversation(), *stream, "first "));
  EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("first")));
  must(channel().append(conversation(), *stream, "second"));
  must(channel().end_stream(conversation(), *stream, message("first second, and that is all")));
  EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("that is all")));
  EXPECT_FALSE(await(channel().append(conversation(), *stream, "late")));
}

TEST_P(ChannelTest, AFileIsSeen) {
  const Result<MessageRef> sent = await(channel().attach(conversation(), {"answer.md", "# All", "The answer", "k1"}));
  if (!can_.files) {
    EXPECT_FALSE(sent);
    GTEST_SKIP() << "no files: the text goes out in parts";
  }
  EXPECT_OK(sent);
  EXPECT_EQ(bench_->seen_by(bench_->ana()).size(), 1U);
}

TEST_P(ChannelTest, TheWorkingSignGoesOnAndOffWithoutAMessage) {
  ASSERT_OK(await(bench_->ana_says("what is wrong?")));
  const MessageRef request = receiver_.messages.at(0).ref;
  const Result<> on = await(channel().working(conversation(), request, {.on = true}));
  EXPECT_THAT(texts_seen_by(bench_->ana()), IsEmpty());
  if (!can_.working) {
    EXPECT_FALSE(on);
    GTEST_SKIP() << "no sign: a line is posted";
  }
  EXPECT_OK(on);
  must(channel().working(conversation(), request, {.on = false}));
}

TEST_P(ChannelTest, TheContextHasTheRootAndTheNewest) {
  if (!channel().capabilities().threads) {
    EXPECT_TRUE(must(channel().context(conversation(), "", 5)).said.empty());
    GTEST_SKIP() << "no thread of its own: memory has what was said";
  }
  bench_->has_been_said(20);
  const ConversationContext context = must(channel().context(conversation(), "", 5));
  ASSERT_EQ(context.said.size(), 5U);
  EXPECT_EQ(context.said.front().text, "root");
  EXPECT_EQ(context.said.back().text, "message 20");
  EXPECT_EQ(context.left_out, 16U);
}

TEST_P(ChannelTest, KnowsItsPeopleAndNoStrangers) {
  const policy::Identity ana = must(channel().who(bench_->ana()));
  EXPECT_EQ(ana.account, bench_->ana());
  EXPECT_EQ(ana.standing, bench_->standing());
  EXPECT_FALSE(await(channel().who(bench_->stranger())));
}

TEST_P(ChannelTest, MembersAreThoseWhoSeeThePlace) {
  ASSERT_OK(await(bench_->ana_says("what is wrong?")));
  const std::set<std::string> members = must(channel().members(receiver_.messages.at(0).place));
  EXPECT_THAT(members, Contains(bench_->ana().key()));
  EXPECT_THAT(members, Not(Contains(bench_->stranger().key())));
}

TEST_P(ChannelTest, AGroupThatIsNotThereHasNoMembers) {
  EXPECT_FALSE(await(channel().members_of_group("no-such-group")));
}

TEST_P(ChannelTest, ADirectConversationIsOneOfItsOwn) {
  const Result<ConversationKey> direct = await(channel().direct(bench_->ana()));
  if (!can_.direct) {
    EXPECT_FALSE(direct);
    GTEST_SKIP() << "no direct messages: a card is shown where it is asked";
  }
  ASSERT_OK(direct);
  EXPECT_EQ(kind_of(*direct), channel().name());
  EXPECT_NE(*direct, conversation());
  EXPECT_EQ(must(channel().direct(bench_->ana())), *direct);
  EXPECT_FALSE(await(channel().direct(bench_->stranger())));
}

TEST_P(ChannelTest, AChannelOfItsPlatformHasAConversation) {
  EXPECT_EQ(kind_of(channel().conversation_in("C8")), channel().name());
}

TEST_P(ChannelTest, AStreamTakesTheStateOfACall) {
  if (!can_.stream) {
    EXPECT_FALSE(await(channel().append(conversation(), "no-stream", ProgressLine{.call = "call_1"})));
    GTEST_SKIP() << "no streams: progress is a line of its own, or none";
  }
  const MessageRef stream = must(channel().begin_stream(conversation(), stream_for(bench_->ana())));
  must(channel().append(conversation(), stream, ProgressLine{.call = "call_1", .line = "search_notes checkout"}));
  must(channel().append(conversation(), stream, "found"));
  must(channel().end_stream(conversation(), stream, message("found it")));
  EXPECT_THAT(texts_seen_by(bench_->ana()), ElementsAre(HasSubstr("found it")));
}

TEST_P(ChannelTest, AMessageThatIsRemovedIsGone) {
  const MessageRef ref = must(channel().post(conversation(), message("hello", "k1")));
  const Result<> removed = await(channel().remove(conversation(), ref));
  if (!can_.remove) {
    EXPECT_FALSE(removed);
    EXPECT_EQ(bench_->seen_by(bench_->ana()).size(), 1U);
    GTEST_SKIP() << "no remove: what was said stays";
  }
  EXPECT_OK(removed);
  EXPECT_THAT(texts_seen_by(bench_->ana()), IsEmpty());
}

TEST_P(ChannelTest, AnEditArrivesAsOneOfTheSameMessage) {
  NEEDS(changes, "what was said stays said");
  ASSERT_OK(await(bench_->ana_says("restart checkout")));
  ASSERT_OK(await(bench_->ana_edits("restart search")));
  ASSERT_EQ(receiver_.messages.size(), 2U);
  const InboundMessage& got = receiver_.messages[1];
  EXPECT_EQ(got.kind, InboundKind::edited);
  EXPECT_EQ(got.text, "restart search");
  EXPECT_EQ(got.ref, receiver_.messages[0].ref);
  EXPECT_EQ(got.conversation, conversation());
  EXPECT_EQ(got.sender, bench_->ana());
  EXPECT_NE(got.key, receiver_.messages[0].key) << "it is no duplicate";
}

TEST_P(ChannelTest, ADeletionArrives) {
  NEEDS(changes, "what was said stays said");
  ASSERT_OK(await(bench_->ana_says("restart checkout")));
  ASSERT_OK(await(bench_->ana_deletes()));
  ASSERT_EQ(receiver_.messages.size(), 2U);
  const InboundMessage& got = receiver_.messages[1];
  EXPECT_EQ(got.kind, InboundKind::deleted);
  EXPECT_EQ(got.ref, receiver_.messages[0].ref);
  EXPECT_EQ(got.conversation, conversation());
  EXPECT_NE(got.key, receiver_.messages[0].key);
}

TEST_P(ChannelTest, AFileComesWithItsMessageAndCanBeRead) {
  NEEDS(uploads, "nobody can send a file");
  const std::string content = std::string("checkout: out of memory\n") + '\0' + "\xff and more";
  ASSERT_OK(await(bench_->ana_uploads("what does it say?", {"errors.log", "text/plain", content})));
  ASSERT_EQ(receiver_.messages.size(), 1U);
  EXPECT_EQ(receiver_.messages[0].text, "what does it say?");
  ASSERT_EQ(receiver_.messages[0].files.size(), 1U);
  const InboundFile file = receiver_.messages[0].files[0];
  EXPECT_EQ(file.name, "errors.log");
  EXPECT_EQ(file.media_type, "text/plain");
  EXPECT_EQ(file.size, static_cast<std::int64_t>(content.size()));
  EXPECT_EQ(must(channel().download(file, content.size())), content);
  EXPECT_FALSE(await(channel().download(file, content.size() - 1))) << "larger than wanted";
}

TEST_P(ChannelTest, AFileThatIsNotThereCannotBeRead) {
  EXPECT_FALSE(await(channel().download({.id = "no-such-file", .name = "x"}, 1000)));
}

TEST_P(ChannelTest, DiagnosesItself) {
  for (const Diagnosis::Check& check : must(channel().diagnose()).checks) EXPECT_TRUE(check.ok) << check.name;
}

}  // namespace
}  // namespace deputy::channel

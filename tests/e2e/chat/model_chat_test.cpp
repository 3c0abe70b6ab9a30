// `deputy chat` with a language model: the real program against the strict stand-in for Anthropic's API.
#include "e2e/chat/chat_fixture.h"
#include "support/model_peer.h"

namespace deputy {
namespace {

using test::ModelPeer;
using test::Scenario;
using testing::HasSubstr;
using testing::Not;

class ChatWithModel : public Chat {
 protected:
  std::unique_ptr<Pty> chat_with(const ModelPeer& peer) {
    variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
    return chat();
  }
  static Scenario wants_to_write() {
    Scenario scenario;
    scenario.text("I will note it.").call("write_file", {{"path", "notes.txt"}, {"content", "alpha\n"}});
    return scenario;
  }
};

TEST_F(ChatWithModel, TheFirstWordsAreShownBeforeTheLastAreSent) {
  ModelPeer peer("anthropic.js", Scenario().text("The first words\n").hold().text("and the last.\n"));
  const auto pty = chat_with(peer);
  pty->type("hello\r");
  pty->expect("The first words");
  peer.go_on();
  pty->expect("and the last.");
  pty->expect(" s · ");  // the footer
  leave(*pty);
  EXPECT_EQ(peer.count(), 1);
}

TEST_F(ChatWithModel, SaysWhichModelAnswersAndWhere) {
  ModelPeer peer("anthropic.js", Scenario().text("Hello."));
  const auto pty = chat_with(peer);
  pty->expect("anthropic is reached at " + peer.url());
  EXPECT_THAT(test::without_sequences(pty->raw()),
              HasSubstr("answered by anthropic/claude-sonnet-5-5 (ANTHROPIC_API_KEY is set)"));
  leave(*pty);
}

TEST_F(ChatWithModel, WhatAModelWantsIsDoneAfterAYesAndItsResultGoesBack) {
  ModelPeer peer("anthropic.js", wants_to_write().then().text("It is noted."));
  const auto pty = chat_with(peer);
  pty->type("note alpha\r");
  pty->expect(kChoices);
  EXPECT_FALSE(fs::exists(workspace() / "notes.txt"));
  pty->type("y\r");
  pty->expect("It is noted.");
  EXPECT_EQ(text_of(workspace() / "notes.txt"), "alpha\n");
  leave(*pty);
  ASSERT_EQ(peer.count(), 2);
  EXPECT_THAT(json::serialize(peer.requests().back()), HasSubstr("tool_result"));
}

TEST_F(ChatWithModel, WhatIsDeniedIsNotDoneAndTheModelIsTold) {
  ModelPeer peer("anthropic.js", wants_to_write().then().text("Then not."));
  const auto pty = chat_with(peer);
  pty->type("note alpha\r");
  pty->expect(kChoices);
  pty->type("n\r");
  pty->expect("reason");
  pty->type("not today\r");
  pty->expect("Then not.");
  EXPECT_FALSE(fs::exists(workspace() / "notes.txt"));
  leave(*pty);
  EXPECT_THAT(json::serialize(peer.requests().back()), HasSubstr("not today"));
}

TEST_F(ChatWithModel, ACallThatAModelGotWrongIsToldToItAndCorrected) {
  Scenario scenario;
  scenario.broken_call("write_file", R"({"path": "notes.txt)").then();
  scenario.broken_call("", R"({"path": "notes.txt"})").then();
  scenario.call("write_file", {{"path", "notes.txt"}, {"content", "alpha\n"}}).then().text("It is noted.");
  ModelPeer peer("anthropic.js", scenario);
  const auto pty = chat_with(peer);
  pty->type("note alpha\r");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("It is noted.");
  EXPECT_EQ(text_of(workspace() / "notes.txt"), "alpha\n");
  leave(*pty);
  ASSERT_EQ(peer.count(), 4);
  EXPECT_THAT(json::serialize(peer.requests().at(1)), HasSubstr("the arguments cannot be read"));
  EXPECT_THAT(json::serialize(peer.requests().at(2)), HasSubstr("the call names no tool"));
}

TEST_F(ChatWithModel, WhatWasSaidBeforeIsKnownAlsoAfterTheChatWasLeft) {
  ModelPeer peer("anthropic.js", Scenario().text("It is checkout.").then().text("Since noon.").then().text("No."));
  {
    const auto pty = chat_with(peer);
    pty->type("which service fails?\r");
    pty->expect(" s · ");  // the footer
    pty->type("since when?\r");
    pty->expect("Since noon.");
    pty->expect(" s · ");
    leave(*pty);
  }
  const auto pty = chat({"--resume"});
  pty->type("also in dev?\r");
  pty->expect("No.");
  leave(*pty);
  ASSERT_EQ(peer.count(), 3);
  EXPECT_THAT(json::serialize(peer.requests().at(0)), Not(HasSubstr("It is checkout.")));
  const std::string last = json::serialize(peer.requests().at(2));
  for (const std::string_view said : {"which service fails?", "It is checkout.", "since when?", "Since noon."})
    EXPECT_THAT(last, HasSubstr(said));
}

TEST_F(ChatWithModel, InterruptEndsARequestThatIsUnderWay) {
  ModelPeer peer("anthropic.js",
                 Scenario().text("The first words\n").hold().text("and the last.").then().text("Again."));
  const auto pty = chat_with(peer);
  pty->type("hello\r");
  pty->expect("The first words");
  pty->type("\x03");
  pty->expect("Stopped by");
  pty->type("once more\r");
  pty->expect("Again.");
  leave(*pty);
  EXPECT_THAT(test::without_sequences(pty->raw()), Not(HasSubstr("and the last.")));
}

}  // namespace
}  // namespace deputy

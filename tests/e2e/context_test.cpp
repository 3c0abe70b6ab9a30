// What a model is told beside the request: the thread before it, the channel's instructions, the requester's time.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class Context : public Engine {
 protected:
  channel::InboundMessage message(std::string text) {
    channel::InboundMessage one;
    one.sender = {"scripted", "U1"};
    one.conversation = kThread;
    one.text = std::move(text);
    one.ref = "request";
    return one;
  }
  static channel::ThreadMessage said(std::string ref, std::string text, bool by_deputy = false) {
    return {.writer = {"scripted", "U9"},
            .writer_name = "Zoe",
            .text = std::move(text),
            .by_deputy = by_deputy,
            .ref = std::move(ref)};
  }
  void ana_is_in_kolkata() {
    auto rules = std::make_shared<run::Rules>(*rules_);
    rules->zone_named = [](std::string_view name) -> std::optional<interaction::Zone> {
      if (name != "Asia/Kolkata") return std::nullopt;
      return interaction::Zone{"Asia/Kolkata", [](Timestamp) { return std::chrono::seconds(5h + 30min); }};
    };
    rules_ = rules;
    channel_->knows("scripted:U1", {.standing = policy::AccountKind::member, .time_zone = "Asia/Kolkata"});
  }
  static std::string told(const ScriptedModel& model) {
    std::string text;
    if (model.requests().empty()) return text;
    for (const model::Turn& turn : model.requests().front().turns) {
      for (const model::Block& block : turn.blocks) {
        if (const auto* words = std::get_if<model::Text>(&block)) text += words->text + "\n";
      }
    }
    return text;
  }
};

TEST_F(Context, EndsBeforeTheRequest) {
  channel_->has_context(kThread, {.channel_name = "ops",
                                  .said = {said("root", "checkout is down"), said("request", "why is it down?"),
                                           said("ack", "Checking those errors…", true), said("later", "never mind")}});
  const auto model = script(ModelScript().says("I looked."));
  must(channel_->says(message("why is it down?")));
  until_finished();
  const std::string text = told(*model);
  EXPECT_THAT(text, HasSubstr("checkout is down"));
  EXPECT_EQ(text.find("why is it down?"), text.rfind("why is it down?")) << "the request stands there once";
  EXPECT_THAT(text, Not(HasSubstr("Checking those errors")));
  EXPECT_THAT(text, Not(HasSubstr("never mind")));
}

TEST_F(Context, OfAMessageThatBeginsItsThreadOnlyTheChannelsNameIsLookedUp) {
  channel_->has_context(kThread, {.said = {said("other", "payments is down")}});
  channel_->has_context("scripted:C1", {.channel_name = "sre-payments"});
  const auto model = script(ModelScript().says("I looked."));
  channel::InboundMessage first = message("why is it down?");
  first.begins_thread = true;
  must(channel_->says(first));
  until_finished();
  EXPECT_EQ(state().request().begins_thread, true);
  EXPECT_THAT(told(*model), HasSubstr("[Channel: sre-payments; people are in the right place"));
  EXPECT_THAT(told(*model), Not(HasSubstr("payments is down"))) << "its thread is not read";
}

TEST_F(Context, ADirectMessageHasNoChannelName) {
  script(ModelScript().says("I looked."));
  channel::InboundMessage first = message("why is it down?");
  first.conversation = "scripted:DU1";
  first.begins_thread = true;
  must(channel_->says(first));
  until_finished();
  EXPECT_EQ(channel_->calls(Step::context), 0);
}

TEST_F(Context, AChannelWhoseNameIsUnknownDelaysNothing) {
  channel_->fails(Step::context, {ErrorKind::timeout, "no answer"});
  script(ModelScript().says("I looked."));
  channel::InboundMessage first = message("why is it down?");
  first.begins_thread = true;
  must(channel_->says(first));
  until_finished();
  EXPECT_EQ(answer(), "I looked.");
}

TEST_F(Context, TheInstructionsOfAChannelAreInThePromptOfItsRuns) {
  set([](policy::Settings& settings) { settings.channels["C1"].instructions = "Name the runbook of each service."; });
  const auto model = script(ModelScript().says("Here.").says("There."));
  says("U1", "how is checkout?", "scripted:C1:1");
  until_finished(1);
  says("U1", "how is checkout?", "scripted:C2:1");
  until_finished(2);
  ASSERT_EQ(model->requests().size(), 2U);
  EXPECT_THAT(model->requests()[0].system, HasSubstr("Name the runbook of each service."));
  EXPECT_THAT(model->requests()[1].system, Not(HasSubstr("runbook")));
}

TEST_F(Context, TimesAreThoseOfTheRequester) {
  ana_is_in_kolkata();
  const auto model = script(ModelScript().says("I looked."));
  must(channel_->says(message("what happened since 02:00?")));
  until_finished();
  EXPECT_THAT(told(*model), HasSubstr("[It is 2023-11-14 22:13 UTC; for people here 2023-11-15 03:43 Asia/Kolkata]"));
  EXPECT_THAT(told(*model), HasSubstr("2023-11-14T20:30:00")) << "02:00 in Kolkata";
}

TEST_F(Context, ACardIsInTheTimeOfTheRequesterAndAVerdictInTheReaders) {
  ana_is_in_kolkata();
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("Restarted."));
  must(channel_->says(message("restart checkout")));
  until_asked();
  EXPECT_THAT(transcript(), HasSubstr("Expires at 2023-11-15 04:13 Asia/Kolkata."));
  const std::string token = card_shown().interactions[0].controls[0].token;
  clicks("U2", interaction::Control::approve_once);
  until_finished();
  until([&] { return card() == nullptr; });
  EXPECT_THAT(transcript(), HasSubstr("at 2023-11-15 03:43 Asia/Kolkata, once."));
  const auto late = must(channel_->sends_token("U2", kThread, token));
  ASSERT_TRUE(std::holds_alternative<channel::AlreadyAnswered>(late));
  EXPECT_THAT(std::get<channel::AlreadyAnswered>(late).words, HasSubstr("2023-11-14 22:13 UTC"));
}

}  // namespace
}  // namespace deputy::test

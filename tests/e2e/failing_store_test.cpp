// A store that is busy or full for a while, under the whole engine: whatever was receipted is done, once; whatever was
// not is done when it is sent again.
#include <gmock/gmock.h>

#include "e2e/engine.h"
#include "run/journal/delivery.h"

namespace deputy::test {
namespace {

using interaction::Control;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::SizeIs;

json::object which_environment() {
  return {{"questions", json::array{json::object{{"label", "env"},
                                                 {"question", "Which environment?"},
                                                 {"options", json::array{json::object{{"label", "prod"}},
                                                                         json::object{{"label", "staging"}}}}}}}};
}

json::object restart_checkout() { return {{"service", "checkout"}, {"environment", "prod"}}; }

class OverAFailingStore : public Engine {
 protected:
  /// Until it has happened. What waits for a time gets it whenever nothing else goes on.
  void eventually(const std::string& what, const std::function<bool()>& happened) {
    using Steady = std::chrono::steady_clock;
    const auto last = Steady::now() + std::chrono::seconds(40);
    while (Steady::now() < last) {
      const auto pause = Steady::now() + std::chrono::milliseconds(300);
      until([&] { return happened() || Steady::now() > pause; });
      if (happened()) return;
      clock_.advance(std::chrono::seconds(6));
      gateway_->wake();
    }
    ADD_FAILURE() << what << " did not happen; the thread is:\n" << transcript();
  }

  /// As a platform does: again, with the same key, until there is a receipt.
  void says_until_received(std::string account, std::string text) {
    channel::InboundMessage message;
    message.key = "scripted:message:k" + std::to_string(++messages_);
    message.sender = {"scripted", std::move(account)};
    message.conversation = kThread;
    message.text = std::move(text);
    for (int i = 0; i < 100; ++i) {
      const std::size_t known = must(store_->runs({})).size();
      if (received(channel_->says(message))) return;
      EXPECT_THAT(must(store_->runs({})), SizeIs(known)) << "what has no receipt is not kept";
    }
    ADD_FAILURE() << "it was never received: " << message.text;
  }
  /// As people do: again, while they are told that it did not work.
  channel::Verdict clicks_until_heard(const std::string& account, Control control,
                                      const std::map<std::string, interaction::Given>& given = {}) {
    for (int i = 0; i < 100; ++i) {
      const ScriptedChannel::Shown* shown = card();
      if (shown == nullptr) break;
      Result<channel::Verdict> verdict = ends(channel_->clicks(account, shown->ref, control, {}, given));
      if (verdict) return *std::move(verdict);
      EXPECT_TRUE(verdict.error().retryable) << describe(verdict.error());
    }
    ADD_FAILURE() << "nobody heard it";
    return channel::Refused{};
  }

  /// Reads, writes with an approval that is typed, asks, and answers; then something is asked again in that thread.
  void tells_its_story() {
    const auto model = script(ModelScript()
                                  .calls("search_notes", {{"query", "checkout"}})
                                  .calls("restart_service", restart_checkout())
                                  .calls("ask_user", which_environment())
                                  .says("It is up again.")
                                  .then_says("Nothing more.")
                                  .costs(10));
    says_until_received("U1", "restart checkout");
    eventually("the approval", [&] { return card() != nullptr; });
    const std::string code = must(store_->interactions({})).at(0).code;
    says_until_received("U2", "approve " + code);
    eventually("the form", [&] { return card_shown().interactions.size() == 1 && asks(); });
    clicks_until_heard("U1", Control::submit, {{"env", {.values = {"staging"}}}});
    eventually("the answer", [&] { return answers() == 1; });
    says_until_received("U1", "anything else?");
    eventually("the second answer", [&] { return answers() == 2; });
    eventually("that nothing is owed", [&] { return nothing_is_owed(); });

    EXPECT_THAT(words(), ElementsAre(HasSubstr("restart_service"), HasSubstr("env: `staging`"), "It is up again.",
                                     "Nothing more."))
        << transcript();
    EXPECT_EQ(world_->restarts["checkout"], 1);
    EXPECT_EQ(world_->done, (std::vector<std::string>{"find_service", "show_plan", "restart", "drop_plan"}));
    EXPECT_THAT(model->requests(), SizeIs(5)) << "no reply is bought twice";
    EXPECT_THAT(runs(), SizeIs(2));
    EXPECT_EQ(status_of("call_2"), "success");
    EXPECT_THAT(result_of("call_3"), HasSubstr(R"("answer":"staging")"));
    EXPECT_EQ(card(), nullptr) << "what is settled has no controls";
    EXPECT_THAT(audited("approved"), SizeIs(1));
    EXPECT_THAT(audited("requested"), SizeIs(2));
    EXPECT_THAT(gateway_->health().failing, SizeIs(0));
  }

 private:
  template <class T>
  Result<T> ends(Task<Result<T>> task) {
    std::optional<Result<T>> result;
    asio::co_spawn(loop_, std::move(task), [&](const std::exception_ptr& thrown, Result<T> value) {
      EXPECT_FALSE(thrown);
      result = std::move(value);
    });
    until([&] { return result.has_value(); });
    return result.value_or(fail(ErrorKind::timeout, "it did not end"));
  }
  bool received(Task<Result<>> task) {
    const Result<> receipt = ends(std::move(task));
    if (!receipt) EXPECT_TRUE(receipt.error().retryable) << describe(receipt.error());
    return receipt.has_value();
  }
  bool asks() const { return std::holds_alternative<channel::ShownQuestions>(card_shown().interactions.front().what); }
  bool nothing_is_owed() {
    for (const store::RunRow& run : runs()) {
      for (const store::DeliveryRow& row : must(store_->deliveries({.run = run.run})))
        if (row.state != store::DeliveryState::sent) return false;
    }
    return true;
  }
  std::vector<std::string> words() const {
    std::vector<std::string> words;
    for (const ScriptedChannel::Shown& shown : channel_->shown()) words.push_back(shown.text);
    return words;
  }

  int messages_ = 0;
};

class ManyCalls : public OverAFailingStore, public testing::WithParamInterface<const char*> {};

TEST_P(ManyCalls, FailAndNothingIsLostOrDoneTwice) {
  failing_->fail_often(GetParam());
  tells_its_story();
  EXPECT_THAT(failing_->failed(GetParam()), Gt(0)) << "nobody calls it";
}

INSTANTIATE_TEST_SUITE_P(Of, ManyCalls,
                         testing::Values("admit", "conversation", "append", "journal", "claim", "answer", "token",
                                         "interactions", "take_due", "take_deliveries", "change_delivery", "deliveries",
                                         "runs", "grants", "spent_on", "text", "brake", "remove_old"),
                         [](const auto& method) { return std::string(method.param); });

class Outage : public OverAFailingStore, public testing::WithParamInterface<int> {};

// From some call on, whatever it is, until the twentieth after it.
TEST_P(Outage, OfAllTheStoreLosesNothingAndDoesNothingTwice) {
  failing_->before = [this, left = GetParam()](std::string_view) mutable {
    if (--left == 0) failing_->fail_all(20);
  };
  tells_its_story();
  EXPECT_EQ(failing_->failed(), 20);
}

INSTANTIATE_TEST_SUITE_P(AfterCalls, Outage, testing::Values(1, 6, 12, 20, 29, 38, 47, 58, 70, 84),
                         testing::PrintToStringParamName());

TEST_F(OverAFailingStore, WhoWaitsTheirTurnIsToldOnceHoweverBusyTheStoreIs) {
  limit([](run::LimitSettings& limits) { limits.runs_a_person = 1; });
  const auto model = script(ModelScript().hangs().says("The second."));
  says("U1", "think", "scripted:C1:1");
  until([&] { return model->waiting() == 1; });
  constexpr std::array kOfItsWait{"journal", "runs", "append", "release"};
  for (const char* method : kOfItsWait) failing_->fail(method, 1, store_is_busy(), 2);
  says("U1", "think", "scripted:C1:2");
  until([&] { return channel_->transcript("scripted:C1:2").find("waits its turn") != std::string::npos; });
  for (const char* method : kOfItsWait) until([&] { return failing_->failed(method) == 2; });
  says("U1", "stop", "scripted:C1:1");
  until_finished(2);
  EXPECT_THAT(channel_->shown_in("scripted:C1:2"), SizeIs(2)) << channel_->transcript("scripted:C1:2");
}

}  // namespace
}  // namespace deputy::test

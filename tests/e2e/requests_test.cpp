// Requests over the whole engine: started, called, answered, stopped and watched, also from another process.
#include "gateway/requests.h"

#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using gateway::Accepted;
using gateway::Ended;
using gateway::Event;
using gateway::NotAccepted;
using gateway::Started;
using gateway::Waiting;
using interaction::Control;
using testing::HasSubstr;

json::object restart_of(std::string service) { return {{"service", service}, {"environment", "prod"}}; }

class Requests : public Engine {
 protected:
  gateway::Requests& requests() { return gateway_->requests(); }
  static gateway::Caller caller(std::string id) {
    return {.identity = {.account = {"scripted", id}, .standing = policy::AccountKind::member},
            .place = {"scripted", "C1", policy::PlaceKind::public_channel, false, policy::OpenTo::members},
            .name = "Ana"};
  }
  Accepted accepted(Started started) {
    EXPECT_TRUE(std::holds_alternative<Accepted>(started));
    auto* one = std::get_if<Accepted>(&started);
    return one == nullptr ? Accepted{} : std::move(*one);
  }
  Accepted start(std::string text, std::string key = {}) {
    return accepted(must(requests().start(caller("U1"), {kThread, std::move(text), std::move(key)})));
  }
  /// What streams by is left out.
  template <class What>
  What next(gateway::Events& events) {
    for (;;) {
      Event event = must(events.next());
      if (std::holds_alternative<gateway::StreamedText>(event.what)) continue;
      if (std::holds_alternative<gateway::Progress>(event.what)) continue;
      EXPECT_TRUE(std::holds_alternative<What>(event.what)) << event.what.index();
      auto* what = std::get_if<What>(&event.what);
      return what == nullptr ? What{} : std::move(*what);
    }
  }
  /// Calls, text and the end, as they are told; parts of a text are one.
  static Task<> collect(gateway::Events& events, std::vector<std::string>& told) {
    for (;;) {
      const Result<Event> event = co_await events.next();
      if (!event) co_return;
      if (const auto* text = std::get_if<gateway::StreamedText>(&event->what)) {
        if (told.empty() || !told.back().starts_with("says ")) told.emplace_back("says ");
        told.back() += text->part;
      }
      if (const auto* progress = std::get_if<gateway::Progress>(&event->what); progress && !progress->line.call.empty())
        told.push_back((progress->line.state == channel::ProgressLine::State::done ? "done " : "running ") +
                       progress->line.line);
      if (const auto* ended = std::get_if<Ended>(&event->what)) told.push_back("ended " + ended->answer);
    }
  }
  static channel::Press press_of(const Waiting& waiting, Control control) {
    return {channel::token_of(waiting.cards.at(0).interactions.at(0), control)};
  }
  static InteractionId first_of(const Waiting& waiting) { return waiting.cards.at(0).interactions.at(0).id; }
};

TEST_F(Requests, ARequestIsFollowedToItsEnd) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes."));
  Accepted asked = start("what is up with checkout?");
  const auto ended = next<Ended>(asked.events);
  EXPECT_EQ(ended.outcome, "answered");
  EXPECT_EQ(ended.answer, "Two notes.");
  ASSERT_EQ(ended.calls.size(), 1U);
  EXPECT_EQ(ended.calls[0].tool, "search_notes");
  EXPECT_EQ(ended.calls[0].status, run::CallStatus::success);
  EXPECT_EQ(answers(), 1) << "an end is an end only once it is delivered";
}

TEST_F(Requests, WhatAModelSaysStreams) {
  script(ModelScript().says("All is well."));
  Accepted asked = start("how is it?");
  std::string said;
  for (;;) {
    Event event = must(asked.events.next());
    if (const auto* part = std::get_if<gateway::StreamedText>(&event.what)) said += part->part;
    if (std::holds_alternative<Ended>(event.what)) break;
  }
  EXPECT_EQ(said, "All is well.");
}

TEST_F(Requests, CallsAreToldAsTheyGoOn) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes."));
  Accepted asked = start("what is up with checkout?");
  std::vector<channel::ProgressLine::State> states;
  for (;;) {
    Event event = must(asked.events.next());
    if (const auto* progress = std::get_if<gateway::Progress>(&event.what); progress && !progress->line.call.empty()) {
      EXPECT_EQ(progress->line.line, "search_notes checkout");
      if (states.empty() || states.back() != progress->line.state) states.push_back(progress->line.state);
    }
    if (std::holds_alternative<Ended>(event.what)) break;
  }
  using State = channel::ProgressLine::State;
  EXPECT_THAT(states, testing::ElementsAre(State::running, State::done));
}

TEST_F(Requests, TwoWatchersOfOneRunBothGetEveryEvent) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes."));
  Accepted asked = start("what is up with checkout?");
  Accepted watched = must(requests().watch(caller("U1"), asked.run));
  const auto events_of = [this](gateway::Events& events, std::vector<std::string>& told, bool& ended) {
    asio::co_spawn(loop_, collect(events, told), [&ended](const std::exception_ptr& thrown) {
      EXPECT_FALSE(thrown);
      ended = true;
    });
  };
  std::vector<std::string> by_one;
  std::vector<std::string> by_other;
  bool one_ended = false;
  bool other_ended = false;
  events_of(asked.events, by_one, one_ended);
  events_of(watched.events, by_other, other_ended);
  until([&] { return one_ended && other_ended; });
  EXPECT_EQ(by_one, by_other);
  EXPECT_THAT(by_one, testing::IsSupersetOf({"running search_notes checkout", "done search_notes checkout",
                                             "says Two notes.", "ended Two notes."}));
}

TEST_F(Requests, OneKeyIsOneRun) {
  script(ModelScript().says("Once."));
  const RunId first = start("how is it?", "k1").run;
  until_finished();
  EXPECT_EQ(start("how is it?", "k1").run, first);
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Requests, WhoMayNotSpeakIsTold) {
  const Started started = must(requests().start(caller("U9"), {kThread, "let me in"}));
  ASSERT_TRUE(std::holds_alternative<NotAccepted>(started));
  EXPECT_EQ(std::get<NotAccepted>(started).why, NotAccepted::Why::no_access);
  EXPECT_FALSE(std::get<NotAccepted>(started).message.empty());
  EXPECT_TRUE(runs().empty());
}

TEST_F(Requests, NothingStartsWhileEverythingIsPaused) {
  must(store_->set_brake({store::Pause::all, "bo", clock_.now()}, {}));
  const Started asked = must(requests().start(caller("U1"), {kThread, "restart checkout"}));
  ASSERT_TRUE(std::holds_alternative<NotAccepted>(asked));
  EXPECT_EQ(std::get<NotAccepted>(asked).why, NotAccepted::Why::paused);
  const Started called = must(requests().call(caller("U1"), {kThread, "search_notes", {{"query", "x"}}}));
  ASSERT_TRUE(std::holds_alternative<NotAccepted>(called));
  EXPECT_THAT(std::get<NotAccepted>(called).message, HasSubstr("paused by bo"));
}

TEST_F(Requests, WhatWaitsIsAnsweredThroughItsCard) {
  Accepted called = accepted(must(requests().call(caller("U1"), {kThread, "restart_service", restart_of("checkout")})));
  auto waiting = next<Waiting>(called.events);
  ASSERT_EQ(waiting.cards.size(), 1U);
  EXPECT_EQ(waiting.cards[0].run, called.run);
  EXPECT_EQ(waiting.cards[0].requester, "ana");
  EXPECT_EQ(must(requests().pending(caller("U1"), {.run = called.run})).cards.size(), 1U);
  const auto refused =
      must(requests().answer(caller("U1"), first_of(waiting), press_of(waiting, Control::approve_once)));
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(refused.verdict)) << "ana does not approve restarts";
  const auto taken = must(requests().answer(caller("U2"), first_of(waiting), press_of(waiting, Control::approve_once)));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(taken.verdict));
  EXPECT_EQ(taken.run, called.run);
  const auto ended = next<Ended>(called.events);
  EXPECT_TRUE(ended.is_one_call);
  EXPECT_EQ(world_->restarts.at("checkout"), 1);
  EXPECT_TRUE(must(requests().pending(caller("U1"), {})).cards.empty());
}

TEST_F(Requests, WhoAskedStopsIt) {
  Accepted called = accepted(must(requests().call(caller("U1"), {kThread, "restart_service", restart_of("checkout")})));
  next<Waiting>(called.events);
  Accepted stopped = must(requests().stop(caller("U1"), called.run));
  EXPECT_EQ(next<Ended>(stopped.events).outcome, "cancelled");
  EXPECT_EQ(next<Ended>(called.events).outcome, "cancelled");
  EXPECT_EQ(audited("stopped").size(), 1U);
}

TEST_F(Requests, ARunOfAnotherProcessIsWatchedToItsEnd) {
  auto opened =
      store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data", .max_gap = kMaxWait});
  ASSERT_OK(opened);
  const std::unique_ptr<store::SqliteStore> store = *std::move(opened);
  toolkit::Executor executor(clock_);
  // It is never started: it works on nothing itself.
  gateway::Gateway other(
      gateway::GatewaySetup{*store, clock_, registry_, executor, [this] { return rules_; }, [this] { return model_; },
                            run::Redaction("secret of this store"), gateway::Channels{}, gateway::DeliverySettings{}},
      loop_.get_executor());
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("That was it."));
  const RunId run = start("restart checkout in prod").run;
  Accepted watched = must(other.requests().watch(caller("U1"), run));
  const auto waiting = next<Waiting>(watched.events);
  EXPECT_EQ(waiting.cards.at(0).run, run);
  clicks("U2", Control::approve_once);
  EXPECT_EQ(next<Ended>(watched.events).answer, "That was it.");
}

TEST_F(Requests, WhatIsNotThereCannotBeWatched) {
  Result<Accepted> watched;
  bool ended = false;
  asio::co_spawn(loop_, requests().watch(caller("U1"), RunId::make(clock_.now())),
                 [&](const std::exception_ptr&, auto result) {
                   watched = std::move(result);
                   ended = true;
                 });
  until([&] { return ended; });
  EXPECT_FAILS(watched, not_found);
}

}  // namespace
}  // namespace deputy::test

#include "toolkit/executor.h"

#include <gtest/gtest.h>

#include <thread>

#include "support/results.h"
#include "support/sample_tools.h"
#include "toolkit/executor_fixture.h"

namespace deputy::toolkit {
namespace {

Task<Step> throw_inside() {
  throw std::runtime_error("a bug");
  co_return Continue{};
}

Task<Step> throw_a_number() {
  throw 4;
  co_return Continue{};
}

TEST_F(ExecutorTest, PassesOnWhatAHandlerAnswers) {
  EXPECT_TRUE(std::holds_alternative<Continue>(run(once([](CallContext&) { return answer(Continue{}); })).outcome));
  EXPECT_EQ(shown_in(run(once([](CallContext&) { return answer(Output{"two notes", {}}); }))), "two notes");
  const Executed delegated =
      run(once([](CallContext&) { return answer(Delegate{DelegateKind::history, {{"query", "x"}}}); }));
  const auto* delegate = std::get_if<Delegate>(&delegated.outcome);
  ASSERT_NE(delegate, nullptr);
  EXPECT_EQ(*delegate, (Delegate{DelegateKind::history, {{"query", "x"}}}));
  const Error error{ErrorKind::not_found, "there is no such note", "look elsewhere"};
  EXPECT_EQ(failure_in(run(once([error](CallContext&) { return answer(error); }))), (Failure{Status::error, error}));
}

TEST_F(ExecutorTest, RunsAToolFromPreviewToCleanUpByTheNamesOfItsHandlers) {
  const test::World world = std::make_shared<test::SampleWorld>();
  const auto tool = test::restart_service(world);
  const json::object arguments =
      tool->complete_arguments({{"service", "checkout"}, {"environment", "prod"}}).value_or(json::object{});
  CallContext context{.call_id = "c1", .arguments = arguments};
  for (const std::string_view name : {"find_service", "show_plan", "restart", "drop_plan"}) {
    auto composed = tool->compose(arguments);
    ASSERT_OK(composed);
    auto link = std::move(*composed).take(name);
    ASSERT_OK(link);
    const Executed executed =
        run({.tool = "restart_service", .link = *std::move(link), .context = context, .timeout = 10s});
    EXPECT_FALSE(std::holds_alternative<Failure>(executed.outcome)) << name;
    if (const auto* output = std::get_if<KeptOutput>(&executed.outcome)) {
      context.outputs[std::string(name)] = {output->text.whole, output->data};
    }
  }
  EXPECT_EQ(world->restarts["checkout"], 1);
  EXPECT_EQ(world->done, (std::vector<std::string>{"find_service", "show_plan", "restart", "drop_plan"}));
  EXPECT_EQ(context.outputs.at("restart").text, "restarted checkout");
  // The plan has been carried out: it does not hold any more.
  auto link = std::move(*tool->compose(arguments)).take("restart");
  ASSERT_OK(link);
  const Executed again = run({.tool = "restart_service", .link = *std::move(link), .context = context, .timeout = 10s});
  EXPECT_EQ(failure_in(again).error.kind, ErrorKind::conflict);
  EXPECT_EQ(world->restarts["checkout"], 1);
}

TEST_F(ExecutorTest, ALostConnectionIsUnknownUnlessItMayBeRepeated) {
  const Error lost{ErrorKind::network, "the connection was lost", {}, true};
  EXPECT_EQ(failure_in(run(once([lost](CallContext&) { return answer(lost); }))).status, Status::unknown);
  EXPECT_EQ(failure_in(run(repeatable([lost](CallContext&) { return answer(lost); }))), (Failure{Status::error, lost}));
}

TEST_F(ExecutorTest, WhatAHandlerThrowsIsAnErrorAndMayHaveHappened) {
  const auto throw_before = [](CallContext&) -> Task<Step> { throw std::runtime_error("a bug"); };
  const Failure before = failure_in(run(repeatable(throw_before)));
  EXPECT_EQ(before.status, Status::error);
  EXPECT_EQ(before.error.kind, ErrorKind::internal);
  EXPECT_EQ(before.error.message, "the tool failed with an internal error");
  EXPECT_EQ(failure_in(run(repeatable([](CallContext&) { return throw_inside(); }))).status, Status::error);
  EXPECT_EQ(failure_in(run(repeatable([](CallContext&) { return throw_a_number(); }))).status, Status::error);
  EXPECT_EQ(failure_in(run(once([](CallContext&) { return throw_inside(); }))).status, Status::unknown);
  EXPECT_EQ(executor.counts().threw, 4);
}

Task<Step> emit_and_wait_until_seen(CallContext& context, Doors doors) {
  context.emit("one");
  context.emit("two");
  context.emit(" three");
  co_await wait_for_door(doors);
  co_return Continue{};
}

TEST_F(ExecutorTest, StreamsDeltasWhileTheHandlerRuns) {
  std::vector<std::string> seen;
  const auto doors_of_test = doors;
  Execution execution =
      once([doors_of_test](CallContext& context) { return emit_and_wait_until_seen(context, doors_of_test); }, 1h);
  execution.context.on_delta = [&](std::string_view delta) {
    seen.emplace_back(delta);
    // The handler goes on only when what was held back has come.
    if (seen.size() == 2) (*doors_of_test)[0](1);
  };
  EXPECT_TRUE(std::holds_alternative<Continue>(run(std::move(execution)).outcome));
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two three"}));
}

TEST_F(ExecutorTest, AfterTheEndNoDeltaPasses) {
  std::vector<std::string> seen;
  std::function<void(std::string_view)> kept;
  Execution execution = once([&kept](CallContext& context) {
    kept = context.on_delta;
    context.emit("one");
    context.emit("two");
    return answer(Continue{});
  });
  execution.context.on_delta = [&](std::string_view delta) { seen.emplace_back(delta); };
  run(std::move(execution));
  kept("three");
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two"}));
}

TEST_F(ExecutorTest, AListenerThatThrowsEndsNothing) {
  Execution execution = once([](CallContext& context) {
    context.emit("one");
    return answer(Output{"done", {}});
  });
  execution.context.on_delta = [](std::string_view) { throw std::runtime_error("a bug"); };
  EXPECT_EQ(shown_in(run(std::move(execution))), "done");
}

TEST_F(ExecutorTest, CountsACallOnceAgainstItsRateLimit) {
  const auto limited = [&](bool first) {
    Execution execution = once([](CallContext&) { return answer(Continue{}); });
    execution.link.first = first;
    execution.rate_limits = RateLimits{6, 1};
    return failure_in(run(std::move(execution)));
  };
  EXPECT_EQ(limited(true).status, Status::success);
  EXPECT_EQ(limited(false).status, Status::success);
  const Failure refused = limited(true);
  EXPECT_EQ(refused.status, Status::error);
  EXPECT_EQ(refused.error.kind, ErrorKind::rate_limit);
  EXPECT_EQ(refused.error.retry_after, 10s);
  EXPECT_EQ(executor.counts().rate_limited, 1);
  clock.advance(10s);
  EXPECT_EQ(limited(true).status, Status::success);
}

TEST_F(ExecutorTest, RedactsCompactsAndCuts) {
  Execution execution =
      once([](CallContext&) { return answer(Output{"key=hunter2\n" + std::string(20'000, 'a'), {}}); });
  execution.redact = [](std::string_view text) {
    std::string redacted(text);
    if (const auto at = redacted.find("hunter2"); at != std::string::npos) redacted.replace(at, 7, "[redacted]");
    return redacted;
  };
  execution.compact = [](std::string_view text) { return std::string(text.substr(0, text.find('\n'))); };
  const Executed executed = run(std::move(execution));
  EXPECT_EQ(shown_in(executed), "key=[redacted]\n[shortened from 20015 characters; full text: read_result(\"c1\", 0)]");
  const auto* output = std::get_if<KeptOutput>(&executed.outcome);
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->text.whole, "key=[redacted]\n" + std::string(20'000, 'a'));
}

TEST_F(ExecutorTest, LargeResultsAreSearchedForSecretsBesideTheLoop) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{100'000}}) {
    const auto searched_on = std::make_shared<std::thread::id>();
    Execution execution = once([size](CallContext&) { return answer(Output{std::string(size, 'x'), {}}); });
    execution.redact = [searched_on](std::string_view text) {
      *searched_on = std::this_thread::get_id();
      return std::string(text);
    };
    const Executed executed = run(std::move(execution));
    EXPECT_EQ(*searched_on == std::this_thread::get_id(), size == 1000) << size;
    const auto* kept = std::get_if<KeptOutput>(&executed.outcome);
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->text.whole.size(), size);
  }
}

TEST_F(ExecutorTest, ErrorsAreRedactedAndShort) {
  const Error leaky{ErrorKind::not_found, "hunter2 " + std::string(5000, 'a'), "hunter2\xFF"};
  Execution execution = once([leaky](CallContext&) { return answer(leaky); });
  execution.redact = [](std::string_view text) { return std::string(text.substr(text.find_first_not_of("hunter2"))); };
  const Error error = failure_in(run(std::move(execution))).error;
  EXPECT_EQ(error.message.find("hunter2"), std::string::npos);
  EXPECT_LT(error.message.size(), 2100U);
  EXPECT_EQ(error.hint, "\uFFFD");
}

TEST_F(ExecutorTest, DataThatIsTooLargeIsAnError) {
  const Output output{"done", {{"blob", std::string(70'000, 'a')}}};
  EXPECT_EQ(failure_in(run(repeatable([output](CallContext&) { return answer(output); }))).status, Status::error);
  EXPECT_EQ(failure_in(run(once([output](CallContext&) { return answer(output); }))).status, Status::unknown);
}

TEST_F(ExecutorTest, AHandlerIsGivenBoundedFactsADeadlineAndItsAnswer) {
  std::string request;
  std::size_t history = 0;
  std::chrono::milliseconds left{};
  std::optional<json::value> given;
  Execution execution = once([&](CallContext& context) {
    request = context.facts.request;
    history = context.facts.history.size();
    left = context.time_left();
    given = context.answer;
    return answer(Continue{});
  });
  execution.context.facts.request = std::string(3000, 'a');
  execution.context.facts.history.resize(150);
  execution.context.answer = json::value("42");
  run(std::move(execution));
  EXPECT_EQ(request, std::string(2000, 'a') + "… [1000 more characters]");
  EXPECT_EQ(history, 100U);
  EXPECT_GT(left, 0ms);
  EXPECT_LE(left, 10s);
  EXPECT_EQ(given, json::value("42"));
}

TEST_F(ExecutorTest, HandlersOfSeveralCallsRunTogether) {
  // Each ends only after the last has begun.
  constexpr int kCalls = 10;
  const auto doors_of_test = doors;
  std::vector<std::optional<Executed>> outcomes(kCalls);
  int ended = 0;
  for (auto& outcome : outcomes) {
    Execution execution = once([doors_of_test](CallContext&) { return wait_at(doors_of_test, Output{"done", {}}); });
    asio::co_spawn(loop, store_outcome(executor.execute(std::move(execution)), outcome),
                   [&](const std::exception_ptr&) { ++ended; });
  }
  test::run_until(loop, [&] { return doors->size() == kCalls; });
  for (auto& door : *doors) door(1);
  test::run_until(loop, [&] { return ended == kCalls; });
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome ? shown_in(*outcome) : "(none)", "done");
}

Task<Result<Looked>> found(Result<Looked> looked) { co_return looked; }
Task<Result<Looked>> sleep_then_throw(std::chrono::milliseconds duration) {
  co_await sleep_for(duration);
  throw std::runtime_error("a bug");
}

TEST_F(ExecutorTest, LooksWhetherItHappened) {
  using Answer = Looked::Answer;
  const auto looking = [&](std::move_only_function<Task<Result<Looked>>(CallContext&)> with) {
    Execution execution = once([](CallContext&) { return answer(Continue{}); }, 20ms);
    execution.link.handler.look = std::move(with);
    execution.rate_limits = RateLimits{1, 1};  // a look is no call
    return look(std::move(execution));
  };
  const LookedUp done =
      looking([](CallContext&) { return found(Looked{Answer::done, Output{"restarted", {{"id", 4}}}}); });
  EXPECT_EQ(done.answer, Answer::done);
  ASSERT_TRUE(done.output.has_value());
  if (done.output) EXPECT_EQ(done.output->text.shown, "restarted");
  EXPECT_EQ(looking([](CallContext&) { return found(Looked{Answer::not_done}); }).answer, Answer::not_done);
  EXPECT_EQ(looking([](CallContext&) { return found(Looked{}); }).answer, Answer::cannot_tell);
  EXPECT_EQ(looking({}).answer, Answer::cannot_tell);
  const LookedUp failed = looking([](CallContext&) { return found(fail(ErrorKind::network, "no route")); });
  EXPECT_EQ(failed.answer, Answer::cannot_tell);
  EXPECT_EQ(failed.why, (Error{ErrorKind::network, "no route"}));
  EXPECT_EQ(looking([](CallContext&) { return sleep_then_throw(1ms); }).why.value_or(Error{}).kind,
            ErrorKind::internal);
  EXPECT_EQ(looking([](CallContext&) { return sleep_then_throw(1h); }).why.value_or(Error{}).kind, ErrorKind::timeout);
}

}  // namespace
}  // namespace deputy::toolkit

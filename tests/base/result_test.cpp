#include "base/result.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

#include "base/task.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy {
namespace {

const Error kBroken{ErrorKind::upstream, "it broke", "mend it", true, std::chrono::milliseconds(250)};

Result<int> give(int value) { return value; }
Result<int> give_nothing() { return std::unexpected(kBroken); }
Result<> succeed() { return {}; }
Result<> break_down() { return std::unexpected(kBroken); }

template <class Key, class Value>
Result<std::map<Key, Value>> one_pair(Key key, Value value) {
  return std::map<Key, Value>{{key, value}};
}

template <class A, class B>
Result<> check_pair() {
  return break_down();
}

TEST(Try, BindsTheValue) {
  const auto add = []() -> Result<int> {
    TRY(const int a, give(3));
    TRY(auto b, give(4));
    return a + b;
  };
  EXPECT_EQ(add(), 7);
}

TEST(Try, LeavesWithTheWholeError) {
  const auto bind = []() -> Result<std::string> {
    TRY(const int a, give_nothing());
    return std::to_string(a);
  };
  const auto check = []() -> Result<std::string> {
    TRY(succeed());
    TRY(break_down());
    return "not reached";
  };
  EXPECT_EQ(bind(), std::unexpected(kBroken));
  EXPECT_EQ(check(), std::unexpected(kBroken));
}

TEST(Try, AssignsToWhatIsThere) {
  const auto assign = []() -> Result<int> {
    int value = 0;
    TRY(value, give(5));
    return value;
  };
  EXPECT_EQ(assign(), 5);
}

TEST(Try, MovesTheValueOut) {
  const auto move = []() -> Result<int> {
    TRY(const std::unique_ptr<int> owned, Result<std::unique_ptr<int>>(std::make_unique<int>(9)));
    return *owned;
  };
  EXPECT_EQ(move(), 9);
}

TEST(Try, TakesCommasInTemplateArguments) {
  const auto commas = []() -> Result<std::size_t> {
    TRY(const auto pairs, one_pair<std::string, int>("a", 1));
    TRY((check_pair<int, long>()));
    return pairs.size();
  };
  EXPECT_EQ(commas(), std::unexpected(kBroken));
}

TEST(Try, NestsInScopesAndLoops) {
  const auto nest = [](int most) -> Result<int> {
    TRY(int sum, give(0));
    for (int i = 0; i < most; ++i) {
      TRY(const int value, i < 3 ? give(i) : give_nothing());
      {
        TRY(const int again, give(value));
        sum += again;
      }
    }
    return sum;
  };
  EXPECT_EQ(nest(3), 3);
  EXPECT_EQ(nest(4), std::unexpected(kBroken));
}

TEST(Try, AnElseAfterItBelongsToTheOuterIf) {
  const auto choose = [](bool checked) -> Result<std::string> {
    std::string taken = "checked";
    if (checked)
      TRY(succeed());
    else
      taken = "not checked";
    return taken;
  };
  EXPECT_EQ(choose(true), "checked");
  EXPECT_EQ(choose(false), "not checked");
}

Task<Result<int>> give_later(int value) { co_return value; }
Task<Result<>> break_down_later() { co_return std::unexpected(kBroken); }

Task<Result<int>> add_later() {
  CO_TRY(const int a, co_await give_later(3));
  CO_TRY(const int b, give(4));
  co_return a + b;
}

Task<Result<int>> fail_later(bool& went_on) {
  if (!went_on) {
    CO_TRY(co_await break_down_later());
  }
  went_on = true;
  co_return 0;
}

TEST(CoTry, BindsAndLeavesInsideCoroutines) {
  bool went_on = false;
  EXPECT_EQ(test::run(add_later()), 7);
  EXPECT_EQ(test::run(fail_later(went_on)), std::unexpected(kBroken));
  EXPECT_FALSE(went_on);
}

TEST(Describe, SaysMessageAndHintInOneLine) {
  EXPECT_EQ(describe(kBroken), "it broke (mend it)");
  EXPECT_EQ(describe(fail(ErrorKind::internal, "it broke").error()), "it broke");
}

TEST(Fail, MakesAnErrorThatIsNotRetried) {
  EXPECT_EQ(fail(ErrorKind::not_found, "there is none", "look elsewhere").error(),
            (Error{ErrorKind::not_found, "there is none", "look elsewhere", false, std::nullopt}));
}

TEST(ErrorKind, EveryKindHasItsOwnName) {
  std::map<std::string_view, ErrorKind> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::internal); ++kind) {
    names.emplace(name(static_cast<ErrorKind>(kind)), static_cast<ErrorKind>(kind));
  }
  EXPECT_EQ(names.size(), 12U);
  EXPECT_EQ(names.at("rate_limit"), ErrorKind::rate_limit);
}

}  // namespace
}  // namespace deputy

// Assertions over Result: `ASSERT_OK(store.open())` says the error when there is one.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "base/result.h"

namespace deputy {

/// How GoogleTest shows a Result.
template <class T>
void PrintTo(const std::expected<T, Error>& result, std::ostream* out) {
  if (!result) {
    *out << name(result.error().kind) << ": " << describe(result.error());
  } else if constexpr (std::is_void_v<T>) {
    *out << "success";
  } else {
    *out << testing::PrintToString(*result);
  }
}
inline void PrintTo(const Error& error, std::ostream* out) { *out << name(error.kind) << ": " << describe(error); }

}  // namespace deputy

namespace deputy::test {

template <class T>
testing::AssertionResult is_ok(const Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << name(result.error().kind) << ": " << describe(result.error());
}

template <class T>
testing::AssertionResult fails_with(const Result<T>& result, ErrorKind kind) {
  if (result) return testing::AssertionFailure() << "it succeeded";
  if (result.error().kind == kind) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "it failed otherwise, " << name(result.error().kind) << ": "
                                     << describe(result.error());
}

}  // namespace deputy::test

#define EXPECT_OK(expression) EXPECT_TRUE(deputy::test::is_ok(expression))
#define ASSERT_OK(expression) ASSERT_TRUE(deputy::test::is_ok(expression))
#define EXPECT_FAILS(expression, kind) EXPECT_TRUE(deputy::test::fails_with(expression, deputy::ErrorKind::kind))
#define ASSERT_FAILS(expression, kind) ASSERT_TRUE(deputy::test::fails_with(expression, deputy::ErrorKind::kind))

// Assertions over Result: `ASSERT_OK(store.open())` says the error when there is one.
#pragma once

#include <gtest/gtest.h>

#include "base/result.h"

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

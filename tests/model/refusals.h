// What an API's refusal becomes, for the tables of all providers.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/result.h"

namespace deputy::test {}
namespace deputy::model::test {
using namespace deputy::test;  // `test::` means both here

struct Refusal {
  std::string name;
  int status;
  std::string body;
  ErrorKind kind;
  bool retryable;
};

/// It is of its kind, says something, and where asking again is no help says what is.
inline void expect_error(const Error& error, const Refusal& row) {
  EXPECT_EQ(error.kind, row.kind) << describe(error);
  EXPECT_EQ(error.retryable, row.retryable) << describe(error);
  EXPECT_FALSE(error.message.empty());
  EXPECT_TRUE(error.retryable || !error.hint.empty()) << describe(error);
}

}  // namespace deputy::model::test

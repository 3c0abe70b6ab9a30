// Reads the columns of a row one after another, each as its type. The first mismatch is remembered and returned by
// `done`: decoders read the whole row and check once.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/sqlite.h"

namespace deputy::store {

class Columns {
 public:
  explicit Columns(const sqlite::Statement& row) : row_(row) {}

  std::string text() {
    const int column = next_++;
    if (row_.type(column) != SQLITE_TEXT) return wrong<std::string>(column, "text");
    return std::string(row_.text(column));
  }
  std::string text_or_empty() {
    if (!row_.is_null(next_)) return text();
    ++next_;
    return {};
  }

  std::int64_t integer() {
    const int column = next_++;
    if (row_.type(column) != SQLITE_INTEGER) return wrong<std::int64_t>(column, "a number");
    return row_.integer(column);
  }
  std::optional<std::int64_t> optional_integer() {
    if (!row_.is_null(next_)) return integer();
    ++next_;
    return std::nullopt;
  }
  int small_integer() {
    const int column = next_;
    const std::int64_t value = integer();
    if (value < -kMaxSmall || value > kMaxSmall) return wrong<int>(column, "a small number");
    return static_cast<int>(value);
  }
  std::optional<int> optional_small_integer() {
    if (!row_.is_null(next_)) return small_integer();
    ++next_;
    return std::nullopt;
  }
  /// A counter, far from overflow.
  std::int64_t count() {
    const int column = next_;
    const std::int64_t value = integer();
    if (value < 0 || value > kMaxCounted) return wrong<std::int64_t>(column, "a count");
    return value;
  }

  Timestamp time() {
    const int column = next_;
    const std::int64_t millis = integer();
    if (millis < -kFarthest || millis > kFarthest) return wrong<Timestamp>(column, "a time");
    return from_millis(millis);
  }
  std::optional<Timestamp> optional_time() {
    if (!row_.is_null(next_)) return time();
    ++next_;
    return std::nullopt;
  }

  template <class Id>
  Id id() {
    const int column = next_;
    Result<Id> parsed = Id::parse(text());
    return parsed ? *parsed : wrong<Id>(column, "an id");
  }
  template <class Id>
  std::optional<Id> optional_id() {
    if (!row_.is_null(next_)) return id<Id>();
    ++next_;
    return std::nullopt;
  }

  template <class State>
  State state(Result<State> (*parse)(std::string_view)) {
    const int column = next_;
    const Result<State> parsed = parse(text());
    return parsed ? *parsed : wrong<State>(column, "a state");
  }

  template <class Row>
  Result<Row> done(Row row) {
    if (!wrong_) return row;
    return fail(ErrorKind::internal,
                fmt::format("the store contains a row whose column {} is not {}", wrong_->column, wrong_->wanted),
                "the file was changed or damaged; restore it from a copy");
  }

 private:
  // About ten thousand years either way: adding to it does not overflow.
  static constexpr std::int64_t kFarthest = 400'000'000'000'000;

  static constexpr std::int64_t kMaxSmall = 1'000'000'000;
  static constexpr std::int64_t kMaxCounted = std::int64_t{1} << 62;

  struct Wrong {
    int column;
    const char* wanted;
  };

  template <class T>
  T wrong(int column, const char* wanted) {
    if (!wrong_) wrong_ = Wrong{column, wanted};
    return T{};
  }

  const sqlite::Statement& row_;
  int next_ = 0;
  std::optional<Wrong> wrong_;
};

}  // namespace deputy::store

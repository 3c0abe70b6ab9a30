// Errors are values. A function that can fail for a reason outside this process returns Result<T>; exceptions mean bugs
// and lack of memory.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace deputy {

/// Sorted by who acts: the model (invalid_input, not_found), the person (permission, not_configured, authentication),
/// the runtime (rate_limit, timeout, network, conflict, upstream), nobody (cancelled, internal).
enum class ErrorKind {
  network,
  authentication,
  permission,
  rate_limit,
  invalid_input,
  not_configured,
  not_found,
  timeout,
  cancelled,
  conflict,
  upstream,
  internal,
};

std::string_view name(ErrorKind kind);

/// An error for a person and for the model.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  // one sentence, without secrets
  std::string hint;     // what to do about it; empty when nothing helps
  bool retryable = false;
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;

  bool operator==(const Error&) const = default;
};

/// "message (hint)": the whole error as one line for a log or a terminal.
std::string describe(const Error& error);

template <class T = void>
using Result = std::expected<T, Error>;

/// `return fail(ErrorKind::not_found, "there is no run X", "see `deputy runs list`");`
inline std::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return std::unexpected(Error{kind, std::move(message), std::move(hint)});
}

}  // namespace deputy

// TRY(auto value, expression) binds the value or leaves the function with the error; TRY(expression) is for Result<>.
// CO_TRY does the same in a coroutine. A comma splits the declaration from the expression, so put a TRY(expression)
// that has one of its own in parentheses.
#define DEPUTY_JOIN_(a, b) a##b
#define DEPUTY_NAME_(prefix, line) DEPUTY_JOIN_(prefix, line)
// An `else` that follows belongs to the caller's `if`; the switch keeps the compiler from warning that it might not.
#define DEPUTY_TRY_VOID_(leave, tried, expression) \
  switch (0)                                       \
  case 0:                                          \
  default:                                         \
    if (auto tried = (expression); tried) {        \
    } else                                         \
      leave std::unexpected(std::move(tried).error())
#define DEPUTY_TRY_BIND_(leave, tried, declaration, ...)       \
  auto tried = (__VA_ARGS__);                                  \
  if (!tried) leave std::unexpected(std::move(tried).error()); \
  declaration = *std::move(tried)
#define DEPUTY_TRY_(leave, first, ...) \
  DEPUTY_TRY_PICK_##__VA_OPT__(BIND_)(leave, DEPUTY_NAME_(deputy_tried_, __COUNTER__), first __VA_OPT__(, ) __VA_ARGS__)
#define DEPUTY_TRY_PICK_(...) DEPUTY_TRY_VOID_(__VA_ARGS__)
#define DEPUTY_TRY_PICK_BIND_(...) DEPUTY_TRY_BIND_(__VA_ARGS__)
#define TRY(...) DEPUTY_TRY_(return, __VA_ARGS__)
#define CO_TRY(...) DEPUTY_TRY_(co_return, __VA_ARGS__)

// What an optional holds, for a test that has nothing to say without it: where it is empty the test fails there, with
// the line that asked, instead of reading what is not there.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <source_location>
#include <stdexcept>
#include <utility>

namespace deputy::test {

[[noreturn]] inline void fail_as_empty(const std::source_location& where) {
  throw std::logic_error(fmt::format("the optional at {}:{} is empty", where.file_name(), where.line()));
}

template <class T>
const T& held(const std::optional<T>& maybe, std::source_location where = std::source_location::current()) {
  if (!maybe) fail_as_empty(where);
  return *maybe;
}

template <class T>
T& held(std::optional<T>& maybe, std::source_location where = std::source_location::current()) {
  if (!maybe) fail_as_empty(where);
  return *maybe;
}

/// From a temporary: by value, so it may be kept.
template <class T>
T held(std::optional<T>&& maybe, std::source_location where = std::source_location::current()) {
  if (!maybe) fail_as_empty(where);
  return *std::move(maybe);
}

}  // namespace deputy::test

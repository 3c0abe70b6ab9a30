// What a command has said, bounded: its beginning and its end are kept, and a line between them counts what is left
// out. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace deputy::tools {

class ShellOutput {
 public:
  static constexpr std::size_t kMost = 50'000;  // bytes
  static constexpr std::size_t kHead = 30'000;

  void add(std::string_view piece);

  /// More than fits has been said: the rest is only counted.
  bool full() const { return bytes_ > kMost; }

  /// In valid UTF-8, without a byte more than kMost and the line.
  std::string text() const;

 private:
  std::string head_;
  std::string tail_;  // the last of what did not fit into the head, and at times twice as much
  std::uint64_t bytes_ = 0;
};

}  // namespace deputy::tools

#include "tools/workspace/shell_output.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::tools {

namespace {
constexpr std::size_t kTail = ShellOutput::kMost - ShellOutput::kHead;
}

void ShellOutput::add(std::string_view piece) {
  bytes_ += piece.size();
  const std::size_t room = kHead - head_.size();
  head_ += piece.substr(0, room);
  if (piece.size() <= room) return;
  tail_ += piece.substr(room);
  if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
}

std::string ShellOutput::text() const {
  const std::size_t kept = std::min(tail_.size(), kTail);
  const std::uint64_t missing = bytes_ - head_.size() - kept;
  const std::string_view end = std::string_view(tail_).substr(tail_.size() - kept);
  if (missing == 0) return to_valid_utf8(head_ + std::string(end));
  return to_valid_utf8(head_) + fmt::format("\n… {} bytes of output are not shown …\n", missing) +
         to_valid_utf8(std::string(end));
}

}  // namespace deputy::tools

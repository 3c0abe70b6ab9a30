// The lines that were typed in chats, kept in the data folder: a line a line, newest last, 0600. What holds a secret is
// not kept, nor what has several lines. Best effort: a chat goes on without it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "channel/terminal/line_editor.h"

namespace deputy::app {

inline constexpr std::string_view kChatHistory = "chat_history";  // in the data folder
using channel::kMostHistory;                                      // lines that are read
inline constexpr std::size_t kLongestHistoryLine = 4000;

class HistoryFile {
 public:
  explicit HistoryFile(std::filesystem::path file) : file_(std::move(file)) {}

  /// Oldest first. A file that has grown to twice what is read is made short.
  std::vector<std::string> read() const;
  void add(const std::string& line) const;

  /// Without that line, wherever it stands; without a line, all of it.
  Result<> forget(const std::optional<std::string>& line) const;

 private:
  std::filesystem::path file_;
};

/// Whether a line may be kept.
bool is_kept(std::string_view line);

}  // namespace deputy::app

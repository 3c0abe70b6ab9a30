// The session of a chat: its conversations, and what of it must not outlive it. A session's conversations begin with
// one key, "terminal:ana:chat-01K…"; a cleared one goes on as "terminal:ana:chat-01K….2". While a session lives it
// holds a lease by that key, so that two never work on one, and so that what a dead one left is told from what a live
// one has.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/build.h"
#include "base/clock.h"
#include "base/result.h"
#include "channel/terminal/line_editor.h"
#include "store/store.h"

namespace deputy::app {

struct Session {
  std::string key;           // of all its conversations
  std::string conversation;  // the one people talk in now
};

Session new_session(const std::string& user, Timestamp now);
/// The session that a conversation belongs to.
Session session_of(const std::string& conversation);
/// The same session in a conversation that nothing was said in.
Session cleared(Session session);

/// The conversation that is to be taken up: of that run, of that name, or the newest of this user's chats; where there
/// is none, the newest of what they asked in a terminal.
Task<Result<std::string>> conversation_to_resume(store::Store& store, std::string user, std::string named);

/// Takes the lease of the session; `conflict` while another process has it. Ends grants of this session, and of others
/// that are over without having said so.
Task<Result<>> enter_session(Process& process, std::string user, Session session);
/// What is not finished of this user's in terminals, a run a conversation, newest first: not what this session has, nor
/// what is open in another chat.
struct UnfinishedRun {
  store::RunRow run;
  bool waits = false;  // for an answer; what does not is to be taken up, or is worked on
};
Task<Result<std::vector<UnfinishedRun>>> left_elsewhere(Process& process, std::string user, Session session);

/// How many grants of the session there were, which hold no more.
Task<Result<int>> end_grants(Process& process, std::string user, Session session);
/// Ends the session's grants and gives the lease back.
Task<Result<>> leave_session(Process& process, std::string user, Session session);

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

// The session of a chat: its conversations, and what must end with it. The keys of its conversations start with one
// key, "terminal:ana:chat-01K…"; after /clear it continues as "terminal:ana:chat-01K….2". A live session holds a lease
// of that key, so that two processes never work on one session, and so that grants of a dead session can be found.
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
/// The same session in a new, empty conversation.
Session cleared(Session session);

/// The conversation to resume: that of the run `named`, that with the key `named`, or else the newest of this user's
/// chats; if there is none, the newest of their terminal conversations.
Task<Result<std::string>> conversation_to_resume(store::Store& store, std::string user, std::string named);

/// Takes the lease of the session that a conversation belongs to, for as long as this process lives; `conflict` while
/// another process has it.
Task<Result<>> hold_conversation(Process& process, std::string conversation);
/// Takes the lease of the session; `conflict` while another process has it. Ends grants of this session, and of
/// sessions that were killed.
Task<Result<>> enter_session(Process& process, std::string user, Session session);
/// An unfinished run of this user in another terminal conversation that is not open in a chat.
struct UnfinishedRun {
  store::RunRow run;
  bool waits = false;  // for an answer; otherwise it can be resumed, or is being worked on
};
/// One run per conversation, newest first.
Task<Result<std::vector<UnfinishedRun>>> left_elsewhere(Process& process, std::string user, Session session);

/// Ends the grants of the session; returns how many there were.
Task<Result<int>> end_grants(Process& process, std::string user, Session session);
/// Ends the session's grants and releases the lease.
Task<Result<>> leave_session(Process& process, std::string user, Session session);

inline constexpr std::string_view kChatHistory = "chat_history";  // in the data folder
using channel::kMaxHistory;                                       // entries that are read
inline constexpr std::size_t kMaxHistoryLine = 4000;

/// One entry is a line; a line break within an entry is written with a backslash before it, as it is typed.
class HistoryFile {
 public:
  explicit HistoryFile(std::filesystem::path file) : file_(std::move(file)) {}

  /// Oldest first. Shortens a file that has more than twice the entries that are read.
  std::vector<std::string> read() const;
  void add(const std::string& line) const;

  /// Removes that entry everywhere; without one, removes everything.
  Result<> forget(const std::optional<std::string>& line) const;

 private:
  std::filesystem::path file_;
};

/// True if it may be kept in the history.
bool is_kept(std::string_view line);

}  // namespace deputy::app

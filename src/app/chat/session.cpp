#include "app/chat/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "app/commands/named.h"
#include "app/models.h"
#include "app/settings.h"
#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/terminal_channel.h"
#include "config/files.h"
#include "gateway/requests.h"
#include "policy/grants.h"
#include "policy/persons.h"
#include "redact/redact.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

constexpr int kRunsLookedAt = 1000;
constexpr int kMaxGrants = 1000;
constexpr std::size_t kMaxLeft = 20;
constexpr std::string_view kChat = "chat-";  // in the keys of chats, but not of single requests

std::string lease_of(const std::string& key) { return "chat:" + key; }

std::string person_at(const Process& process, const std::string& user) {
  return policy::person_of(channel::local_user(user), process.settings().for_policy()).id;
}

Task<Result<std::vector<store::GrantRow>>> session_grants(Process& process, std::string user) {
  store::GrantFilter filter;
  filter.holder = person_at(process, user);
  filter.most = kMaxGrants;
  CO_TRY(std::vector<store::GrantRow> rows, co_await process.store().grants(filter));
  std::erase_if(rows, [&](const store::GrantRow& row) {
    return row.ends_at != policy::kWithTheSession ||
           !row.conversation.starts_with(channel::terminal_conversation(user, ""));
  });
  co_return rows;
}

Task<Result<>> end_grant(Process& process, std::string user, GrantId id) {
  store::Effects effects;
  const std::string by = "terminal:" + user;
  effects.audit = {{.at = process.clock().now(),
                    .kind = "grant_revoked",
                    .person = by,
                    .body = json::serialize(json::object{{"grant", id.text()}, {"why", "its session is over"}})}};
  const Result<> revoked = co_await process.store().revoke_grant(id, by, std::move(effects));
  // Somebody else was faster.
  if (!revoked && revoked.error().kind != ErrorKind::not_found) co_return revoked;
  co_return Result<>{};
}

constexpr std::size_t kMaxFile = 4 * kMaxHistory * kMaxHistoryLine;

}  // namespace

Session new_session(const std::string& user, Timestamp now) {
  const std::string key = channel::terminal_conversation(user, std::string(kChat) + Ulid::make(now).text());
  return {key, key};
}

Session session_of(const std::string& conversation) {
  const std::size_t id = conversation.rfind(':') + 1;
  return {conversation.substr(0, conversation.find('.', id)), conversation};
}

Session cleared(Session session) {
  int number = 1;
  if (session.conversation.size() > session.key.size()) {
    const char* begin = session.conversation.data() + session.key.size() + 1;
    std::from_chars(begin, session.conversation.data() + session.conversation.size(), number);
  }
  session.conversation = fmt::format("{}.{}", session.key, number + 1);
  return session;
}

Task<Result<std::string>> conversation_to_resume(store::Store& store, std::string user, std::string named) {
  const std::string mine = channel::terminal_conversation(user, "");
  if (named.starts_with(mine)) {
    CO_TRY(const store::ConversationRow row, co_await store.conversation(named));
    if (row.newest_run) co_return named;
    co_return fail(ErrorKind::not_found, fmt::format("there is no conversation `{}`", named),
                   "`deputy runs list --json` shows the conversation of each run");
  }
  if (!named.empty()) {
    CO_TRY(const RunId run, co_await run_named(store, named));
    CO_TRY(const store::RunRow row, co_await gateway::find_run(store, run));
    if (row.conversation.starts_with(mine)) co_return row.conversation;
    co_return fail(ErrorKind::conflict, fmt::format("run {} belongs to {}", channel::short_id(run), row.conversation),
                   "it continues in the process that runs its channel");
  }
  store::RunFilter filter;
  filter.most = kRunsLookedAt;
  CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(filter));
  for (const std::string& beginning : {mine + std::string(kChat), mine}) {
    for (const store::RunRow& row : rows) {
      if (row.conversation.starts_with(beginning) && !row.parent && !row.forgotten) co_return row.conversation;
    }
  }
  co_return fail(ErrorKind::not_found, "there is no conversation to resume", "`deputy chat` starts one");
}

Task<Result<>> hold_conversation(Process& process, std::string conversation) {
  CO_TRY(const bool ours, co_await process.store().hold(lease_of(session_of(conversation).key)));
  if (ours) co_return Result<>{};
  co_return fail(ErrorKind::conflict, "this conversation is open in another terminal", "close it there first");
}

Task<Result<>> enter_session(Process& process, std::string user, Session session) {
  CO_TRY(co_await hold_conversation(process, session.conversation));
  CO_TRY(const std::vector<store::GrantRow> grants, co_await session_grants(process, user));
  for (const store::GrantRow& grant : grants) {
    const std::string key = session_of(grant.conversation).key;
    CO_TRY(const bool over, co_await process.store().hold(lease_of(key)));
    if (!over) continue;
    CO_TRY(co_await end_grant(process, user, grant.id));
    if (key != session.key) CO_TRY(co_await process.store().let_go(lease_of(key)));
  }
  co_return Result<>{};
}

Task<Result<std::vector<UnfinishedRun>>> left_elsewhere(Process& process, std::string user, Session session) {
  const std::string mine = channel::terminal_conversation(user, "");
  std::vector<store::RunRow> rows;
  for (const store::RunStatus state : {store::RunStatus::parked, store::RunStatus::open}) {
    store::RunFilter filter;
    filter.requester = person_at(process, user);
    filter.state = state;
    filter.most = kRunsLookedAt;
    CO_TRY(const std::vector<store::RunRow> some, co_await process.store().runs(filter));
    rows.insert(rows.end(), some.begin(), some.end());
  }
  std::ranges::sort(rows, std::greater<>(), &store::RunRow::created_at);
  std::vector<UnfinishedRun> left;
  std::set<std::string> seen;
  for (const store::RunRow& row : rows) {
    const std::string key = session_of(row.conversation).key;
    if (!row.conversation.starts_with(mine) || key == session.key || !seen.insert(row.conversation).second) continue;
    CO_TRY(const bool nobody_has_it, co_await process.store().hold(lease_of(key)));
    if (!nobody_has_it) continue;
    CO_TRY(co_await process.store().let_go(lease_of(key)));
    CO_TRY(const store::ConversationRow conversation, co_await process.store().conversation(row.conversation));
    left.push_back({row, !conversation.pending.empty()});
    if (left.size() == kMaxLeft) break;
  }
  co_return left;
}

Task<Result<int>> end_grants(Process& process, std::string user, Session session) {
  CO_TRY(const std::vector<store::GrantRow> grants, co_await session_grants(process, user));
  int ended = 0;
  for (const store::GrantRow& grant : grants) {
    if (session_of(grant.conversation).key != session.key) continue;
    CO_TRY(co_await end_grant(process, user, grant.id));
    ++ended;
  }
  co_return ended;
}

Task<Result<>> leave_session(Process& process, std::string user, Session session) {
  CO_TRY(co_await end_grants(process, user, session));
  CO_TRY(co_await process.store().let_go(lease_of(session.key)));
  co_return Result<>{};
}

bool is_kept(std::string_view line) {
  return !trim(line).empty() && line.size() <= kMaxHistoryLine && !line.ends_with('\\') && is_valid_utf8(line) &&
         redact::find(line).empty();
}

namespace {

std::string as_entry(std::string_view line) {
  std::string text;
  for (const char c : line) text += c == '\n' ? std::string("\\\n") : std::string(1, c);
  return text + "\n";
}

std::vector<std::string> entries_of(std::string_view text) {
  std::vector<std::string> entries;
  std::string entry;
  for (const std::string_view line : split(text, "\n")) {
    entry += line;
    if (line.ends_with('\\')) {
      entry.back() = '\n';
      continue;
    }
    if (is_kept(entry)) entries.push_back(entry);
    entry.clear();
  }
  return entries;
}

std::string as_file(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += as_entry(entry);
  return text;
}

}  // namespace

std::vector<std::string> HistoryFile::read() const {
  const auto content = config::read_bounded(file_, kMaxFile);
  if (!content) return {};
  std::vector<std::string> entries = entries_of(content->text);
  const bool grown = entries.size() > 2 * kMaxHistory;
  if (entries.size() > kMaxHistory) entries.erase(entries.begin(), entries.end() - kMaxHistory);
  if (grown) {
    const Result<> written = config::write_private(file_, as_file(entries), config::Existing::replace);
    if (!written) log::debug("the history file could not be shortened", {{"why", written.error().message}});
  }
  return entries;
}

void HistoryFile::add(const std::string& line) const {
  if (!is_kept(line)) return;
  const FileDescriptor file(open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  const std::string whole = as_entry(line);
  if (file.number < 0 || write(file.number, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
    log::debug("a line could not be added to the history");
}

Result<> HistoryFile::forget(const std::optional<std::string>& line) const {
  const auto content = config::read_bounded(file_, kMaxFile);
  if (!content) return {};  // there is none
  std::vector<std::string> kept = line ? entries_of(content->text) : std::vector<std::string>();
  std::erase_if(kept, [&](const std::string& entry) { return trim(entry) == trim(*line); });
  return config::write_private(file_, as_file(kept), config::Existing::replace);
}

}  // namespace deputy::app

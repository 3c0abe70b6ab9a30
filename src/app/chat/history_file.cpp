#include "app/chat/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "config/files.h"
#include "redact/redact.h"

namespace deputy::app {

namespace {

constexpr std::size_t kMostOfAFile = 4 * kMostHistory * kLongestHistoryLine;

}  // namespace

bool is_kept(std::string_view line) {
  return !trim(line).empty() && line.size() <= kLongestHistoryLine && !line.contains('\n') && is_valid_utf8(line) &&
         redact::find(line).empty();
}

std::vector<std::string> HistoryFile::read() const {
  const auto content = config::read_bounded(file_, kMostOfAFile);
  if (!content) return {};
  std::vector<std::string> lines;
  for (const std::string_view line : split(content->text, "\n")) {
    if (is_kept(line)) lines.emplace_back(line);
  }
  const bool grown = lines.size() > 2 * kMostHistory;
  if (lines.size() > kMostHistory) lines.erase(lines.begin(), lines.end() - kMostHistory);
  if (grown) {
    const Result<> written = config::write_private(file_, join(lines, "\n") + "\n", config::Existing::replace);
    if (!written) log::debug("the history was not made short", {{"why", written.error().message}});
  }
  return lines;
}

void HistoryFile::add(const std::string& line) const {
  if (!is_kept(line)) return;
  const FileDescriptor file(open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  const std::string whole = line + "\n";
  if (file.number < 0 || write(file.number, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
    log::debug("a line was not kept in the history");
}

Result<> HistoryFile::forget(const std::optional<std::string>& line) const {
  const auto content = config::read_bounded(file_, kMostOfAFile);
  if (!content) return {};  // there is none
  std::string kept;
  for (const std::string_view one : split(content->text, "\n")) {
    if (line && !one.empty() && trim(one) != trim(*line)) kept.append(one).append("\n");
  }
  return config::write_private(file_, kept, config::Existing::replace);
}

}  // namespace deputy::app

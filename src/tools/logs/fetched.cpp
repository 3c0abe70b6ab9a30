#include "tools/logs/fetched.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "tools/logs/report.h"

namespace deputy::tools::logs {

namespace {

std::string upper_name(LogLevel level) {
  std::string text(name(level));
  for (char& c : text) c = is_lower(c) ? static_cast<char>(c - 32) : c;
  return text;
}

std::size_t wanted_for(const LogQuery& query, Fetched::Match match) {
  const bool only_newest = !query.grouped && match == Fetched::Match::by_backend && query.least == LogLevel::none;
  return only_newest ? std::min(query.newest, kMaxFetched) : kMaxFetched;
}

}  // namespace

Fetched::Fetched(const LogQuery& query, Match match)
    : query_(query),
      wanted_(wanted_for(query, match)),
      reader_(TimeRules{.newest = query.span.to}),
      collector_(query.newest, query.span) {
  if (match == Match::here) matcher_.emplace(query.text);
}

std::size_t Fetched::number_of(std::string service) {
  const auto found = std::ranges::find(services_, service);
  if (found != services_.end()) return static_cast<std::size_t>(found - services_.begin());
  services_.push_back(std::move(service));
  return services_.size() - 1;
}

void Fetched::add(FetchedEntry fetched) {
  ++added_;
  bytes_ += fetched.text.size();
  if (!fetched.at) return;
  oldest_ = std::min(oldest_.value_or(*fetched.at), *fetched.at);
  if (!query_.span.contains(*fetched.at)) return;
  if (matcher_ && !matcher_->takes_all() &&
      (matcher_->find(fetched.text, 0) == Matcher::npos || !matcher_->matches(fetched.text)))
    return;
  const std::string_view line = std::string_view(fetched.text).substr(0, fetched.text.find('\n'));
  Entry entry = reader_.read(line);
  // A line that names neither its time nor its level is shown with what the backend says of it.
  std::string before;
  if (!entry.at) before = format_timestamp(*fetched.at) + " ";
  if (fetched.level != LogLevel::none) {
    if (entry.level == LogLevel::none) before += upper_name(fetched.level) + " ";
    entry.level = fetched.level;
  }
  entry.at = fetched.at;
  if (entry.level < query_.least) return;
  // Entries of one time are ordered by their place, the newest last.
  const EntryPosition place{0, std::numeric_limits<std::uint64_t>::max() - added_};
  collector_.add(entry, before.empty() ? fetched.text : before + fetched.text,
                 number_of(to_valid_utf8(std::move(fetched.service))), place);
}

LogFindings Fetched::findings(const Unfetched& rest) const {
  LogFindings findings;
  collector_.report(services_, findings);
  findings.coverage.lines_are = "entries";
  findings.coverage.lines = static_cast<std::int64_t>(added_);
  findings.coverage.bytes = static_cast<std::int64_t>(bytes_);
  if (!rest.more) return findings;
  const std::string read = fmt::format("the newest {} entries{}", with_commas(findings.coverage.lines),
                                       oldest_ ? fmt::format(", back to {} UTC,", moment(*oldest_)) : "");
  findings.course = rest.course;
  if (!rest.total) {
    findings.notes.push_back(
        fmt::format("only {} were read, and older ones are not counted; ask for a shorter time range", read));
    return findings;
  }
  const std::int64_t unread = std::max<std::int64_t>(*rest.total - findings.matched, 0);
  findings.matched += unread;
  findings.ungrouped += unread;
  if (query_.grouped && unread > 0)
    findings.notes.push_back(fmt::format("only {} were read to tell messages apart; all are counted", read));
  return findings;
}

}  // namespace deputy::tools::logs

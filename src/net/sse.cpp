#include "net/sse.h"

#include <utility>

#include "base/text.h"

namespace deputy::net {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::unexpected<Error> too_large() {
  return std::unexpected(Error{ErrorKind::upstream, "an event of the stream is too large"});
}

}  // namespace

// The byte order mark may be cut as well. Bytes that only began like one go into the first line.
void SseReader::skip_mark() {
  while (start_ != Start::past && taken_ < added_.size()) {
    const auto seen = static_cast<std::size_t>(start_);
    if (added_[taken_] != kByteOrderMark[seen]) {
      line_ = kByteOrderMark.substr(0, seen);
      start_ = Start::past;
      return;
    }
    start_ = static_cast<Start>(seen + 1);
    ++taken_;
  }
}

Result<> SseReader::take_part(std::string_view part) {
  const bool is_comment = line_.starts_with(':') || (line_.empty() && part.starts_with(':'));
  if (is_comment) {
    line_ = ":";
    return {};
  }
  if (part.size() > max_event_ - line_.size()) return too_large();
  line_ += part;
  return {};
}

Result<> SseReader::take_field(std::string_view name, std::string_view value) {
  if (name == "event") {
    name_ = value;
  } else if (name == "data") {
    const std::size_t more = value.size() + (has_data_ ? 1 : 0);
    if (more > max_event_ - data_.size()) return too_large();
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return {};
}

std::optional<SseEvent> SseReader::end_event() {
  std::string name = std::exchange(name_, {});
  if (!std::exchange(has_data_, false)) return std::nullopt;
  return SseEvent{name.empty() ? "message" : to_valid_utf8(std::move(name)), to_valid_utf8(std::exchange(data_, {}))};
}

Result<std::optional<SseEvent>> SseReader::end_line() {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) return end_event();
  if (line.starts_with(':')) return std::nullopt;
  const std::size_t colon = std::min(line.find(':'), line.size());
  std::string_view value = std::string_view(line).substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  TRY(take_field(std::string_view(line).substr(0, colon), value));
  return std::nullopt;
}

void SseReader::add(std::string_view bytes) {
  if (too_large_) return;
  added_.erase(0, std::exchange(taken_, 0));
  added_ += bytes;
}

Result<std::optional<SseEvent>> SseReader::take() {
  skip_mark();
  while (taken_ < added_.size()) {
    const std::string_view left = std::string_view(added_).substr(taken_);
    if (std::exchange(after_return_, false) && left.front() == '\n') {
      ++taken_;
      continue;
    }
    const std::size_t end = left.find_first_of("\r\n");
    TRY(take_part(left.substr(0, end)));
    taken_ += std::min(end, left.size());
    if (end == std::string_view::npos) break;
    ++taken_;
    after_return_ = left[end] == '\r';
    TRY(std::optional<SseEvent> event, end_line());
    if (event) return event;
  }
  return std::nullopt;
}

Result<std::optional<SseEvent>> SseReader::next() {
  if (too_large_) return too_large();
  auto event = take();
  too_large_ = !event;
  return event;
}

}  // namespace deputy::net

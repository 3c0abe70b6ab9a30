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

// The mark may be cut like everything else. What began like one and is none goes into the first line.
std::string_view SseReader::skip_mark(std::string_view bytes) {
  while (start_ != Start::past && !bytes.empty()) {
    const auto seen = static_cast<std::size_t>(start_);
    if (bytes.front() != kByteOrderMark[seen]) {
      line_ = kByteOrderMark.substr(0, seen);
      start_ = Start::past;
      return bytes;
    }
    start_ = static_cast<Start>(seen + 1);
    bytes.remove_prefix(1);
  }
  return bytes;
}

Result<> SseReader::take_part(std::string_view part) {
  const bool is_comment = line_.starts_with(':') || (line_.empty() && part.starts_with(':'));
  if (is_comment) {
    line_ = ":";
    return {};
  }
  if (part.size() > most_event_ - line_.size()) return too_large();
  line_ += part;
  return {};
}

Result<> SseReader::take_field(std::string_view name, std::string_view value) {
  if (name == "event") {
    name_ = value;
  } else if (name == "data") {
    const std::size_t more = value.size() + (has_data_ ? 1 : 0);
    if (more > most_event_ - data_.size()) return too_large();
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return {};
}

void SseReader::end_event(std::vector<SseEvent>& events) {
  std::string name = std::exchange(name_, {});
  if (!std::exchange(has_data_, false)) return;
  events.push_back(
      {name.empty() ? "message" : to_valid_utf8(std::move(name)), to_valid_utf8(std::exchange(data_, {}))});
}

Result<> SseReader::end_line(std::vector<SseEvent>& events) {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) {
    end_event(events);
    return {};
  }
  if (line.starts_with(':')) return {};
  const std::size_t colon = std::min(line.find(':'), line.size());
  std::string_view value = std::string_view(line).substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  return take_field(std::string_view(line).substr(0, colon), value);
}

Result<std::vector<SseEvent>> SseReader::feed(std::string_view bytes) {
  if (too_large_) return too_large();
  std::vector<SseEvent> events;
  const auto take = [&]() -> Result<> {
    bytes = skip_mark(bytes);
    while (!bytes.empty()) {
      if (std::exchange(after_return_, false) && bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
      const std::size_t end = bytes.find_first_of("\r\n");
      TRY(take_part(bytes.substr(0, end)));
      if (end == std::string_view::npos) return {};
      after_return_ = bytes[end] == '\r';
      bytes.remove_prefix(end + 1);
      TRY(end_line(events));
    }
    return {};
  };
  const Result<> taken = take();
  too_large_ = !taken;
  if (!taken) return std::unexpected(taken.error());
  return events;
}

}  // namespace deputy::net

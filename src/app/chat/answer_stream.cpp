#include "app/chat/answer_stream.h"

#include "channel/terminal/plain_text.h"

namespace deputy::app {

std::string AnswerStream::feed(std::string_view part) {
  if (!open_) {
    said_.clear();
    shown_ = 0;
    lines_ = channel::AnsiMarkdown(colours_);
    open_ = true;
  }
  const std::size_t before = said_.size();
  said_ += part;
  std::string text;
  for (std::size_t end = said_.find('\n', before); end != std::string::npos; end = said_.find('\n', shown_)) {
    text += lines_.line(std::string_view(said_).substr(shown_, end - shown_));
    shown_ = end + 1;
  }
  return text;
}

std::string AnswerStream::tail() const {
  return open_ ? channel::shown_line(std::string_view(said_).substr(shown_)) : std::string();
}

std::string AnswerStream::end() {
  if (!open_) return {};
  open_ = false;
  const std::string_view rest = std::string_view(said_).substr(shown_);
  return rest.empty() ? std::string() : lines_.line(rest);
}

}  // namespace deputy::app

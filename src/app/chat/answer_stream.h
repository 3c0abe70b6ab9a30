// The text a model streams, made into lines for the screen as it comes: whole lines set as Markdown, and the unfinished
// one. Remembers what was shown, so that the answer is not shown twice. Pure.
#pragma once

#include <string>
#include <string_view>

#include "channel/terminal/ansi_text.h"

namespace deputy::app {

class AnswerStream {
 public:
  explicit AnswerStream(channel::Colours colours) : colours_(colours), lines_(colours) {}

  /// Lines that are whole now, with their ends.
  std::string feed(std::string_view part);
  /// The line that is not, escaped and not set yet.
  std::string tail() const;
  /// No more comes of this turn: what was left, as a line.
  std::string end();

  /// What the model said in its last turn, as it said it.
  const std::string& said() const { return said_; }
  bool is_open() const { return open_; }

 private:
  channel::Colours colours_;
  channel::AnsiMarkdown lines_;
  std::string said_;
  std::size_t shown_ = 0;  // bytes of it that went out as whole lines
  bool open_ = false;
};

}  // namespace deputy::app

// A terminal on which runs are watched: what a model says as it comes, the line of each call that ended with its mark
// and its folded result, and below them what is running now and for how long.
//
// Marks: ⚙ running, ✓ done, ✗ failed, ⊘ denied or skipped; [bg] for a background call. (? is the prompt's.)
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "channel/terminal/screen.h"
#include "channel/terminal/terminal_channel.h"

namespace deputy::channel {

/// "0.4 s", "12 s", "3 min 5 s".
std::string elapsed(std::chrono::milliseconds time);

/// The end of a text that is too long for `most` rows, in rows of `width` columns.
std::vector<std::string> last_rows(std::string_view text, std::size_t width, std::size_t most);

/// The text a model streams, made into lines as it comes: whole lines set as Markdown, and the unfinished one. Pure.
class AnswerStream {
 public:
  explicit AnswerStream(Colours colours) : lines_(colours) {}

  /// Lines that are whole now, with their ends.
  std::string feed(std::string_view part);
  /// The line that is not, escaped and not set yet.
  std::string tail() const;
  /// No more comes: what was left, as a line.
  std::string end();
  /// All that was fed.
  const std::string& said() const { return said_; }

 private:
  AnsiMarkdown lines_;
  std::string said_;
  std::size_t shown_ = 0;  // bytes of it that went out as whole lines
};

class LiveView final : public TerminalView {
 public:
  /// `changed` is called when what is drawn may have changed, `asks` when there may be something to ask. References
  /// outlive it.
  LiveView(Screen& screen, const Clock& clock, Colours colours, std::function<void()> changed,
           std::function<void()> asks);

  void message(const Message& message) override;
  void card(const Card&) override { asks_(); }
  bool is_live() const override { return true; }
  void stream(const MessageRef& ref, std::string_view part) override;
  void end_stream(const MessageRef& ref, const Message& whole) override;

  /// "⚙ shell make test · 3 s", or empty when nothing works.
  std::string status() const;

  /// The rows below what stays: the unfinished line of an answer, and what is running. Called again while it changes.
  void draw(std::size_t frame);
  /// Whether `draw` shows anything that moves.
  bool is_moving() const { return !has_form_ && !status().empty(); }
  /// A form has the rows.
  void set_form(std::vector<std::string> rows);
  void end_form();
  /// The rows that stand below now.
  std::vector<std::string> rows() const;

 private:
  struct Running {
    ProgressLine line;
    Timestamp since;
  };

  void show_progress(RunId run, const ProgressLine& line);
  void print_ended(const ProgressLine& line, std::optional<Timestamp> since);
  /// Lines that stay, with what is below them as it is now.
  void show(std::string_view lines);

  Screen& screen_;
  const Clock& clock_;
  Colours colours_;
  std::function<void()> changed_;
  std::function<void()> asks_;
  std::map<std::pair<RunId, std::string>, Running> running_;  // by call
  std::map<RunId, Running> thinking_;
  std::map<MessageRef, AnswerStream> streams_;
  std::size_t frame_ = 0;
  bool has_form_ = false;
};

}  // namespace deputy::channel

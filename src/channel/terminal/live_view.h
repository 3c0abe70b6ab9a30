// Shows runs in a terminal while they work: the model's text as it streams, a line for each finished call with its mark
// and its shortened result, and below them what is running now and for how long.
//
// Marks: ⚙ running, ✓ done, ✗ failed, ⊘ denied or skipped; [bg] for a background call. (The prompt uses ? for
// questions.)
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/screen.h"
#include "channel/terminal/terminal_channel.h"

namespace deputy::channel {

/// "0.4 s", "12 s", "3 min 5 s".
std::string elapsed(std::chrono::milliseconds time);

/// The mark of a call that has ended.
std::string_view mark_of(const ProgressLine& ended);

/// The last `most` rows of a text, broken at `width` columns. Our own colour sequences take none.
std::vector<std::string> last_rows(std::string_view text, std::size_t width, std::size_t most);

/// Turns the Markdown that a model streams into lines. Pure.
class AnswerStream {
 public:
  AnswerStream(Colours colours, std::size_t width) : lines_(colours, width) {}

  /// The lines that are complete now, with their line breaks.
  std::string feed(std::string_view part);
  /// How what is not complete would look if it ended here, such as a line or a table: the last `most` rows.
  std::vector<std::string> unfinished(std::size_t most) const;
  /// Ends the stream and returns the rest as a line.
  std::string end();
  /// All that was fed.
  const std::string& said() const { return said_; }

 private:
  AnsiMarkdown lines_;
  std::string said_;
  std::size_t shown_ = 0;  // bytes of `said_` that were returned as complete lines
};

class LiveView final : public TerminalView {
 public:
  /// `changed` is called when what is drawn may have changed, `asks` when there may be something to ask. The references
  /// must outlive it.
  LiveView(Screen& screen, const Clock& clock, Colours colours, std::function<void()> changed,
           std::function<void()> asks);

  void message(const Message& message) override;
  void card(const Card&) override { asks_(); }
  bool is_live() const override { return true; }
  void stream(const MessageRef& ref, std::string_view part) override;
  void end_stream(const MessageRef& ref, const Message& whole) override;

  /// "⚙ shell make test · 3 s", or empty when nothing is running.
  std::string status() const;

  /// Draws the rows below the printed lines: the unfinished line of an answer, and what is running. Call it again while
  /// they change.
  void draw(std::size_t frame);
  /// Whether `draw` shows anything that changes with time.
  bool is_moving() const { return !has_form_ && !status().empty(); }
  /// Shows a form in these rows until `end_form`.
  void set_form(std::vector<std::string> rows);
  void end_form();
  /// The rows below the printed lines.
  std::vector<std::string> rows() const;

  /// For a model that quotes in its answers what its calls return: their results are not shown with the calls too.
  void expect_quotes() { answers_quote_ = true; }
  /// For a command that ends with its run: what is folded is read with another command.
  void name_runs() { names_runs_ = true; }

  /// A result that was shown folded. They are numbered from 1.
  struct ShownResult {
    RunId run;
    std::string call;
    std::string line;
    std::string text;  // as far as it was reported here
  };
  const std::vector<ShownResult>& results() const { return results_; }

 private:
  struct Running {
    ProgressLine line;
    Timestamp since;
  };

  void show_progress(RunId run, const ProgressLine& line);
  void print_ended(RunId run, const ProgressLine& line, std::optional<Timestamp> since);
  /// Prints lines, and draws the rows below them again.
  void show(std::string_view lines);
  /// The empty line between calls and the text that follows them.
  std::string parted_from_calls() { return std::exchange(after_call_, false) ? "\n" : ""; }

  Screen& screen_;
  const Clock& clock_;
  Colours colours_;
  std::function<void()> changed_;
  std::function<void()> asks_;
  std::map<std::pair<RunId, std::string>, Running> running_;  // by call
  std::map<RunId, Running> thinking_;
  std::set<RunId> with_model_;  // of the runs that work
  std::map<MessageRef, AnswerStream> streams_;
  std::vector<ShownResult> results_;
  std::size_t frame_ = 0;
  bool has_form_ = false;
  bool answers_quote_ = false;
  bool names_runs_ = false;
  bool after_call_ = false;  // the last line printed is of a call
};

}  // namespace deputy::channel

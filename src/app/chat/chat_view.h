// What people see of their runs while they chat: the streamed answer, the calls, what is running now, notices. It hears
// what is stored and streamed, on the loop, and says when something may wait for people.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "app/chat/answer_stream.h"
#include "app/chat/progress.h"
#include "app/chat/screen.h"
#include "base/task.h"
#include "channel/message.h"
#include "run/drive/dependencies.h"

namespace deputy::app {

class ChatView final : public run::Watcher {
 public:
  /// `changed` is called on every entry. References outlive it.
  ChatView(Screen& screen, const toolkit::Registry& registry, const Clock& clock, channel::Colours colours,
           std::function<void()> changed);

  void on_text(RunId run, std::string_view conversation, std::string_view part) override;
  void on_thinking(RunId run, std::string_view conversation, std::string_view part) override;
  bool hears_thinking() const override { return true; }
  void on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) override;
  void on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) override;

  // What the channel is to show.
  void answer(const channel::Message& message);
  void notice(const channel::Message& message);

  /// A run of one call that people made by hand: what it answers is the result, which is shown with its call.
  void know_by_hand(RunId run, const run::CallRequested& call);

  Progress& progress() { return progress_; }
  Screen& screen() { return screen_; }
  channel::Colours colours() const { return colours_; }

  /// The rows below what stays: the unfinished line of an answer, and what is running. Called again while it changes.
  void draw(std::size_t frame);
  /// Whether `draw` shows anything that moves.
  bool is_moving() const;
  /// A form has the rows.
  void set_form(std::vector<std::string> rows);
  void end_form();

 private:
  /// Lines that stay, with what is below them as it is now.
  void show(std::string_view lines);

  Screen& screen_;
  const Clock& clock_;
  channel::Colours colours_;
  std::function<void()> changed_;
  Progress progress_;
  std::map<RunId, AnswerStream> streams_;  // of runs that have not answered
  std::set<RunId> shown_;                  // answers that were seen already
  std::map<RunId, std::string> by_hand_;   // the result, once there is one
  std::size_t frame_ = 0;
  bool has_form_ = false;
};

/// The end of a text that is too long for `most` rows, in rows of `width` columns.
std::vector<std::string> last_rows(std::string_view text, std::size_t width, std::size_t most);

}  // namespace deputy::app

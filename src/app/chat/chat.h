// `deputy chat`: a conversation in a terminal or over a pipe. It hands what is typed to the gateway, asks what waits
// for people, and shows what comes of it; runs, approvals and answers are as everywhere else.
//
// One coroutine follows what happens (`run`); what is shown happens beside it, on the loop. A prompt that is up takes
// the lines that were typed under it, and no other.
#pragma once

#include <boost/asio/signal_set.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/answering.h"
#include "app/build.h"
#include "app/chat/chat_view.h"
#include "app/chat/form_view.h"
#include "app/chat/history_file.h"
#include "app/chat/inbox.h"
#include "app/chat/session.h"
#include "app/chat/slash.h"
#include "app/chat/terminal_input.h"
#include "app/chat/terminal_kind.h"
#include "app/input_lines.h"
#include "channel/terminal/card_look.h"
#include "channel/terminal/terminal_channel.h"

namespace deputy::app {

class Chat {
 public:
  enum class Begins { anew, taken_up };
  Chat(const Context& context, Process& process, Session session, Begins begins);
  ~Chat();
  Chat(const Chat&) = delete;
  Chat& operator=(const Chat&) = delete;

  /// Composes the engine with this terminal as its only channel.
  Result<> open();
  Task<Result<ExitCode>> run();
  /// Gives the terminal back. What is still said afterwards is plain lines.
  void close();

 private:
  enum class Going { on, leaves };
  enum class Pull { yes, no };  // whether a line is wanted of a pipe

  // Beginning and end.
  Result<> open_terminal();
  Task<Result<>> begin();
  Task<Result<>> show_where_it_stands();
  Task<Result<>> show_what_is_left();
  Task<Result<ExitCode>> end();

  // What happens.
  Task<Result<Going>> follow();
  Task<Event> next_event(Pull pull);
  Task<Event> next_of_pipe(Pull pull);
  Task<Result<Going>> act_on(Event event);
  Task<Result<Going>> act_on_line(std::string line);
  Task<Result<Going>> interrupt();
  /// Word to all that work here to stop, and to `also`, which may be started by another; whether there was any.
  Task<Result<bool>> stop_runs(std::optional<RunId> also = std::nullopt);
  Task<Result<Going>> heed_pause();
  Task<Result<bool>> rests();
  void on_key(const Key& key);
  void on_paste(const std::string& text);
  void hear_signals();
  void animate();
  void set_prompt(std::string prompt);
  void set_usual_prompt();

  // What waits for people (chat_prompts.cpp).
  Task<Result<Going>> ask_what_waits();
  Task<Result<Going>> ask_approval(store::InteractionRow row, run::InteractionBody asking);
  Task<Result<Going>> ask_reason(store::InteractionRow row, run::InteractionBody asking);
  Task<Result<Going>> ask_form(store::InteractionRow row, run::InteractionBody asking);
  Task<Result<Going>> ask_form_by_lines(store::InteractionRow row, run::InteractionBody asking);
  /// While it stands keys go to the form.
  class FormKeys {
   public:
    explicit FormKeys(Chat& chat) : chat_(chat) { chat_.form_has_keys_ = true; }
    ~FormKeys() {
      chat_.form_has_keys_ = false;
      chat_.view_->end_form();
    }
    FormKeys(const FormKeys&) = delete;
    FormKeys& operator=(const FormKeys&) = delete;

   private:
    Chat& chat_;
  };
  Task<Result<>> press_answer(store::InteractionRow row, Press press);
  /// Says so when it was.
  Task<Result<std::optional<Event>>> next_while_open(InteractionId id);
  Task<Result<>> say_how_it_was_settled(InteractionId id);
  Task<Result<Going>> stop_in_place_of(store::InteractionRow row);

  // Slash commands (chat_commands.cpp).
  Task<Result<Going>> command(SlashWish wish);
  Task<Result<>> call_tool(std::string rest);
  Task<Result<>> clear();
  Task<Result<>> list_tasks();
  Task<Result<>> list_approvals();
  Task<Result<>> list_runs();
  void list_tools();
  void switch_asking();

  Task<Result<std::vector<store::RunRow>>> runs_here();
  channel::AskedTool asked_tool(const std::string& tool) const;
  void print(std::string_view lines) { view_->screen().print(lines); }
  void print_problem(const Error& error);

  const Context& context_;
  Process& process_;
  Session session_;
  Begins begins_;
  std::string user_;
  TerminalKind kind_;
  HistoryFile history_;
  InputLines lines_;
  Inbox inbox_;
  std::unique_ptr<LineEditor> editor_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<ChatView> view_;
  std::shared_ptr<channel::TerminalChannel> channel_;
  std::unique_ptr<TerminalInput> keys_;
  asio::signal_set signals_;
  asio::steady_timer frame_timer_;
  std::size_t frame_ = 0;
  bool animated_ = false;
  int prompt_ = 0;                 // counts them, so that a line answers the one it was typed under
  std::set<InteractionId> asked_;  // what was asked here and is not to be asked again by itself
  bool form_has_keys_ = false;
  bool asks_ = true;     // /yolo switches it
  int interrupts_ = 0;   // since something was typed
  bool pasted_ = false;  // some of the line that is typed
  bool said_paused_ = false;
  std::chrono::milliseconds wait_;  // for what works on a pipe: longer while nothing happens
  bool closed_ = false;
};

}  // namespace deputy::app

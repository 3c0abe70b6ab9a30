// `deputy chat`: a conversation in a terminal or over a pipe; also `deputy ask` at a terminal, which leaves when its
// request is answered. It passes typed lines to the gateway, asks pending
// approvals and questions, and shows the results. Runs, approvals and answers work as everywhere else.
//
// One coroutine (`run`) handles events; drawing happens beside it, on the same loop. A prompt takes only the lines that
// were typed under it.
#pragma once

#include <boost/asio/signal_set.hpp>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/build.h"
#include "app/chat/chat_commands.h"
#include "app/chat/completion.h"
#include "app/chat/session.h"
#include "app/context.h"
#include "channel/terminal/card_text.h"
#include "channel/terminal/form_view.h"
#include "channel/terminal/input.h"
#include "channel/terminal/live_view.h"
#include "channel/terminal/screen.h"
#include "channel/terminal/terminal_channel.h"
#include "channel/terminal/window.h"
#include "gateway/requests.h"
#include "toolkit/registry.h"

namespace deputy::app {

using channel::Drawing;
using channel::FormView;
using channel::Inbox;
using channel::InputLines;
using channel::Key;
using channel::KeyKind;
using channel::LineEditor;
using channel::LiveView;
using channel::RawMode;
using channel::Screen;
using channel::TerminalEvent;
using channel::TerminalInput;
using channel::TerminalKind;

/// Piped text may come from anywhere.
inline constexpr std::string_view kPipesApproveNothing = "A chat over a pipe takes no approvals.";

class Chat {
 public:
  enum class Begins { anew, taken_up };
  /// With `only_request` it makes that request alone.
  Chat(const Context& context, Process& process, Session session, Begins begins, std::string only_request = {});
  ~Chat();
  Chat(const Chat&) = delete;
  Chat& operator=(const Chat&) = delete;

  /// Runs it to its end, and prints why it failed. The process does nothing after it.
  ExitCode carry();
  /// The session to continue with instead, after /resume.
  const std::optional<Session>& goes_to() const { return goes_to_; }

 private:
  enum class Going { on, leaves };
  enum class Pull { yes, no };  // read the next line of a pipe or not

  // Start and end.
  /// Composes the engine with this terminal as its only channel.
  Result<> open();
  Task<Result<ExitCode>> run();
  /// Restores the terminal. Later output is plain lines.
  void close();
  void open_terminal();
  Task<Result<>> begin();
  Task<Result<>> show_where_it_stands();
  Task<Result<>> show_what_is_left();
  Task<Result<ExitCode>> end();
  Task<Result<>> leave(std::vector<store::RunRow> rows);

  // Events.
  Task<Result<Going>> follow();
  Task<TerminalEvent> next_event(Pull pull);
  Task<TerminalEvent> next_of_pipe(Pull pull);
  Task<Result<Going>> act_on(TerminalEvent event);
  Task<Result<Going>> act_on_line(TerminalEvent typed);
  Task<Result<>> send(TerminalEvent typed);
  Task<Result<Going>> interrupt();
  /// Stops all unfinished runs of this conversation, and `also`, which may be a child run. True if there was any.
  Task<Result<bool>> stop_runs(std::optional<RunId> also = std::nullopt);
  Task<Result<Going>> heed_pause();
  Task<Result<bool>> rests();
  void on_key(const Key& key);
  bool answers_at_once(const Key& key);
  void answer_at_once();
  CompletionWords words_to_complete();
  void send_line();
  void hear_signals();
  void animate();
  void set_prompt(std::string prompt);
  void set_usual_prompt();
  void hide_typing();

  // Pending approvals and questions (chat_prompts.cpp).
  /// A pending interaction, and its card.
  struct Asked {
    channel::Card card;
    channel::ShownInteraction shown;
  };
  Task<Result<Going>> ask_what_waits();
  /// The first that was not asked here yet.
  Task<Result<std::optional<Asked>>> next_to_ask();
  void ask_again(InteractionId id);
  void keep_line(TerminalEvent typed);
  /// Keeps a line that was sent before the form or the card was drawn.
  bool keeps(TerminalEvent& event);
  /// A call by hand has no model to read a note.
  Task<Result<bool>> works_by_hand();
  Task<Result<Going>> send_kept_lines();
  bool is_typing() const;
  Task<Result<Going>> ask_approval(Asked asked);
  /// Earlier calls of this conversation that a grant of this one would have allowed, newest first.
  Task<Result<std::vector<std::string>>> covered_before(const channel::ShownApproval& approval);
  Task<Result<Going>> ask_reason(Asked asked);
  Task<Result<Going>> ask_form(Asked asked);
  Task<Result<Going>> ask_form_by_lines(Asked asked);
  /// While it exists, keys go to the form.
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
  /// While it exists, a card stands right above its prompt and everything else waits.
  class HeldScreen {
   public:
    HeldScreen(Chat& chat, const std::string& card, const std::string& prompt,
               std::span<const std::string_view> one_key_words);
    ~HeldScreen();
    HeldScreen(const HeldScreen&) = delete;
    HeldScreen& operator=(const HeldScreen&) = delete;

   private:
    Chat& chat_;
  };
  std::string approval_card(const Asked& asked, const channel::ShownApproval& approval, channel::Much much) const;
  Task<Result<>> press_answer(Asked asked, channel::Press press);
  /// The next event, or nothing if the interaction was settled elsewhere, which is then printed.
  Task<Result<std::optional<TerminalEvent>>> next_while_open(InteractionId id);
  Task<Result<>> say_how_it_was_settled(InteractionId id);
  Task<Result<Going>> stop_in_place_of(RunId run);

  // One request (chat_request.cpp).
  bool is_for_one_request() const { return !only_request_.empty(); }
  Task<Result<Going>> make_request();
  /// Leaves once it has ended.
  Task<Result<Going>> follow_request();
  Task<Result<ExitCode>> end_request();

  // Slash commands (chat_commands.cpp).
  Task<Result<Going>> command(SlashCommand wish);
  Task<Result<>> call_tool(std::string rest);
  Task<Result<>> list_tasks();
  Task<Result<>> list_approvals();
  Task<Result<>> list_runs();
  /// A row each, with the first sentence of what it does.
  Task<Result<Going>> list_tools();
  void switch_asking();

  // Reading (chat_reading.cpp).
  Task<Result<Going>> show_result(std::string which);
  Task<Result<Going>> show_changes();
  /// Prints text that is escaped already, or shows it page by page if the window is too small for it.
  Task<Result<Going>> show_long(std::string title, std::string lines);

  // Conversations (chat_conversations.cpp).
  Task<Result<>> clear();
  Task<Result<>> compact();
  /// Goes on in a new conversation once the summary is there.
  Task<Result<>> take_summary();
  Task<Result<Going>> go_to_conversation(std::string named);
  Task<Result<Going>> leave_for(std::string conversation);
  /// The number of the option that was chosen with keys, or the event that came in its place; neither if it was
  /// skipped.
  struct Chosen {
    std::optional<std::size_t> option;
    std::optional<TerminalEvent> other;
  };
  Task<Chosen> choose(std::string question, std::vector<std::string> options);
  Task<Result<>> check_all_is_finished();
  Task<Result<>> begin_anew();
  Task<Result<>> show_cost();
  Task<Result<>> set_model(std::string name);

  Task<Result<std::vector<store::RunRow>>> runs_here();
  void print(std::string_view lines) { screen_->print(lines); }
  /// Lines without styles, wrapped at words.
  void print_wrapped(std::string_view lines);
  void print_problem(const Error& error);
  void print_dim(std::string_view line);
  void print_styled(std::string_view line, channel::Style style);

  const Context& context_;
  Process& process_;
  Session session_;
  Begins begins_;
  std::string only_request_;
  std::optional<gateway::Accepted> request_;  // that one
  std::optional<ExitCode> code_;              // once it has ended
  std::optional<Session> goes_to_;
  std::optional<RunId> summing_up_;  // the run of /compact
  std::string summary_;              // of the conversation before this one, until the next message takes it along
  std::string user_;
  TerminalKind kind_;
  HistoryFile history_;
  InputLines lines_;
  Inbox inbox_;
  std::unique_ptr<RawMode> raw_;
  std::unique_ptr<LineEditor> editor_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<LiveView> view_;
  std::shared_ptr<channel::TerminalChannel> channel_;
  std::unique_ptr<TerminalInput> keys_;
  gateway::Following changes_;
  asio::signal_set signals_;
  asio::steady_timer frame_timer_;
  asio::steady_timer one_key_timer_;
  asio::steady_timer look_timer_;
  std::size_t frame_ = 0;
  bool animated_ = false;
  int prompt_ = 0;                         // number of the current prompt: a line answers the one it was typed under
  std::set<InteractionId> asked_;          // asked here already; not asked again unprompted
  std::set<RunId> by_hand_;                // runs of /call
  std::set<InteractionId> told_to_wait_;   // because a line was being typed
  std::vector<TerminalEvent> kept_lines_;  // sent once nothing waits any more
  bool form_has_keys_ = false;
  bool takes_escape_ = false;                         // to go back from the reason of a no to the approval
  std::span<const std::string_view> one_key_words_;   // their first letters answer the prompt without Enter
  bool one_key_pressed_ = false;                      // one of them; it answers if nothing else follows
  std::string_view rest_of_word_;                     // "es" after such a y
  std::chrono::steady_clock::time_point rest_until_;  // until then it belongs to that answer, and so does Enter
  bool asks_ = true;                                  // /yolo switches it
  int interrupts_ = 0;                                // since something was typed
  bool said_paused_ = false;
  bool said_it_reads_nothing_ = false;
  bool closed_ = false;
};

/// An example request, and the tool it needs.
struct Try {
  std::string_view tool;
  std::string_view words;
};

/// Best first. Only those whose tool is set up are shown.
std::span<const Try> tries();

/// `answering` is the model and why it was chosen (who_answers).
std::string welcome(std::string_view answering, const std::vector<toolkit::ToolListing>& tools);

}  // namespace deputy::app

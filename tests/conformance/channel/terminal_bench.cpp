#include "conformance/channel/terminal_bench.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <map>
#include <ostream>
#include <streambuf>

#include "base/files.h"
#include "base/text.h"
#include "channel/terminal/card_text.h"
#include "channel/terminal/input.h"
#include "channel/terminal/live_view.h"
#include "channel/terminal/terminal_channel.h"
#include "channel/terminal/typed_answer.h"

namespace deputy::channel {
namespace {

constexpr std::string_view kUser = "ana";
constexpr std::chrono::seconds kMaxWait{10};
// Neither is ever drawn: what is from outside is escaped.
constexpr char kEnd = '\x1e';     // of what was drawn at once
constexpr char kOfCard = '\x1f';  // before it stands the card it belongs to

/// Both ends of a pipe in one process: a writer that finds it full reads it empty.
class Pipe final : public std::streambuf {
 public:
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
    out_ = FileDescriptor(ends[0]);
    in_ = FileDescriptor(ends[1]);
  }

  int reading_end() const { return out_.number; }

  /// Everything that has come out of it so far.
  const std::string& all() {
    std::array<char, 65536> piece{};
    for (;;) {
      const ssize_t size = read(out_.number, piece.data(), piece.size());
      if (size <= 0) return all_;
      all_.append(piece.data(), static_cast<std::size_t>(size));
    }
  }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    for (std::streamsize done = 0; done < size;) {
      const ssize_t written = write(in_.number, bytes + done, static_cast<std::size_t>(size - done));
      if (written > 0) done += written;
      if (written <= 0) all();
    }
    return size;
  }
  int overflow(int byte) override {
    const char one = traits_type::to_char_type(byte);
    xsputn(&one, 1);
    return byte;
  }

 private:
  FileDescriptor out_;
  FileDescriptor in_;
  std::string all_;
};

// "[y]es / [n]o / e(x)plain": the letters in brackets.
std::vector<std::string> choices_in(std::string_view text) {
  std::vector<std::string> choices;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    if (text.substr(at + 2, 1) == "]") choices.emplace_back(text.substr(at + 1, 1));
  }
  return choices;
}

class TerminalBench final : public Bench {
 public:
  Channel& channel() override { return channel_; }
  ConversationKey conversation() override { return terminal_conversation(kUser, "01K"); }
  policy::Account ana() override { return terminal_account(kUser); }
  policy::Account stranger() override { return terminal_account("eve"); }
  std::vector<policy::Account> people() override { return {ana()}; }
  policy::AccountKind standing() override { return policy::AccountKind::local_user; }

  Platform platform() override {
    return {.others = false, .changes = false, .uploads = false, .history = false, .limits = false};
  }
  policy::Settings settings() override { return {}; }

  Task<Result<>> says(policy::Account account, std::string text) override {
    if (account != ana()) co_return fail(ErrorKind::not_found, "nobody else types here");
    CO_TRY(std::string line, co_await types(std::move(text)));
    co_return co_await channel_.says(conversation(), std::move(line), clock_.now());
  }
  Task<Result<Verdict>> ana_presses(MessageRef ref) override {
    const std::vector<Seen> seen = seen_by(ana());
    if (seen.empty() || seen.back().controls.empty()) co_return fail(ErrorKind::not_found, "nothing can be pressed");
    co_return co_await answers(std::move(ref), {seen.back().controls.front()});
  }
  Task<Result<Verdict>> presses(policy::Account account, MessageRef ref, interaction::Control control,
                                std::string reason) override {
    if (account != ana()) co_return fail(ErrorKind::not_found, "nobody else types here");
    const bool approves = control == interaction::Control::approve_once;
    if (control == interaction::Control::skip) co_return co_await answers(std::move(ref), {"skip"});
    co_return co_await answers(std::move(ref), {approves ? "yes" : reason.empty() ? "no" : "no " + reason});
  }
  Task<Result<Verdict>> fills_in(policy::Account, MessageRef ref, FilledIn given) override {
    const auto asked = std::get<ShownQuestions>(cards_.at(ref).interactions.front().what);
    std::vector<std::string> lines;
    for (const interaction::Question& question : asked.form.questions) {
      const std::vector<std::string>& answer = given[question.label];
      lines.push_back(answer.empty() ? "done" : join(answer, ", "));
    }
    co_return co_await answers(std::move(ref), std::move(lines));
  }
  void has_been_said(int) override {}
  // A card that is drawn again stands there once: the line below it says how it ended, and its prompt is gone.
  std::vector<Seen> seen_by(policy::Account account) override {
    std::vector<Seen> all;
    if (account != ana()) return all;
    std::map<std::string, std::size_t> cards;
    for (const std::string_view drawn : split(screen_pipe_.all(), std::string_view(&kEnd, 1))) {
      if (drawn.empty()) continue;
      const std::size_t of_card = drawn.find(kOfCard);
      if (of_card == std::string_view::npos) {
        all.push_back({std::string(drawn), {}});
        continue;
      }
      const auto [card, is_new] = cards.emplace(drawn.substr(0, of_card), all.size());
      if (is_new) all.emplace_back();
      const std::string_view text = drawn.substr(of_card + 1);
      all[card->second].ref = std::string(drawn.substr(0, of_card));
      if (const auto known = cards_.find(all[card->second].ref); known != cards_.end()) {
        const ShownInteraction& shown = known->second.interactions.front();
        all[card->second].is_form = std::holds_alternative<ShownQuestions>(shown.what) && !is_settled(shown);
      }
      all[card->second].text += text;
      all[card->second].controls = choices_in(text);
    }
    // The line of a stream that is not finished stands below, where it is drawn again.
    if (const std::vector<std::string> rows = live_.rows(); !rows.empty() && !all.empty()) all.back().text += rows[0];
    return all;
  }

 private:
  /// The chat's view; what it draws at once is marked, so that a case tells messages apart.
  class View final : public TerminalView {
   public:
    explicit View(TerminalBench& bench) : bench_(bench) {}

    void message(const Message& message) override {
      bench_.live_.message(message);
      bench_.out_ << kEnd;
    }
    void card(const Card& card) override {
      bench_.cards_[card.key] = card;
      bench_.out_ << card.key << kOfCard;
      for (const ShownInteraction& shown : card.interactions) bench_.draw(shown, card);
      bench_.out_ << kEnd;
    }
    bool is_live() const override { return true; }
    void stream(const MessageRef& ref, std::string_view part) override {
      bench_.out_ << ref << kOfCard;
      bench_.live_.stream(ref, part);
      bench_.out_ << kEnd;
    }
    void end_stream(const MessageRef& ref, const Message& whole) override {
      bench_.out_ << ref << kOfCard;
      bench_.live_.end_stream(ref, whole);
      bench_.out_ << kEnd;
    }

   private:
    TerminalBench& bench_;
  };
  void draw(const ShownInteraction& shown, const Card& card) {
    const std::string settled = settled_line(card, shown.id);
    if (!settled.empty()) return screen_.print(settled + "\n");
    if (const auto* asked = std::get_if<ShownQuestions>(&shown.what))
      return screen_.print(question_lines(asked->form, asked->draft));
    const auto& asked = std::get<ShownApproval>(shown.what);
    screen_.print(approval_lines(asked, Much::folded, Colours::off, kAnyWidth) + approval_choices(asked.view.approval) +
                  "\n");
  }

  Task<Result<Verdict>> answers(MessageRef ref, std::vector<std::string> lines) {
    const Card card = cards_.at(ref);
    for (std::string& line : lines) {
      CO_TRY(line, co_await types(std::move(line)));
    }
    ReadAnswer read = read_answer(card, card.interactions.front(), lines);
    if (const auto* error = std::get_if<Error>(&read)) co_return std::unexpected(*error);
    auto* press = std::get_if<Press>(&read);
    if (press == nullptr) co_return fail(ErrorKind::invalid_input, "the form has more questions");
    co_return co_await channel_.presses(conversation(), std::move(*press), clock_.now());
  }

  /// What comes of a line that was typed.
  Task<Result<std::string>> types(std::string text) {
    std::ostream keyboard(&keyboard_pipe_);
    keyboard << text << "\n";
    CO_TRY(std::optional<std::string> line, co_await lines_.next(kMaxWait));
    if (!line) co_return fail(ErrorKind::timeout, "what was typed did not come");
    co_return *std::move(line);
  }

  SystemClock clock_;
  Pipe keyboard_pipe_;
  InputLines lines_{keyboard_pipe_.reading_end()};
  Pipe screen_pipe_;
  std::ostream out_{&screen_pipe_};
  Screen screen_{out_, nullptr};
  LiveView live_{screen_, clock_, Colours::off, [] {}, [] {}};
  View view_{*this};
  std::map<MessageRef, Card> cards_;
  TerminalChannel channel_{std::string(kUser), view_};
};

}  // namespace

std::unique_ptr<Bench> make_terminal_bench(const BenchSetup&) { return std::make_unique<TerminalBench>(); }

}  // namespace deputy::channel

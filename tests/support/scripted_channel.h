// A channel whose platform is this object: it keeps what was posted and lets a test act as the people in it. It never
// deduplicates unless its capabilities say that a key is idempotent: an identical second post is a second message.
//
//   ScriptedChannel slack("scripted");
//   slack.knows("scripted:U1", {.standing = policy::Standing::member});
//   slack.fails(Step::post, {ErrorKind::network, "cut off"}, Posted::yes);
//   EXPECT_EQ(slack.transcript("scripted:C1"), "[1] deputy: Hello\n");
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "channel/channel.h"

namespace deputy::test {

/// What can be made to fail.
enum class Step {
  post,
  edit,
  show,
  redraw,
  attach,
  begin_stream,
  append,
  end_stream,
  working,
  whisper,
  find,
  context,
  who,
  direct,
  members,
  remove,
  download
};

/// Whether a step that fails has its effect all the same.
enum class Posted { no, yes };

class ScriptedChannel final : public channel::Channel {
 public:
  explicit ScriptedChannel(std::string name = "scripted");

  // ---- The platform.

  channel::Capabilities can;  // everything but stream, progress and key_is_idempotent

  void knows(const std::string& account_key, policy::Identity identity);
  /// Where a conversation is, by the channel in its key: a public channel unless it was said otherwise, and "D…"
  /// direct.
  void is(const std::string& channel_id, policy::PlaceKind kind) { places_[channel_id] = kind; }
  /// Only these accounts are members of the channel; everybody it knows is, unless it was said otherwise.
  void has_members(const std::string& channel_id, std::set<std::string> account_ids) {
    members_[channel_id] = std::move(account_ids);
  }
  void has_group(const std::string& group, std::set<std::string> account_ids) {
    groups_[group] = std::move(account_ids);
  }
  void has_context(const std::string& conversation, channel::ConversationContext context);
  void has_file(const std::string& id, std::string content) { files_[id] = std::move(content); }
  channel::Receiver& receiver() { return *receiver_; }
  /// It came while nobody received: whoever receives next reads it back, from the cursor.
  void keeps(channel::InboundMessage message) { history_.push_back(std::move(message)); }
  /// The next `times` of this step fail, behind those that were asked for before.
  void fails(Step step, const Error& error, Posted posted = Posted::no, int times = 1);
  /// These give no answer as long as they stand here; of `post`, `edit`, the stream and `working`.
  std::set<Step> hangs;
  /// Called before each step, with what it is: for a test that acts at that moment.
  std::function<void(Step)> before;
  /// Called when somebody begins to receive from it.
  std::function<void()> on_run;

  // ---- The people.

  /// Answers once the receiver has; each message has a key of its own.
  Task<Result<>> says(std::string account_id, std::string conversation, std::string text);
  Task<Result<>> says(channel::InboundMessage message);  // what is left empty is filled in
  /// The last message that was posted.
  channel::MessageRef last_said() const { return last_said_; }
  /// Presses the control of a card that stands in the conversation.
  Task<Result<channel::Verdict>> clicks(std::string account_id, channel::MessageRef card, interaction::Control control,
                                        std::string words = {}, std::map<std::string, interaction::Given> given = {});
  /// Fills in the questions that the card shows and sends them: for each question label the labels of options to
  /// choose, and last, in quotes, own words.
  Task<Result<channel::Verdict>> fills_in(std::string account_id, channel::MessageRef card,
                                          std::map<std::string, std::vector<std::string>> given);
  /// A click as it came from the platform; what is left empty is filled in.
  Task<Result<channel::Verdict>> sends(channel::InboundAnswer answer);
  /// Sends a token that may stand on no card.
  Task<Result<channel::Verdict>> sends_token(std::string account_id, std::string conversation, std::string token);

  // ---- What they see.

  struct Shown {
    channel::MessageRef ref;
    std::string conversation;
    std::string text;  // Markdown; of a card its text form
    std::string mention;
    channel::Mentions mentions;
    std::string footer;
    std::string key;
    std::string file;  // its name, when it is one
    std::optional<channel::Card> card;
    std::vector<channel::MessageControl> controls = {};  // of a message
    std::string only_for;                                // an account, for a whisper
    int edits = 0;
    bool streaming = false;
    std::map<std::string, channel::ProgressLine> tasks;  // of a stream, by call
  };
  const std::deque<Shown>& shown() const { return shown_; }
  std::vector<Shown> shown_in(const std::string& conversation) const;
  const Shown* find_ref(const channel::MessageRef& ref) const;
  bool works_on(const channel::MessageRef& request) const;
  std::string working_words(const channel::MessageRef& request) const;  // empty while it does not work
  int calls(Step step) const;                                           // how often it was tried

  /// The conversation as somebody who sees all of it would write it down: a line for each message with its ref, then
  /// its text; controls in brackets.
  std::string transcript(const std::string& conversation) const;

  policy::Place place_of(const std::string& conversation) const;

  // ---- Channel.

  std::string_view name() const override { return name_; }
  channel::Capabilities capabilities() const override { return can; }
  Task<Result<>> run(channel::Receiver& receiver) override;
  Task<Result<channel::MessageRef>> post(channel::ConversationKey conversation, channel::Message message) override;
  Task<Result<>> edit(channel::ConversationKey conversation, channel::MessageRef ref,
                      channel::Message message) override;
  Task<Result<channel::MessageRef>> show(channel::ConversationKey conversation, channel::Card card) override;
  Task<Result<>> redraw(channel::ConversationKey conversation, channel::MessageRef ref, channel::Card card) override;
  Task<Result<channel::MessageRef>> attach(channel::ConversationKey conversation, channel::File file) override;
  Task<Result<channel::MessageRef>> begin_stream(channel::ConversationKey conversation,
                                                 channel::Message message) override;
  Task<Result<>> append(channel::ConversationKey conversation, channel::MessageRef ref,
                        channel::StreamPart part) override;
  Task<Result<>> end_stream(channel::ConversationKey conversation, channel::MessageRef ref,
                            channel::Message message) override;
  Task<Result<>> working(channel::ConversationKey conversation, channel::MessageRef request,
                         channel::Working working) override;
  Task<Result<>> whisper(channel::ConversationKey conversation, policy::Account account,
                         channel::Message message) override;
  Task<Result<std::optional<channel::MessageRef>>> find(channel::ConversationKey conversation,
                                                        channel::DeliveryKey key) override;
  Task<Result<channel::ConversationContext>> context(channel::ConversationKey conversation, channel::MessageRef before,
                                                     int most) override;
  Task<Result<>> remove(channel::ConversationKey conversation, channel::MessageRef ref) override;
  Task<Result<std::string>> download(channel::InboundFile file, std::size_t most) override;
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<channel::ConversationKey>> direct(policy::Account account) override;
  Task<Result<std::set<std::string>>> members(policy::Place place) override;
  Task<Result<std::set<std::string>>> members_of_group(std::string group) override;
  Task<Result<channel::Diagnosis>> diagnose() override;

 private:
  struct Failure {
    Error error;
    Posted posted;
  };

  std::optional<Failure> next_failure(Step step);
  Task<> wait_if_hanging(Step step);
  Task<Result<>> read_back();
  Result<> can_do(bool capability, std::string_view what) const;
  channel::MessageRef put(Shown shown);
  Result<Shown*> own(const std::string& conversation, const channel::MessageRef& ref);
  channel::InboundAnswer answer_by(std::string account_id, std::string conversation);
  std::set<std::string> keys_of(const std::set<std::string>& account_ids) const;

  std::string name_;
  channel::Receiver* receiver_ = nullptr;
  std::map<std::string, policy::Identity> identities_;
  std::map<std::string, channel::ConversationContext> contexts_;
  std::map<std::string, policy::PlaceKind> places_;
  std::map<std::string, std::set<std::string>> members_;
  std::map<std::string, std::set<std::string>> groups_;
  std::map<std::string, std::string> files_;
  std::map<Step, std::deque<Failure>> failures_;
  std::map<Step, int> calls_;
  std::map<std::string, channel::Working> working_;
  std::deque<Shown> shown_;
  std::vector<channel::InboundMessage> history_;
  channel::MessageRef last_said_;
  int next_ref_ = 1;
  int next_key_ = 1;
};

}  // namespace deputy::test

// A channel is a place where people talk with Deputy. It carries messages and shows interactions; it decides nothing.
//
// To add one: implement Channel in channel/<name>/, name its kind in app/channels.h, create it where the process is
// composed (Process::compose; for the terminal, app/foreground.cpp and app/chat/chat.cpp), and add a bench to the
// factories of tests/conformance/channel. Only app and its tests name a concrete channel.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "base/task.h"
#include "channel/card.h"
#include "channel/message.h"
#include "policy/identity.h"

namespace deputy::channel {

// The outcome of an answer. It is returned with the receipt on platforms whose receipt can carry a text.

struct AnswerTaken {
  std::string words;
};
/// Changed nothing: the sender may not answer, or the question is no longer valid.
struct Refused {
  std::string why;
};
/// A value that breaks a rule of its question.
struct InvalidAnswer {
  std::optional<std::size_t> question;  // its position, from 0; absent if the problem is of the whole form
  std::string label;                    // of the question
  std::string problem;

  bool operator==(const InvalidAnswer&) const = default;
};
/// Changed nothing: some values break a rule of their question.
struct Invalid {
  std::vector<InvalidAnswer> problems;
};
struct AlreadyAnswered {
  std::string by;
  Timestamp at;
  std::string words;
};
/// A control that settles nothing and only shows text: the full text of a card, the calls of a run. Its controls show
/// other pages of it.
struct ShowText {
  std::string markdown;
  std::vector<MessageControl> controls = {};
};
/// A control that settles nothing and opens a card of its own: a form, or the full text of a folded card. Needs the
/// capability `modals`. The instance that got the click opens it at once.
struct OpenCard {
  Card card;
};
using Verdict = std::variant<AnswerTaken, Refused, Invalid, AlreadyAnswered, ShowText, OpenCard>;

/// Takes what a channel receives.
class Receiver {
 public:
  virtual ~Receiver() = default;

  /// Returns once the message is stored: only then may the channel give the platform its receipt. An error means that
  /// nothing was stored: give no receipt, so that the platform sends it again.
  virtual Task<Result<>> message(InboundMessage message) = 0;

  /// Authorises, validates and settles the answer in one transaction. Errors as above.
  virtual Task<Result<Verdict>> answer(InboundAnswer answer) = 0;

  // Reading back what was missed. A cursor is the position of the last message seen, as the channel writes it.

  /// Empty if none was stored.
  virtual Task<Result<std::string>> cursor(std::string channel);
  virtual Task<Result<>> set_cursor(std::string channel, std::string cursor);
  /// The conversations of the channel that were active since then: those with unfinished runs first, then the newest.
  virtual Task<Result<std::vector<ConversationKey>>> conversations(std::string channel, Timestamp since, int most);

  /// For a page that only this account sees. Nothing waits for an account without access.
  virtual Task<Result<Welcome>> welcome(policy::Account account);
};

/// A message that stands for a request.
struct PostedRequest {
  ConversationKey conversation;
  MessageRef ref;
};

/// The proof that a connection works: not that it was opened, but that something came through it.
struct Traffic {
  bool expected = false;  // false: there is no connection that could fall silent
  std::optional<Timestamp> last = std::nullopt;
  std::chrono::milliseconds at_least_every = std::chrono::minutes(2);  // longer without any: it may be dead
};

/// A function that is not overridden fails with not_configured; the capabilities say so.
class Channel {
 public:
  virtual ~Channel() = default;

  /// Its kind: the first word of its conversation keys.
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;
  /// The same in one conversation, where that differs.
  virtual Capabilities capabilities_in(const ConversationKey& conversation) const;

  /// Connects, receives and reconnects until it is cancelled. Returns an error only if no retry can help.
  virtual Task<Result<>> run(Receiver& receiver) = 0;

  /// For readiness: what came from the platform last, whatever it was.
  virtual Traffic traffic() const { return {}; }

  // Sending. No function waits for a rate limit: it returns `rate_limit` with `retry_after`. An error with `retryable`
  // may be tried again. An error of kind network or timeout means that it may have arrived; any other error means that
  // it did not.
  virtual Task<Result<MessageRef>> post(ConversationKey conversation, Message message) = 0;
  virtual Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message);
  virtual Task<Result<MessageRef>> show(ConversationKey conversation, Card card);
  /// Redraws a card whose interactions may have been settled since.
  virtual Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card);
  virtual Task<Result<MessageRef>> attach(ConversationKey conversation, File file);
  /// Posts a message that stands for a request that has none (`unposted`); the run answers below it.
  virtual Task<Result<PostedRequest>> post_request(ConversationKey conversation, policy::Account account,
                                                   std::string text);

  // Streaming. Needs the capability `stream`. The message that begins a stream has its key, a short line about what is
  // being done, and as `mention` the account it answers. What ends the stream replaces what was streamed. `conflict`
  // means that the stream has ended already.
  virtual Task<Result<MessageRef>> begin_stream(ConversationKey conversation, Message message);
  virtual Task<Result<>> append(ConversationKey conversation, MessageRef ref, StreamPart part);
  virtual Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message);

  /// Shows the platform's own "working" sign on a request, with words if it has room for them, or removes it. The sign
  /// may go away by itself: it is renewed. Needs the capability `working` or `marks_request`.
  virtual Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working);
  /// Names the thread, where the platform lists threads by name. Best effort. Needs the capability `titles`.
  virtual Task<Result<>> set_title(ConversationKey conversation, std::string title);
  /// Shows a message to one account only. Best effort; without the capability it is a direct message or nothing.
  virtual Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message);

  /// The message of this delivery; nothing if it did not arrive. Needs the capability `find`.
  virtual Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key);

  /// Removes a message of Deputy's. Needs the capability `remove`.
  virtual Task<Result<>> remove(ConversationKey conversation, MessageRef ref);

  /// What was said in the thread before the message `before`: the first message and the newest ones, at most `most`. In
  /// a conversation outside any thread (`conversation_in`) it is the channel's name alone.
  virtual Task<Result<ConversationContext>> context(ConversationKey conversation, MessageRef before, int most) = 0;

  /// The content of a file that came with a message; an error if it is larger than `most` bytes.
  virtual Task<Result<std::string>> download(InboundFile file, std::size_t most);

  /// The account's groups, guest and external flags and e-mail address. Returns within 1.5 s; values may be cached for
  /// up to a minute. The caller treats an error as "no".
  virtual Task<Result<policy::Identity>> who(policy::Account account) = 0;

  /// The conversation in which only this account and Deputy talk. Needs the capability `direct`.
  virtual Task<Result<ConversationKey>> direct(policy::Account account);
  /// The conversation in a channel of the platform outside any thread, by the channel's id in settings.
  virtual ConversationKey conversation_in(std::string_view channel_id) const;
  /// Keys of the accounts that can see the place now, and of those in a group. An error is "nobody".
  virtual Task<Result<std::set<std::string>>> members(policy::Place place);
  virtual Task<Result<std::set<std::string>>> members_of_group(std::string group);

  /// For `deputy doctor`: checks the channel with real calls to its platform.
  virtual Task<Result<Diagnosis>> diagnose() = 0;
};

/// The channel kind in a conversation key: the text before its first colon.
std::string_view kind_of(std::string_view conversation);

}  // namespace deputy::channel

// A channel is a place where people talk with Deputy. It carries messages and shows interactions; it decides nothing.
//
// To add one: implement Channel in channel/<name>/, name its kind in app/channels.h, create it where the process is
// composed (Process::compose; for the terminal, app/foreground.cpp and app/chat/chat.cpp), and add a bench to the
// factories of tests/conformance/channel. Only app and its tests name a concrete channel.
#pragma once

#include <memory>
#include <optional>
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
/// Changed nothing: some values break a rule of their question. Pairs of question label and problem.
struct Invalid {
  std::vector<std::pair<std::string, std::string>> problems;
};
struct AlreadyAnswered {
  std::string by;
  Timestamp at;
  std::string words;
};
/// A control that settles nothing and only shows text: the full text of a card, the next question of a form.
struct ShowText {
  std::string markdown;
};
using Verdict = std::variant<AnswerTaken, Refused, Invalid, AlreadyAnswered, ShowText>;

/// Takes what a channel receives.
class Receiver {
 public:
  virtual ~Receiver() = default;

  /// Returns once the message is stored: only then may the channel give the platform its receipt. An error means that
  /// nothing was stored: give no receipt, so that the platform sends it again.
  virtual Task<Result<>> message(InboundMessage message) = 0;

  /// Authorises, validates and settles the answer in one transaction. Errors as above.
  virtual Task<Result<Verdict>> answer(InboundAnswer answer) = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;

  /// Its kind: the first word of its conversation keys.
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;

  /// Connects, receives and reconnects until it is cancelled. Returns an error only if no retry can help.
  virtual Task<Result<>> run(Receiver& receiver) = 0;

  // Sending. An error with `retryable` may be tried again. An error of kind network or timeout means that it may have
  // arrived; any other error means that it did not.
  virtual Task<Result<MessageRef>> post(ConversationKey conversation, Message message) = 0;
  virtual Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) = 0;
  virtual Task<Result<MessageRef>> show(ConversationKey conversation, Card card) = 0;
  /// Redraws a card whose interactions may have been settled since.
  virtual Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) = 0;
  virtual Task<Result<MessageRef>> attach(ConversationKey conversation, File file) = 0;

  // Streaming. Needs the capability `stream`.
  virtual Task<Result<MessageRef>> begin_stream(ConversationKey conversation, DeliveryKey key) = 0;
  virtual Task<Result<>> append(ConversationKey conversation, MessageRef ref, std::string text) = 0;
  virtual Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) = 0;

  /// Switches the platform's own "working" sign on a request on or off. Needs the capability `working`.
  virtual Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) = 0;
  /// Shows a message to one account only. Best effort; without the capability it is a direct message or nothing.
  virtual Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) = 0;

  /// The message of this delivery; nothing if it did not arrive. Needs the capability `find`.
  virtual Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key) = 0;

  /// The first message of the thread and the newest ones, at most `most`.
  virtual Task<Result<ConversationContext>> context(ConversationKey conversation, int most) = 0;

  /// The account's groups, guest and external flags and e-mail address. Returns within 1.5 s; values may be cached for
  /// up to a minute. The caller treats an error as "no".
  virtual Task<Result<policy::Identity>> who(policy::Account account) = 0;

  /// For `deputy doctor`: checks the channel with real calls to its platform.
  virtual Task<Result<Diagnosis>> diagnose() = 0;
};

/// The channel kind in a conversation key: the text before its first colon.
std::string_view kind_of(std::string_view conversation);

}  // namespace deputy::channel

// A channel is a place people talk through. It carries messages and shows interactions; it decides nothing.
//
// To add one: implement Channel in channel/<name>/, name its kind in app/channels.h, make it where the process that has
// it is composed (Process::compose; a terminal's are app/foreground.cpp and app/chat/chat.cpp), and add a bench to the
// factories of tests/conformance/channel. Nothing but app and its tests names a concrete channel.
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

// What became of an answer; goes back with the receipt where the platform has room for it.

struct AnswerTaken {
  std::string words;
};
/// Changed nothing: who answered may not, or it does not hold any more.
struct Refused {
  std::string why;
};
/// Changed nothing: what was filled in breaks a rule of its question, by label.
struct Invalid {
  std::vector<std::pair<std::string, std::string>> problems;
};
struct AlreadyAnswered {
  std::string by;
  Timestamp at;
  std::string words;
};
/// What a control shows without settling anything: the full text of a card, the next question of a form.
struct ShowText {
  std::string markdown;
};
using Verdict = std::variant<AnswerTaken, Refused, Invalid, AlreadyAnswered, ShowText>;

/// Where a channel hands what it received.
class Receiver {
 public:
  virtual ~Receiver() = default;

  /// Returns once the message is stored: only then may the channel give the platform its receipt. An error means that
  /// nothing is stored: give none, so that it comes again.
  virtual Task<Result<>> message(InboundMessage message) = 0;

  /// Authorised, validated and settled in one transaction. An error as above.
  virtual Task<Result<Verdict>> answer(InboundAnswer answer) = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;

  /// Its kind: the first word of its conversation keys.
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;

  /// Connects, receives, reconnects, until it is cancelled. Returns an error only for what no retry mends.
  virtual Task<Result<>> run(Receiver& receiver) = 0;

  // Sending. An error with `retryable` may be tried again. One of kind network or timeout means that nobody knows
  // whether it arrived; any other, that it did not.
  virtual Task<Result<MessageRef>> post(ConversationKey conversation, Message message) = 0;
  virtual Task<Result<>> edit(ConversationKey conversation, MessageRef ref, Message message) = 0;
  virtual Task<Result<MessageRef>> show(ConversationKey conversation, Card card) = 0;
  /// Redraws a card whose interactions may have been settled since.
  virtual Task<Result<>> redraw(ConversationKey conversation, MessageRef ref, Card card) = 0;
  virtual Task<Result<MessageRef>> attach(ConversationKey conversation, File file) = 0;

  // With the capability `stream`.
  virtual Task<Result<MessageRef>> begin_stream(ConversationKey conversation, DeliveryKey key) = 0;
  virtual Task<Result<>> append(ConversationKey conversation, MessageRef ref, std::string text) = 0;
  virtual Task<Result<>> end_stream(ConversationKey conversation, MessageRef ref, Message message) = 0;

  /// The native sign on a request, on or off; with the capability `working`.
  virtual Task<Result<>> working(ConversationKey conversation, MessageRef request, Working working) = 0;
  /// Only they see it. Best effort; without the capability it is a direct message or nothing.
  virtual Task<Result<>> whisper(ConversationKey conversation, policy::Account account, Message message) = 0;

  /// Did this delivery arrive? With the capability `find`.
  virtual Task<Result<std::optional<MessageRef>>> find(ConversationKey conversation, DeliveryKey key) = 0;

  /// The root and the newest messages, `most` at most.
  virtual Task<Result<ConversationContext>> context(ConversationKey conversation, int most) = 0;

  /// Groups, guest, external, e-mail. Answers within 1.5 s, from a cache of at most a minute; an error is "no".
  virtual Task<Result<policy::Identity>> who(policy::Account account) = 0;

  /// For `deputy doctor`: by real calls.
  virtual Task<Result<Diagnosis>> diagnose() = 0;
};

/// The kind of a conversation: what stands before its first colon.
std::string_view kind_of(std::string_view conversation);

}  // namespace deputy::channel

// The parts of one delivery on a platform: they are sent one after the other, each recorded before the next. Pure: the
// same row always gives the same parts, so that resuming after a crash repeats nothing.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/plot.h"
#include "channel/card.h"
#include "channel/channel.h"
#include "channel/message.h"
#include "channel/safe_markdown.h"
#include "gateway/outbound/delivery_rules.h"
#include "run/journal/delivery.h"

namespace deputy::gateway {

struct Post {
  channel::Message message;
  Copies copies = Copies::rather_than_none;
};
struct Edit {
  channel::MessageRef ref;
  channel::Message message;
};
struct Show {
  channel::Card card;
};
/// Draws a card again; if the platform refuses, its text form is edited in.
struct Redraw {
  channel::MessageRef ref;
  channel::Card card;
};
struct Attach {
  channel::File file;
};
/// Drawn when it is sent.
struct AttachPlot {
  Plot plot;
};
struct BeginStream {
  channel::Message message;
};
/// Replaces what was streamed. If the stream has ended already, the message is edited.
struct EndStream {
  channel::MessageRef ref;
  channel::Message message;
};
struct Sign {
  channel::MessageRef request;
  channel::Working working;
};

struct DeliveryPart {
  std::string conversation;
  std::variant<Post, Edit, Show, Redraw, Attach, AttachPlot, BeginStream, EndStream, Sign> what;
  OnRefusal need = OnRefusal::required;
};
using DeliveryParts = std::vector<DeliveryPart>;

/// Null for a part that is no message.
channel::Message* message_of(DeliveryPart& piece);

DoubtMethod way_of(const DeliveryPart& piece, const channel::Capabilities& capabilities);

/// The acknowledgement of a run, if it was sent.
struct Acknowledged {
  channel::MessageRef request;
  std::optional<channel::MessageRef> line;         // the message, if the channel has no native sign of work
  std::optional<channel::MessageRef> stream = {};  // open: acknowledgement, progress and answer are this message
  bool is_last = false;                            // recent and the last message: the answer is edited into it
};

inline constexpr std::chrono::seconds kYoung{20};

/// A channel that keeps what was streamed as a message. One with `progress` shows it and forgets it.
bool keeps_streams(const channel::Capabilities& capabilities);

/// `drawn` as text: the stream was refused.
enum class Drawn { card, text };
DeliveryParts pieces_of(const run::AcknowledgementDelivery& body, Drawn drawn, const std::string& conversation,
                        const channel::Capabilities& capabilities);
DeliveryParts pieces_of(const run::RestartDelivery& body, Drawn drawn, const channel::MessageRef& stream,
                        const std::string& conversation);
DeliveryParts pieces_of(const run::NoticeDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities);
DeliveryParts pieces_of(const run::AnswerDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities, const channel::Hosts& known,
                        const std::optional<Acknowledged>& acknowledged,
                        const std::optional<RunId>& run = std::nullopt);
DeliveryParts pieces_of(const channel::Card& card, Drawn drawn, const std::string& conversation,
                        const channel::Capabilities& capabilities);
/// For one card that was sent as the messages `refs`.
DeliveryParts redraw_pieces(const channel::Card& card, const std::vector<channel::MessageRef>& refs,
                            const std::string& conversation, const channel::Capabilities& capabilities);

/// The text that is posted first when the whole answer is edited in afterwards.
std::string first_line_of(std::string_view markdown);

inline constexpr std::chrono::seconds kMaxSend{30};

/// Limits `task` to kMaxSend. A timeout or an exception counts as in doubt.
template <class T>
Task<Result<T>> bounded(Task<Result<T>> task) {
  std::exception_ptr thrown;
  try {
    co_return co_await with_timeout(kMaxSend, std::move(task));
  } catch (...) {
    thrown = std::current_exception();
  }
  co_return fail(ErrorKind::timeout, "the channel failed: " + what_of(thrown));
}

/// Returns the ref of the message that now shows it; empty for a sign.
Task<Result<channel::MessageRef>> send_piece(DeliveryPart piece, channel::DeliveryKey key, channel::Channel& channel);

/// For DoubtMethod::first_line: posts the first line, or edits the whole part into the line that was posted.
DeliveryPart in_two_steps(DeliveryPart piece, const std::optional<channel::MessageRef>& first_line);

}  // namespace deputy::gateway

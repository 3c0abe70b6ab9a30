// What one delivery consists of on a platform: the pieces that go out one after the other, each recorded before the
// next. Pure. The same row gives the same pieces whenever it is asked, so that going on after a crash repeats nothing.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "channel/card.h"
#include "channel/channel.h"
#include "channel/message.h"
#include "channel/outgoing.h"
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
/// A view, drawn again; where that is refused, its text form is edited in.
struct Redraw {
  channel::MessageRef ref;
  channel::Card card;
};
struct Attach {
  channel::File file;
};
struct Sign {
  channel::MessageRef request;
  channel::Working working;
};

struct DeliveryPart {
  std::string conversation;
  std::variant<Post, Edit, Show, Redraw, Attach, Sign> what;
  OnRefusal need = OnRefusal::required;
};
using DeliveryParts = std::vector<DeliveryPart>;

DoubtMethod way_of(const DeliveryPart& piece, const channel::Capabilities& capabilities);

/// The acknowledgement of a run, where it was sent.
struct Acknowledged {
  channel::MessageRef request;
  std::optional<channel::MessageRef> line;  // where there was no native sign
  bool is_last = false;                     // nothing was said since, and it is young: the answer is edited into it
};

inline constexpr std::chrono::seconds kYoung{20};

DeliveryParts pieces_of(const run::AcknowledgementDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities);
DeliveryParts pieces_of(const run::NoticeDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities);
DeliveryParts pieces_of(const run::AnswerDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities, const channel::Hosts& known,
                        const std::optional<Acknowledged>& acknowledged);
/// As a card, or as its text form.
enum class Drawn { card, text };
DeliveryParts pieces_of(const channel::Card& card, Drawn drawn, const std::string& conversation,
                        const channel::Capabilities& capabilities);
/// For one view that was sent, by the refs of its messages.
DeliveryParts redraw_pieces(const channel::Card& card, const std::vector<channel::MessageRef>& refs,
                            const std::string& conversation, const channel::Capabilities& capabilities);

/// What stands first where a whole answer is edited in.
std::string first_line_of(std::string_view markdown);

inline constexpr std::chrono::seconds kLongestSend{30};

/// What takes longer, or throws, is in doubt.
template <class T>
Task<Result<T>> bounded(Task<Result<T>> task) {
  std::exception_ptr thrown;
  try {
    co_return co_await with_timeout(kLongestSend, std::move(task));
  } catch (...) {
    thrown = std::current_exception();
  }
  co_return fail(ErrorKind::timeout, "the channel failed: " + what_of(thrown));
}

/// The ref of the message that shows it now; empty for a sign.
Task<Result<channel::MessageRef>> send_piece(DeliveryPart piece, channel::DeliveryKey key, channel::Channel& channel);

/// With DoubtMethod::first_line: the line itself, or the whole edited into the line that stands.
DeliveryPart in_two_steps(DeliveryPart piece, const std::optional<channel::MessageRef>& first_line);

}  // namespace deputy::gateway

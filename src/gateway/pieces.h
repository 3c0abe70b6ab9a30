// What one delivery consists of on a platform: the pieces that go out one after the other, each recorded before the
// next. Pure. The same row gives the same pieces whenever it is asked, so that going on after a crash repeats nothing.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "channel/card.h"
#include "channel/message.h"
#include "channel/outgoing.h"
#include "gateway/delivery_rules.h"
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

struct Piece {
  std::string conversation;
  std::variant<Post, Edit, Show, Redraw, Attach, Sign> what;
  Need need = Need::required;
};
using Pieces = std::vector<Piece>;

Way way_of(const Piece& piece, const channel::Capabilities& capabilities);

/// The acknowledgement of a run, where it was sent.
struct Acknowledged {
  channel::MessageRef request;
  std::optional<channel::MessageRef> line;  // where there was no native sign
  bool is_last = false;                     // nothing was said since, and it is young: the answer is edited into it
};

inline constexpr std::chrono::seconds kYoung{20};

Pieces pieces_of(const run::AcknowledgementDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities);
Pieces pieces_of(const run::NoticeDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities);
Pieces pieces_of(const run::AnswerDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities, const channel::Hosts& known,
                 const std::optional<Acknowledged>& acknowledged);
/// As a card, or as its text form.
enum class Drawn { card, text };
Pieces pieces_of(const channel::Card& card, Drawn drawn, const std::string& conversation,
                 const channel::Capabilities& capabilities);
/// For one view that was sent, by the refs of its messages.
Pieces redraw_pieces(const channel::Card& card, const std::vector<channel::MessageRef>& refs,
                     const std::string& conversation, const channel::Capabilities& capabilities);

/// What stands first where a whole answer is edited in.
std::string first_line_of(std::string_view markdown);

}  // namespace deputy::gateway

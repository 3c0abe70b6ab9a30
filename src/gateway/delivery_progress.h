// How far a delivery has come, as its row's `ref` keeps it. A delivery of one message is its ref and nothing else; what
// goes out in several pieces, or is in doubt, is a JSON object.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "channel/message.h"

namespace deputy::gateway {

struct DeliveryProgress {
  std::vector<std::string> sent;          // refs of the pieces that have arrived, in order; empty where there is none
  std::optional<std::string> first_line;  // of the next piece, whose rest is still to be edited in
  int looks = 0;                          // how often it was (or is about to be) looked for; 0: not waited yet
  bool as_text = false;                   // the card was refused: its text form goes out
  bool as_post = false;                   // the edit was refused: the words go out as a message of their own

  bool operator==(const DeliveryProgress&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&DeliveryProgress::sent, "sent", "Refs of what has arrived");
    f.optional(&DeliveryProgress::first_line, "first_line", "The message that the next piece is edited into");
    f.optional(&DeliveryProgress::looks, "looks", "How often it was looked for");
    f.optional(&DeliveryProgress::as_text, "as_text", "The text form of a card");
    f.optional(&DeliveryProgress::as_post, "as_post", "A message in place of an edit");
  }
};

/// What cannot be read is a single ref.
DeliveryProgress read_progress(std::string_view ref);

/// Never empty: the store keeps the old ref for an empty one.
std::string write_progress(const DeliveryProgress& progress);

/// The messages of a delivery, for whoever has one of them in hand.
std::vector<channel::MessageRef> refs_of(std::string_view ref);

}  // namespace deputy::gateway

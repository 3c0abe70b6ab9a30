// What becomes of a delivery: `owed → sending → sent(ref) | unknown | dead`. Pure; deliveries.h performs it.
//
// A delivery goes out piece by piece, and each piece is recorded before the next is sent. A piece nobody knows the fate
// of is settled before anything later of its conversation goes out, in the way its channel allows.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "channel/message.h"
#include "store/rows.h"

namespace deputy::gateway {

// ---- How far a delivery has come, as its row's `ref` keeps it: the ref of one message alone, or a JSON object where
// it goes out in several parts or is in doubt.

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

// ---- What happens next.

/// How a piece in doubt is settled.
enum class DoubtMethod {
  look_up,     // not before 15 s after the attempt, twice, 5 s apart; then sent again
  same_key,    // sent again: the platform shows one message
  first_line,  // each piece is a first line into which the whole is edited: a line may stand twice, an answer never
  again,       // sent again: an edit or a sign, where twice is once, or there is no better way
};

/// Of a new message; `first_line` only where a second copy must never stand.
enum class Copies { never, rather_than_none };
DoubtMethod way_of(const channel::Capabilities& capabilities, Copies copies);

/// What an attempt that failed means.
enum class Failure {
  in_doubt,  // nobody knows whether it arrived
  for_now,   // it did not, and may be tried again
  for_good,  // it did not, and never will
};
Failure failure_of(const Error& error);

inline constexpr std::chrono::seconds kLookAfter{15};
inline constexpr std::chrono::seconds kLookAgainAfter{5};
inline constexpr int kMostLooks = 2;
inline constexpr std::chrono::seconds kFirstRetry{1};
inline constexpr std::chrono::seconds kSlowestRetry{60};
inline constexpr std::chrono::seconds kPutOff{5};
inline constexpr std::chrono::hours kGiveUpAfter{1};

/// What to do with a delivery that was taken.
enum class NextSend { wait, look, send };
NextSend next_for(const store::DeliveryRow& row, const DeliveryProgress& progress, DoubtMethod way);

/// For NextSend::wait: looked for after a while.
store::DeliveryChange wait_to_look(const store::DeliveryRow& row, DeliveryProgress progress, Timestamp now);

/// A look found nothing: another one later, or nothing when it is to be sent again now.
std::optional<store::DeliveryChange> after_looking(const store::DeliveryRow& row, DeliveryProgress& progress,
                                                   Timestamp now);

/// The next piece has arrived (by sending or by looking); it is the last one or not.
enum class Remaining { nothing, more };
store::DeliveryChange after_arrival(const store::DeliveryRow& row, DeliveryProgress progress, channel::MessageRef ref,
                                    Remaining left, Timestamp now);

/// A first line stands; the rest is to be edited in.
store::DeliveryChange after_first_line(const store::DeliveryRow& row, DeliveryProgress progress,
                                       channel::MessageRef ref, Timestamp now);

/// An attempt failed. Dead when it is refused for good, or would be tried again an hour after it was owed.
store::DeliveryChange after_failure(const store::DeliveryRow& row, DeliveryProgress progress, const Error& error,
                                    DoubtMethod way, Timestamp now);

/// What it means that a piece was refused.
enum class OnRefusal {
  required,     // the delivery is dead
  if_possible,  // it is left out: what it would change is gone
  best_effort,  // the same, and so is any other failure
};

/// One attempt at the next piece.
struct Attempt {
  enum class SendForm { message, card, edit };  // what it falls back to when it is refused

  DoubtMethod way = DoubtMethod::again;
  SendForm form = SendForm::message;
  OnRefusal need = OnRefusal::required;
  Remaining left = Remaining::nothing;
};

/// How an attempt ended, and what is recorded of it.
struct Attempted {
  enum class How {
    arrived,
    first_line,    // it stands; the rest is to be edited in
    left_out,      // it could not be sent, and the delivery goes on without it
    as_text,       // the card was refused: its text form goes out
    as_post,       // the edit was refused, what it would change is gone: it goes out as a message
    line_is_gone,  // somebody removed the first line: begin anew
    failed,
  };

  How how = How::arrived;
  store::DeliveryChange change;
};
Attempted after_attempt(const store::DeliveryRow& row, DeliveryProgress progress, const Attempt& attempt,
                        const Result<channel::MessageRef>& sent, Timestamp now);

/// Nothing was attempted, because something it needs is not there: it stays what it is, and is dead after an hour.
store::DeliveryChange put_off(const store::DeliveryRow& row, const DeliveryProgress& progress, Timestamp now);

}  // namespace deputy::gateway

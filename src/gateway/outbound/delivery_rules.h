// The states of a delivery: `owed → sending → sent(ref) | unknown | dead`. Pure; deliveries.h acts on it.
//
// A delivery is sent part by part, and each part is recorded before the next is sent. If it is unknown whether a part
// arrived, that is resolved before anything later of its conversation is sent, in the way its channel allows.
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

// ---- The progress of a delivery, stored in its row's `ref`: the ref of a single message, or a JSON object if the
// delivery has several parts or is in doubt.

struct DeliveryProgress {
  std::vector<std::string> sent;          // refs of the parts that have arrived, in order; empty for one without a ref
  std::optional<std::string> first_line;  // of the next part, whose rest is still to be edited in
  int looks = 0;                          // number of the current lookup on the platform; 0: none scheduled
  bool as_text = false;                   // the card was refused: its text form is sent
  bool as_post = false;                   // the edit or stream was refused: the text is sent as a new message
  bool stream = false;                    // the last part is a stream that was begun

  bool operator==(const DeliveryProgress&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&DeliveryProgress::sent, "sent", "Refs of what has arrived");
    f.optional(&DeliveryProgress::first_line, "first_line", "The message that the next piece is edited into");
    f.optional(&DeliveryProgress::looks, "looks", "How often it was looked for");
    f.optional(&DeliveryProgress::as_text, "as_text", "The text form of a card");
    f.optional(&DeliveryProgress::as_post, "as_post", "A message in place of an edit");
    f.optional(&DeliveryProgress::stream, "stream", "The last message is a stream");
  }
};

/// Text that is not a JSON object of progress is a single ref.
DeliveryProgress read_progress(std::string_view ref);

/// Never empty: the store keeps the old ref for an empty one.
std::string write_progress(const DeliveryProgress& progress);

/// The refs of the messages of a delivery, without the empty ones.
std::vector<channel::MessageRef> refs_of(std::string_view ref);

// ---- What happens next.

/// How to resolve a part that may or may not have arrived.
enum class DoubtMethod {
  look_up,     // not before 15 s after the attempt, twice, 5 s apart; then sent again
  same_key,    // sent again: the platform shows one message
  first_line,  // post the first line, then edit the whole part into it: a line may appear twice, an answer never
  again,       // sent again: edits and signs can be repeated safely, and for the rest there is no better way
};

/// The method for a new message; `first_line` only if a second copy must never appear.
enum class Copies { never, rather_than_none };
DoubtMethod way_of(const channel::Capabilities& capabilities, Copies copies);

/// What a failed attempt means.
enum class Failure {
  in_doubt,  // it may have arrived
  for_now,   // it did not arrive; a retry may succeed
  for_good,  // it did not arrive; a retry would fail too
};
Failure failure_of(const Error& error);

inline constexpr std::chrono::seconds kLookAfter{15};
inline constexpr std::chrono::seconds kLookAgainAfter{5};
inline constexpr int kMaxLooks = 2;
inline constexpr std::chrono::seconds kFirstRetry{1};
inline constexpr std::chrono::milliseconds kSoonestRetry{100};  // when the platform says "now"
inline constexpr std::chrono::seconds kSlowestRetry{60};
inline constexpr std::chrono::seconds kPutOff{5};
inline constexpr std::chrono::hours kGiveUpAfter{1};

/// What to do with a delivery that was taken.
enum class NextSend { wait, look, send };
NextSend next_for(const store::DeliveryRow& row, const DeliveryProgress& progress, DoubtMethod way);

/// For NextSend::wait: schedules the first lookup.
store::DeliveryChange wait_to_look(const store::DeliveryRow& row, DeliveryProgress progress, Timestamp now);

/// A lookup found nothing: look again later, or it is owed again. It must be stored as owed before it is sent: a
/// process that dies while sending leaves a new doubt, which is looked up from the start.
store::DeliveryChange after_looking(const store::DeliveryRow& row, DeliveryProgress progress, Timestamp now);

/// The next part has arrived, as sending or a lookup showed; `left` says whether more parts follow.
enum class Remaining { nothing, more };
store::DeliveryChange after_arrival(const store::DeliveryRow& row, DeliveryProgress progress, channel::MessageRef ref,
                                    Remaining left, Timestamp now);

/// The first line was posted; the rest is to be edited in.
store::DeliveryChange after_first_line(const store::DeliveryRow& row, DeliveryProgress progress,
                                       channel::MessageRef ref, Timestamp now);

/// An attempt failed. Dead if it was refused for good, or if the next retry would be an hour after it became due.
store::DeliveryChange after_failure(const store::DeliveryRow& row, DeliveryProgress progress, const Error& error,
                                    DoubtMethod way, Timestamp now);

/// What happens when a part is refused.
enum class OnRefusal {
  required,     // the delivery is dead
  if_possible,  // the part is skipped: the message that it would change is gone
  best_effort,  // the part is skipped, also after any other failure
};

/// One attempt to send the next part.
struct Attempt {
  enum class SendForm { message, card, edit };  // what it falls back to when it is refused; a stream as an edit does

  DoubtMethod way = DoubtMethod::again;
  SendForm form = SendForm::message;
  OnRefusal need = OnRefusal::required;
  Remaining left = Remaining::nothing;
};

/// How an attempt ended, and the change to record.
struct Attempted {
  enum class How {
    arrived,
    first_line,    // the line was posted; the rest is to be edited in
    left_out,      // it could not be sent, and the delivery continues without it
    as_text,       // the card was refused: send its text form
    as_post,       // the edit was refused because its message is gone: send a new message
    line_is_gone,  // somebody removed the first line: start again
    failed,
  };

  How how = How::arrived;
  store::DeliveryChange change;
};
Attempted after_attempt(const store::DeliveryRow& row, DeliveryProgress progress, const Attempt& attempt,
                        const Result<channel::MessageRef>& sent, Timestamp now);

/// Nothing was attempted, because something it needs is missing: it keeps its state, and is dead after an hour.
store::DeliveryChange put_off(const store::DeliveryRow& row, const DeliveryProgress& progress, Timestamp now);

}  // namespace deputy::gateway

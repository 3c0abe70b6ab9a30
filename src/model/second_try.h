// Repeats a refused request without the part that the API refused: an optional field, thinking that was sent back, or
// images. A refused field is not sent to that API again. Pure.
#pragma once

#include <string_view>

#include "model/families.h"
#include "model/model.h"

namespace deputy::model {

/// The optional parts of a request, as flags.
enum OptionalField : unsigned {
  kTemperature = 1,
  kEffort = 2,
  kThinking = 4,  // how much, and if it is shown
  kFormat = 8,
  kCacheMarks = 16,
  kLongReply = 32,  // a limit above what every model accepts
};

class SecondTry;

/// True if a temperature is set, the model's family accepts it and the API has not refused it.
bool sends_temperature(const Manner& manner, const SecondTry& second_try);

/// Kept by a provider. An attempt works on a copy and stores it back on success.
class SecondTry {
 public:
  bool sends(OptionalField field) const { return (left_out_ & field) == 0; }

  /// Call after a refusal of a request with the fields `sent`. Returns true if a second try may succeed: the thinking
  /// or the images have been removed from `request`, or a field that the refusal names will no longer be sent.
  bool may_help(int status, std::string_view said, unsigned sent, Request& request);

  /// The reply limit to send.
  int reply_tokens(int wanted) const;
  /// The flag for a limit that an API may refuse.
  static unsigned long_reply(int tokens) { return tokens > kTokensThatAllTake ? kLongReply : 0U; }

  bool dropped_thinking() const { return dropped_thinking_; }
  void begin() { dropped_thinking_ = false; }

 private:
  static constexpr int kTokensThatAllTake = 4096;

  unsigned left_out_ = 0;
  bool dropped_thinking_ = false;  // in the current request
};

}  // namespace deputy::model

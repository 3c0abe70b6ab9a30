// What a provider leaves out when its API refuses a request because of it: an optional field of ours, or thinking that
// it does not take back. A field that was refused once is not sent to that API again. Pure.
#pragma once

#include <string_view>

#include "model/families.h"
#include "model/model.h"

namespace deputy::model {

/// What a request can do without, as flags.
enum OptionalField : unsigned {
  kTemperature = 1,
  kEffort = 2,
  kThinking = 4,  // how much of it, and whether it is shown
  kFormat = 8,
  kCacheMarks = 16,
  kLongReply = 32,  // a limit beyond what every model takes
};

class SecondTry;

/// Where a temperature is set, the model is not known to refuse it, and its API has not.
bool sends_temperature(const Manner& manner, const SecondTry& second_try);

/// Kept by a provider; an attempt works on a copy, and hands it back when it went well.
class SecondTry {
 public:
  bool sends(OptionalField field) const { return (left_out_ & field) == 0; }

  /// After a refusal of a request that held these fields: whether it may do better now. Then its thinking has been
  /// taken out, or a field that the refusal names will no longer be sent.
  bool may_help(int status, std::string_view said, unsigned sent, Request& request);

  /// The limit of the reply that is asked for.
  int reply_tokens(int wanted) const;
  /// The flag of that limit, where it is one that may be refused.
  static unsigned long_reply(int tokens) { return tokens > kTokensThatAllTake ? kLongReply : 0U; }

  bool dropped_thinking() const { return dropped_thinking_; }
  void begin() { dropped_thinking_ = false; }

 private:
  static constexpr int kTokensThatAllTake = 4096;

  unsigned left_out_ = 0;
  bool dropped_thinking_ = false;  // of the request that is being tried
};

}  // namespace deputy::model

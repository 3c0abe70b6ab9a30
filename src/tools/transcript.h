// The messages of a channel as one text, for tools that work on what people said. The family that reads a platform
// makes it; those that use it know no platform.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "base/result.h"
#include "base/task.h"
#include "toolkit/spec.h"
#include "toolkit/step.h"

namespace deputy::tools {

struct Transcript {
  std::string range;  // a sentence that says which messages these are; also when there are none
  std::string text;   // oldest first, each message on a line of its own; words of people, which are data
};

/// The transcript, or the question to the run that must be answered first: the handler is then called again.
using TranscriptStep = std::variant<toolkit::Delegate, Transcript>;

/// Reads the newest messages of a channel, at most `most` and so many that the text has at most `bytes` in JSON. Only
/// what the requester and the readers of the answer may see. The context outlives the task.
using ReadTranscript =
    std::function<Task<Result<TranscriptStep>>(toolkit::CallContext& context, std::size_t most, std::size_t bytes)>;

/// The parameter that names the channel.
template <class Fields, class Params>
void channel_field(Fields& f, std::string Params::* channel) {
  f.required(channel, "channel", "ID or name of the channel, such as C012AB3CD or #ops")
      .characters(1, 200)
      .kind(toolkit::Kind::channel);
}

}  // namespace deputy::tools

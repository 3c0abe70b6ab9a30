// A TerminalChannel over real pipes: what Ana types goes in through one, what she sees comes out of the other. The
// bench holds the terminal as a chat over a pipe does, with the chat's own view, looks and reader; what is shown it
// asks at once, because nothing is ever half typed here.
#pragma once

#include <memory>

#include "conformance/channel/suite.h"

namespace deputy::channel {

std::unique_ptr<Bench> make_terminal_bench(const BenchSetup& setup);

}  // namespace deputy::channel

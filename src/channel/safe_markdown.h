// Makes a model's Markdown safe to show: Markdown in, Markdown out, before a channel renders it. Pure, linear time.
//
// Images become links. Mentions of everybody, of groups and of accounts are shown as code, so that nobody is notified.
// Links and bare URLs with an unknown host are shown as code. Raw HTML is shown as text. Code blocks and code spans
// stay as they are; text that we read as code but a renderer might not is rewritten so that both read it the same way.
//
// It does not remove secrets (redact does) or escape a platform's own syntax (the channel's renderer does).
#pragma once

#include <string>
#include <string_view>

#include "base/addresses.h"

namespace deputy::channel {

using deputy::Hosts;

std::string make_safe(std::string_view markdown, const Hosts& known);

}  // namespace deputy::channel

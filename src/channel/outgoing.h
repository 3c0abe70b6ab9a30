// What a model wrote, made safe for people: Markdown in, Markdown out, before a channel renders it. Pure, linear time.
//
// Images become links. Mentions of everybody, of groups and of accounts are drawn as code, so that nobody is notified.
// Links, and addresses in the text, whose host is not known are shown as code. Raw HTML is shown as text. Code blocks
// and code spans stay as they are; what could be read as code here and as text by a renderer is written so that both
// read the same.
//
// It is not about secrets (redact), nor about a platform's own syntax: a renderer escapes that once more.
#pragma once

#include <string>
#include <string_view>

#include "base/addresses.h"

namespace deputy::channel {

using deputy::Hosts;

std::string make_safe(std::string_view markdown, const Hosts& known);

}  // namespace deputy::channel

// What a model wrote, made safe for people: Markdown in, Markdown out, before a channel renders it. Pure, linear time.
//
// Images become links. Mentions of everybody, of groups and of accounts are drawn as code, so that nobody is notified.
// Links, and addresses in the text, whose host is not known are shown as code. Raw HTML is shown as text. Code blocks
// and code spans stay as they are; what could be read as code here and as text by a renderer is written so that both
// read the same.
//
// It is not about secrets (redact), nor about a platform's own syntax: a renderer escapes that once more.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace deputy::channel {

/// In small letters, without a port.
using Hosts = std::set<std::string, std::less<>>;

std::string make_safe(std::string_view markdown, const Hosts& known);

/// The host of an http or https address; nothing for any other text, and for an address that could be read in two ways
/// (a user name, a backslash, characters beyond ASCII in its host).
std::optional<std::string> host_of(std::string_view address);

/// The hosts of all addresses in a text of any kind.
void add_hosts(std::string_view text, Hosts& hosts);

}  // namespace deputy::channel

// Which tools a request wants, by what the tools say they are about, and whether it goes on from the one before it.
// Pure; no table of tools: `Vocabulary::tools` is all it knows of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "intent/intent.h"
#include "intent/names.h"

namespace deputy::intent {

/// Names of at most five tools, best first: most of their words in the request, less what they require and it does not
/// name, then most of what it names among their parameters. Words in quotes and words that `claims` hold do not count.
/// A request of names alone gets the reading tools that need just these. What is ordered and no tool does ("delete all
/// files") gets none, not even one that reads.
std::vector<std::string> match(const Tokens& tokens, const Claims& claims, const Parameters& named,
                               const std::vector<KnownTool>& tools);

/// Whether the request orders a change: "restart it", and not "the restart failed".
bool orders_change(const Tokens& tokens);

/// How many tokens say at its beginning that a request goes on from the one before it: 1 for "and …", 2 for "what about
/// …", else 0.
std::size_t opener_length(const Tokens& tokens);

/// Whether it does, and so takes from there what it does not name: by how it begins, or because it is short, names
/// something and no tool ("staging?").
bool is_follow_up(std::string_view request, const Intent& intent);

/// The name behind one of a tool's words: "background task 42", "repository pay-core"; empty where none is.
std::string id_behind(const Tokens& tokens, const ToolTopics& topics);

/// A word with a slash or a dot inside, outside of quotes: `limits.conf`, docs/guide.md; empty where none is.
std::string path_in(const Tokens& tokens);

/// The text with each {kind} replaced by what `value` gives; "all services" where that is empty for {service}, else
/// "…".
std::string fill_in(std::string_view text, const std::function<std::string(ParameterKind)>& value);

}  // namespace deputy::intent
